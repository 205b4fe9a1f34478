// `compare`: what flows and the locker service disagree about, what that means, and the commands that repair it.
import type { Command } from 'commander';
import { durationMs } from '../../flows/language/duration.ts';
import { type Comparison, compare } from '../../processes/comparison/compare.ts';
import type { Disagreement } from '../../processes/comparison/disagreements.ts';
import { statusNamed } from '../../processes/views/process-fields.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import { shellWord, type Terminal } from '../../shared/terminal/terminal.ts';
import { searchedMomentIn } from '../moments.ts';
import { atLockerService, atTemporal, SERVICE_SETTINGS, serviceProfileIn } from '../temporal.ts';

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
      '--since <moment or duration>',
      'also flows that ended since then, like 2031-05-01T12:00:00Z, 22:00 (the latest of your time), or P2D; after a restore, since the point that was restored',
      USUAL_LOOK_BACK,
    )
    .addHelpText('after', EXAMPLES)
    .action(({ since }: { readonly since: string }, command: Command) =>
      atTemporal(terminal, async ({ client, taskQueue }) => {
        const endedSince = sinceOf(since);
        const comparedAt = new Date().toISOString();
        const { interrupted: signal } = terminal;
        const compared = await atLockerService(terminal, (api) =>
          compare({ client, api, serviceProfile: serviceProfileIn(terminal), taskQueue, endedSince, signal }),
        );
        const data = comparisonData(compared, { comparedAt, endedSince: endedSince.toISOString() });
        report(terminal, command, { text: formatComparison(data), data });
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
  return length === null ? searchedMomentIn(since, '--since') : new Date(Date.now() - length);
}

const comparisonData = (
  { disagreements, ...compared }: Comparison,
  moments: { readonly comparedAt: string; readonly endedSince: string },
) => ({
  ...moments,
  ...compared,
  disagreements: disagreements.map((disagreement) => {
    const { workflowId: key, flowStatus, ...same } = disagreement;
    const status = flowStatus === null ? null : statusNamed(flowStatus);
    return {
      ...same,
      key,
      status,
      meaning: disagreement.kind === 'noFlow' && key === null ? BY_NOBODY_KNOWN : meanings[disagreement.kind],
      mend: mending[disagreement.kind](disagreement),
    };
  }),
});
/** As --json has it. */
export type ShownComparison = ReturnType<typeof comparisonData>;

const meanings: Readonly<Record<Disagreement['kind'], string>> = {
  lateCallback:
    'the service has a later state than its flow: the callback has not come, or Temporal was set back to an earlier point',
  serviceBehind:
    'the flow was told of a later state than the service has: the service was set back to an earlier point. Look into the locker: if the item was put in or taken out since, let the service know by the access that it lacks; else cancel the shipment',
  noShipment:
    'the flow has a shipment that the service does not have, most likely because the service was set back to an earlier point. If its item lies in the locker, the service may give the locker to the next booking',
  noFlow:
    'an active booking that no flow has: its flow has ended without undoing anything, or the flow with its case number has booked twice or waits for a person to adopt it',
};

const BY_NOBODY_KNOWN =
  'an active booking that no flow has or had. If another system has made it, leave it as it is: somebody waits for it. Cancel it only if its flow is gone because Temporal was set back to an earlier point';

const who = '--by <you> --why <reason>';
const cancelShipment = ({ shipmentUid }: Disagreement) =>
  `lockerflow shipment cancel ${shellWord(shipmentUid)}`;
const keyOf = ({ workflowId }: Disagreement) => shellWord(workflowId ?? '');
const lockerOf = ({ lockerUid }: Disagreement) => (lockerUid === null ? '<lockerUid>' : shellWord(lockerUid));
const unlockGoals: Readonly<Record<string, string>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};

/** The commands that repair it, as they are typed in a shell; the first is the usual one. */
const mending: Readonly<Record<Disagreement['kind'], (disagreement: Disagreement) => readonly string[]>> = {
  lateCallback: (disagreement) => [
    `npm run -s service -- callback resend <tenantUid> --shipment ${shellWord(disagreement.shipmentUid)}`,
    `lockerflow set-state ${keyOf(disagreement)} --role ${disagreement.role ?? '<role>'} --state-code ${disagreement.serviceState} ${who}`,
  ],
  serviceBehind: (disagreement) => {
    const goal = unlockGoals[disagreement.serviceState ?? ''];
    const unlock = `lockerflow shipment unlock ${shellWord(disagreement.shipmentUid)} --goal ${goal}`;
    return [...(goal === undefined ? [] : [unlock]), cancelShipment(disagreement)];
  },
  noShipment: (disagreement) => [
    ...(disagreement.isItemIn
      ? [`npm run -s service -- locker item-left <tenantUid> ${lockerOf(disagreement)}`]
      : []),
    ...(disagreement.flowStatus === 'RUNNING'
      ? [`lockerflow cancel ${keyOf(disagreement)}`, `lockerflow give-up ${keyOf(disagreement)} ${who}`]
      : []),
    ...(disagreement.isItemIn
      ? [`npm run -s service -- locker emptied <tenantUid> ${lockerOf(disagreement)}`]
      : []),
  ],
  noFlow: (disagreement) => [
    cancelShipment(disagreement),
    ...(disagreement.flowStatus === 'RUNNING'
      ? [
          `lockerflow adopt ${keyOf(disagreement)} --shipments <role>=${shellWord(disagreement.shipmentUid)} ${who}`,
        ]
      : []),
  ],
};

function formatComparison({ disagreements, ...rest }: ShownComparison): string[] {
  const { flows, shipments, endedSince, comparedAt, isComplete } = rest;
  const count = disagreements.length === 0 ? 'no' : String(disagreements.length);
  return [
    ...disagreements.flatMap((disagreement) => [...disagreementLines(disagreement), '']),
    `${count} ${disagreements.length === 1 ? 'disagreement' : 'disagreements'} at ${comparedAt}: ${flows} flows, open or ended since ${endedSince}; ${shipments} active shipments`,
    ...(isComplete
      ? []
      : ['the service has more active shipments than one comparison reads: the others were not compared']),
  ];
}

function disagreementLines(disagreement: ShownComparison['disagreements'][number]): string[] {
  const { kind, key, role, shipmentUid, flowState, serviceState, pupUid, lockerName, lockerUid } =
    disagreement;
  const what = [key ?? 'no flow', role, shipmentUid].filter(Boolean).join(' ');
  const parts = [
    what,
    flowState && `flow: ${flowState}`,
    `service: ${serviceState ?? 'no such shipment'}`,
    lockerName && `locker ${lockerName} of ${pupUid}${lockerUid ? ` (${lockerUid})` : ''}`,
  ];
  return [
    `${kind}: ${parts.filter(Boolean).join(', ')}`,
    `  ${disagreement.meaning}`,
    ...disagreement.mend.map((command) => `  > ${command.replace(/^lockerflow/, 'npx lockerflow')}`),
  ];
}
