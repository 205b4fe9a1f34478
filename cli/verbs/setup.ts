// `setup`: prepares a Temporal namespace for flows, and changes to a new version of the workers.
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { grpcCodes, grpcFailureOf } from '../../client/grpc-failure.ts';
import { registerSearchAttributes } from '../../client/search-attributes.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { atTemporal } from '../temporal.ts';

interface Options {
  readonly currentBuildId?: string;
  readonly deployment: string;
}

export function addSetup(program: Command, terminal: Terminal): void {
  program
    .command('setup')
    .description(
      'register the missing search attributes; where that is not allowed, print the command that does it. ' +
        'With --current-build-id: only make this build the current one: its workers get all work',
    )
    .option('--current-build-id <id>', 'the WORKER_BUILD_ID of workers that already run')
    .option('--deployment <name>', 'the WORKER_DEPLOYMENT of these workers', 'lockerflow')
    .addHelpText('after', EXAMPLES)
    .action(({ currentBuildId, deployment }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const done =
          currentBuildId === undefined
            ? await register(temporal)
            : await makeCurrent(temporal, deployment, currentBuildId);
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
const NOT_PERMITTED: ReadonlySet<number | undefined> = new Set([
  grpcCodes.permissionDenied,
  grpcCodes.unimplemented,
  grpcCodes.unauthenticated,
]);

async function register({ client }: TemporalContext) {
  const { namespace } = client.options;
  const added = await registerSearchAttributes(client).catch((cause: unknown) => {
    if (!NOT_PERMITTED.has(grpcFailureOf(cause)?.code)) throw cause;
    throw new CommandFailed(
      'failed',
      `you may not register search attributes; ask an administrator of Temporal to run: ${registrationCommand(namespace)}`,
      {
        cause,
      },
    );
  });
  const text =
    added.length > 0
      ? `${namespace}: registered ${added.join(', ')}`
      : `${namespace}: everything was registered already`;
  return { text, data: { namespace, registered: added } };
}

function registrationCommand(namespace: string): string {
  const each = Object.entries(searchAttributes).map(([name, type]) => `--name ${name} --type ${type}`);
  return `temporal operator search-attribute create --namespace ${namespace} ${each.join(' ')}`;
}

async function makeCurrent({ client }: TemporalContext, deploymentName: string, buildId: string) {
  const { namespace, identity } = client.options;
  const request = { namespace, deploymentName, buildId, identity };
  await retryUntilQueuesAreKnown(buildId, () =>
    client.workflowService.setWorkerDeploymentCurrentVersion(request),
  );
  return {
    text: `${deploymentName}: ${buildId} is the current version; flows that run go on with it too`,
    data: { namespace, deployment: deploymentName, currentBuildId: buildId },
  };
}

// Temporal learns of the task queues of a build one by one, some seconds after its workers have started.
const KNOWN_WITHIN_MS = 60_000;
const AGAIN_MS = 1_000;

/** Retries while Temporal refuses the build because its workers do not poll a queue of the current build yet. */
async function retryUntilQueuesAreKnown(buildId: string, change: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  for (;;)
    try {
      await change();
      return;
    } catch (cause) {
      const details = grpcFailureOf(cause)?.details ?? '';
      // Servers differ in the code of this answer.
      if (details.includes('no Worker Deployment found'))
        throw new CommandFailed(
          'failed',
          `Temporal knows no such deployment yet (${details}): start workers with this WORKER_DEPLOYMENT and WORKER_BUILD_ID first`,
          { cause },
        );
      if (!details.includes('missing active task queues')) throw cause;
      if (performance.now() > deadline)
        throw new CommandFailed(
          'failed',
          `no worker of ${buildId} asks for work on a task queue where the current build has work; ` +
            'expected the same LOCKERFLOW_TASK_QUEUE: start its workers with it, then try again',
          { cause },
        );
      await pause(AGAIN_MS);
    }
}
