// `setup`: prepares a Temporal namespace for flows, and changes to a new version of the workers.
import type { Command } from 'commander';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { report } from '../../../terminal/report.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { grpcCodes, grpcFailureOf } from '../../grpc-failure.ts';
import { registerSearchAttributes } from '../../search-attributes.ts';
import { type AtTemporal, atTemporal } from '../temporal.ts';

interface Options {
  readonly currentBuildId?: string;
  readonly deployment: string;
}

export function addSetup(program: Command, terminal: Terminal): void {
  program
    .command('setup')
    .description(
      'register the missing search attributes; where that is not allowed, print the command that does it. ' +
        'With --current-build-id: send all work to the workers of that build instead',
    )
    .option('--current-build-id <id>', 'the WORKER_BUILD_ID of workers that already run')
    .option('--deployment <name>', 'the WORKER_DEPLOYMENT of these workers', 'lockerflow')
    .addHelpText('after', EXAMPLES)
    .action(({ currentBuildId, deployment }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const done =
          currentBuildId === undefined
            ? await registered(temporal)
            : await madeCurrent(temporal, deployment, currentBuildId);
        report(terminal, command, done);
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow setup
  TEMPORAL_PROFILE=production lockerflow setup
  lockerflow setup --current-build-id 2031-05-01.3`;

// The user has no permission, or the server does not allow it this way (Temporal Cloud).
const NOT_FOR_US: ReadonlySet<number | undefined> = new Set([
  grpcCodes.permissionDenied,
  grpcCodes.unimplemented,
  grpcCodes.unauthenticated,
]);

async function registered({ client }: AtTemporal) {
  const { namespace } = client.options;
  const added = await registerSearchAttributes(client).catch((cause: unknown) => {
    if (!NOT_FOR_US.has(grpcFailureOf(cause)?.code)) throw cause;
    throw new CommandFailed(
      'failed',
      `search attributes may not be registered from here; run: ${byHand(namespace)}`,
      {
        cause,
      },
    );
  });
  const words =
    added.length > 0
      ? `${namespace}: registered ${added.join(', ')}`
      : `${namespace}: everything was registered already`;
  return { words, data: { namespace, registered: added } };
}

function byHand(namespace: string): string {
  const each = Object.entries(searchAttributes).map(([name, type]) => `--name ${name} --type ${type}`);
  return `temporal operator search-attribute create --namespace ${namespace} ${each.join(' ')}`;
}

async function madeCurrent({ client }: AtTemporal, deploymentName: string, buildId: string) {
  const { namespace } = client.options;
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId,
    identity: client.options.identity,
  });
  return {
    words: `${deploymentName}: ${buildId} is the current version; flows that run go on with it too`,
    data: { namespace, deployment: deploymentName, currentBuildId: buildId },
  };
}
