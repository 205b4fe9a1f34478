// Keeps callbacks that no flow was found for: tries again, waits for a person's claim or drop, ends as Unclaimed at last.
// The trying is one activity that Temporal repeats: no event of history for each try.
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { ParkedActivities } from '../activities/parked-activities.ts';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import type {
  Claim,
  Drop,
  OtherMessage,
  Parked,
  ParkedInput,
  ParkedResult,
} from '../contract/flows/parked-callback.ts';
import { durationMs } from './shipments/duration.ts';

const park = defineSignal<[ShipmentReport | OtherMessage]>('park');
const claim = defineUpdate<void, [Claim]>('claim');
const drop = defineUpdate<void, [Drop]>('drop');
const parked = defineQuery<Parked>('parked');

const { deliverTo } = proxyActivities<ParkedActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 5 },
});

interface Decision extends Omit<ParkedResult, 'to'> {
  readonly to: readonly string[];
}

export async function ParkedCallback(input: ParkedInput): Promise<ParkedResult> {
  const until = Date.now() + (durationMs(input.parkFor) ?? 0);
  const kept: (ShipmentReport | OtherMessage)[] = [];
  let decision: Decision | null = null;

  setHandler(parked, () => ({ input, kept }));
  setHandler(park, (one) => {
    if (!kept.some((each) => isSame(each, one))) kept.push(one);
    setCurrentDetails(details(input, kept));
  });
  setHandler(drop, ({ by, why }) => {
    decision ??= { ended: 'Dropped', to: [], by, why };
  });
  setHandler(
    claim,
    async ({ workflowId, by, why }) => {
      await deliverTo({ workflowId, reports: kept.filter(isReport) });
      decision ??= { ended: 'Claimed', to: [workflowId], by, why };
    },
    {
      validator: (_: Claim) => {
        if (input.kind !== 'shipment')
          throw new TypeError('only reports of a shipment can be given to a flow');
      },
    },
  );

  await condition(() => kept.length > 0);
  for (;;) {
    const tried = kept.length;
    const outcome = await tryUntil(until, input, kept, () => decision !== null || kept.length > tried);
    await condition(allHandlersFinished);
    // What came while it was being delivered is parked too: it is tried before this ends.
    if (decision) return decision;
    if (kept.length === tried && outcome) return outcome;
  }
}

/** Null when it was interrupted: there is a decision, or more to deliver. */
async function tryUntil(
  until: number,
  input: ParkedInput,
  kept: readonly (ShipmentReport | OtherMessage)[],
  isInterrupted: () => boolean,
): Promise<ParkedResult | null> {
  const left = Math.max(1, until - Date.now());
  if (input.kind === 'message') return (await condition(isInterrupted, left)) ? null : unclaimed;
  const scope = new CancellationScope();
  let outcome: ParkedResult | null = null;
  let hasNoMoreTries = false;
  const trying = scope
    .run(() => deliverWithin(left).deliverParked({ reports: kept.filter(isReport) }))
    .then(
      (to) => {
        outcome = { ended: 'Delivered', to, by: null, why: null };
      },
      (error: unknown) => {
        hasNoMoreTries = !isCancellation(error);
      },
    );
  await condition(() => outcome !== null || hasNoMoreTries || isInterrupted());
  scope.cancel();
  await trying;
  if (!hasNoMoreTries) return outcome;
  // Temporal gives up as soon as the next try would come too late. Until the time is up it can still be claimed.
  return (await condition(isInterrupted, Math.max(1, until - Date.now()))) ? null : unclaimed;
}

const unclaimed: ParkedResult = { ended: 'Unclaimed', to: [], by: null, why: null };

/** Repeated by Temporal until somebody waits for it or the time is up. */
const deliverWithin = (left: number) =>
  proxyActivities<ParkedActivities>({
    scheduleToCloseTimeout: left,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '30 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
    summary: 'look for a flow that waits for it',
  });

const isReport = (kept: ShipmentReport | OtherMessage): kept is ShipmentReport => 'shipmentUid' in kept;

/** A callback that is sent again differs in the moment of its arrival alone. */
function isSame(one: ShipmentReport | OtherMessage, other: ShipmentReport | OtherMessage): boolean {
  const told = (kept: object) => JSON.stringify({ ...kept, receivedAt: null });
  return told(one) === told(other);
}

function details(input: ParkedInput, kept: readonly (ShipmentReport | OtherMessage)[]): string {
  if (input.kind === 'message')
    return `**A message of type \`${input.messageType}\`**, which nobody here knows.`;
  const rows = kept
    .filter(isReport)
    .map(({ stateCode, stateStart, receivedAt }) => `| ${stateCode} | ${stateStart ?? ''} | ${receivedAt} |`);
  return [
    `**Parked: no flow waits for shipment \`${input.shipmentUid}\`.** Give it to one: \`npx lockerflow parked claim\`.`,
    '',
    '| state | since | received |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
