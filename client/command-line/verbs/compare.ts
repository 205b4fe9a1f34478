// `compare`: what flows and the locker service disagree about, what that means, and the commands that repair it.
import type { Command } from 'commander';
import { durationMs } from '../../../flows/language/duration.ts';
import { type Comparison, compare } from '../../../processes/comparison/compare.ts';
import { type Disagreement, meaningOf, mendingOf } from '../../../processes/comparison/disagreements.ts';
import { instantOption } from '../../../processes/views/flow-query.ts';
import { statusNamed } from '../../../processes/views/process-fields.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { plain, report, type Terminal } from '../../../shared/terminal/terminal.ts';
import { atLockerService, atTemporal, peerIn, SERVICE_SETTINGS } from '../temporal.ts';

const USUAL_LOOK_BACK = 'PT25H';

const EXAMPLES = `
Examples:
  lockerflow compare
  lockerflow compare --since 2031-05-01T12:00:00Z --json
${SERVICE_SETTINGS}`;

export function addCompare(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description(
      'compare flows (open ones, and those that ended lately) with the locker service, and list each difference, ' +
        'its meaning, and the command to repair it. It changes nothing. ' +
        'Run it first after a restore of either database',
    )
    .option(
      '--since <instant or duration>',
      'also flows that ended since then, like 2031-05-01T12:00:00Z, or P2D; after a restore, since the point that was restored',
      USUAL_LOOK_BACK,
    )
    .addHelpText('after', EXAMPLES)
    .action(({ since }: { readonly since: string }, command: Command) =>
      atTemporal(terminal, async ({ client, taskQueue }) => {
        const endedSince = sinceOf(since);
        const signal = terminal.interrupted;
        const compared = await atLockerService(terminal, (api) =>
          compare(
            client,
            {
              peer: peerIn(terminal),
              call: (operation, request) => api.call(operation, request, { signal }),
            },
            { taskQueue, endedSince, signal },
          ),
        );
        report(terminal, command, { words: comparisonWords(compared), data: shown(compared) });
        const { unanswered, flows } = compared;
        if (unanswered.length > 0)
          throw new CommandFailed(
            'failed',
            `${unanswered.length} of ${unanswered.length + flows} flows did not answer and were not compared; check that a worker runs, then try again`,
          );
      }),
    );
}

function sinceOf(since: string): Date {
  const length = durationMs(since);
  return length === null ? new Date(instantOption(since, '--since')) : new Date(Date.now() - length);
}

const shown = ({ disagreements, ...compared }: Comparison) => ({
  ...compared,
  disagreements: disagreements.map((found) => {
    const { workflowId: key, flowStatus, ...same } = found;
    const status = flowStatus === null ? null : statusNamed(flowStatus);
    return { ...same, key, status, meaning: meaningOf(found), mend: mendingOf(found) };
  }),
});
/** As --json has it. */
export type ShownComparison = ReturnType<typeof shown>;

function comparisonWords({ disagreements, ...rest }: Comparison): string {
  const { flows, shipments, endedSince, comparedAt, isComplete } = rest;
  const count = disagreements.length === 0 ? 'no' : String(disagreements.length);
  const lines = [
    ...disagreements.flatMap((found) => [...wordsOf(found), '']),
    `${count} ${disagreements.length === 1 ? 'disagreement' : 'disagreements'} at ${comparedAt}: ${flows} flows, open or ended since ${endedSince}; ${shipments} active shipments`,
    ...(isComplete
      ? []
      : ['the service has more active shipments than one comparison reads: the others were not compared']),
  ];
  return lines.map(plain).join('\n');
}

const commandLine = (command: string) => `  > ${command.replace(/^lockerflow/, 'npx lockerflow')}`;

function wordsOf(found: Disagreement): string[] {
  const { kind, workflowId, role, shipmentUid, flowState, serviceState, pupUid, lockerName, lockerUid } =
    found;
  const locker = lockerName && `locker ${lockerName} of ${pupUid}${lockerUid ? ` (${lockerUid})` : ''}`;
  const states = [flowState && `flow: ${flowState}`, `service: ${serviceState ?? 'no such shipment'}`].filter(
    Boolean,
  );
  const what = [workflowId ?? 'no flow', role, shipmentUid].filter(Boolean).join(' ');
  return [
    `${kind}: ${[what, ...states, locker].filter(Boolean).join(', ')}`,
    `  ${meaningOf(found)}`,
    ...mendingOf(found).map(commandLine),
  ];
}
