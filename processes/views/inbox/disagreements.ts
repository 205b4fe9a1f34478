// What flows and the locker service disagree about, and still do: callbacks that do not arrive, found at every look, and what the
// last comparison found.

import { FlowNotFound } from '../../../client/flow-errors.ts';
import { nameOf } from '../../../contract/flows/attribution.ts';
import {
  type Disagreement,
  type DisagreementKind,
  meaningOf,
  mendingOf,
} from '../../../shared/routing/comparison/disagreement.ts';
import { isActive } from '../../../shared/routing/comparison/judge.ts';
import { holdersOf, runningAmong } from '../../../shared/routing/owners.ts';
import { type Choice, WHY_FIELD } from '../../action-forms/action-form.ts';
import { eachAtOnce } from '../../at-once.ts';
import { answered, askedTemporal } from '../../at-temporal.ts';
import { cancel } from '../../commands/cancel.ts';
import { setState } from '../../commands/resolve.ts';
import { requireOpen } from '../../open-process.ts';
import { orThrow, Refusal, wrongInput } from '../../outcome.ts';
import type { Comparisons } from '../comparison.ts';
import type { InboxEntry } from './inbox-entry.ts';
import type { LateCallbacks } from './late-callbacks.ts';
import type { ActingAtService, InboxParts, InboxSource, SourceRead } from './source.ts';

// Each is asked about again at every look.
const MAX_SHOWN = 50;

/** Where they come from. */
export interface DisagreementSources {
  readonly comparisons: Comparisons;
  readonly late: LateCallbacks;
}

export const disagreements = (sources: DisagreementSources): InboxSource => ({
  kind: 'disagreement',
  what: 'what processes and the locker service disagree about',
  read: (parts) => read(parts, sources),
});

interface Finding {
  readonly found: Disagreement;
  readonly since: string | null;
  readonly isOfComparison: boolean;
}

/** Each once: a callback that has just been found missing may be in the last comparison too. */
async function findingsOf({ comparisons, late }: DisagreementSources): Promise<Finding[]> {
  const { comparison } = await comparisons.last();
  const compared = (comparison?.disagreements ?? []).map((found) => ({
    found,
    since: comparison?.comparedAt ?? null,
    isOfComparison: true,
  }));
  const missing = late.current().map((each) => ({ ...each, isOfComparison: false }));
  return [...new Map([...compared, ...missing].map((each) => [keyOf(each.found), each])).values()];
}

async function read(parts: InboxParts, { comparisons, late }: DisagreementSources): Promise<SourceRead> {
  const all = await findingsOf({ comparisons, late });
  const holding: InboxEntry[] = [];
  // By it a shipment is in its state since.
  const aheadMs = all.some(({ isOfComparison }) => !isOfComparison)
    ? await parts.serviceClock.aheadMs()
    : null;
  const shown = all.slice(0, MAX_SHOWN);
  const found = shown.map((each) => each.found);
  const holders = await openHolders(parts, found).catch((): OpenHolders => new Map());
  const asked = eachAtOnce(shown, ({ found }) => stillHolds(parts, comparisons, found, holders));
  // One that cannot be looked at again is shown as it was found.
  for await (const { item, outcome } of asked)
    if (!outcome.done || outcome.value) holding.push(entryOf(item, item.isOfComparison ? 0 : (aheadMs ?? 0)));
  return {
    entries: holding,
    ...(all.length > MAX_SHOWN && { incomplete: `only ${MAX_SHOWN} of ${all.length} are shown` }),
  };
}

type TemporalParts = Pick<InboxParts, 'client' | 'flows' | 'taskQueue'>;

/** By shipment: the ids of the open processes that have booked or adopted it. */
type OpenHolders = ReadonlyMap<string, readonly string[]>;

async function stillHolds(
  parts: TemporalParts,
  { service }: Comparisons,
  found: Disagreement,
  holders: OpenHolders,
): Promise<boolean> {
  const { kind, workflowId, role, shipmentUid, serviceState, isItemIn } = found;
  // A comparison alone sees whether somebody has fetched the item.
  if (kind === 'noShipment' && isItemIn) return true;
  if (kind === 'noFlow' || workflowId === null)
    return isActive(await service.findShipment(shipmentUid)) && !(await isFollowed(parts, found, holders));
  const { activity, shipments } = await answered(parts, () =>
    parts.flows.handle<'Issue'>(workflowId).progress(),
  );
  return (
    activity !== 'Ended' && !(kind === 'lateCallback' && role && shipments[role]?.stateCode === serviceState)
  );
}

/** Whether an open process follows the shipment by now, as it says itself: one may have adopted it since it was found. */
async function isFollowed(
  parts: TemporalParts,
  { workflowId, shipmentUid }: Disagreement,
  holders: OpenHolders,
): Promise<boolean> {
  const named = workflowId === null ? [] : [workflowId];
  const keys = [...new Set([...named, ...(holders.get(shipmentUid) ?? [])])];
  const follow = await Promise.all(keys.map((key) => follows(parts, key, shipmentUid)));
  return follow.includes(true);
}

/** All are searched for at once: an inbox is read again and again. */
async function openHolders(parts: TemporalParts, found: readonly Disagreement[]): Promise<OpenHolders> {
  const shipmentUids = [...new Set(found.map((each) => each.shipmentUid))];
  const holders = await askedTemporal(parts, () => holdersOf(parts.client, shipmentUids));
  return new Map([...holders].map(([uid, executions]) => [uid, runningAmong(executions)]));
}

async function follows(parts: TemporalParts, key: string, shipmentUid: string): Promise<boolean> {
  try {
    await askedTemporal(parts, () => requireOpen(parts.client, key));
    const { shipments } = await answered(parts, () => parts.flows.handle<'Issue'>(key).progress());
    return Object.values(shipments).some((shipment) => shipment?.shipmentUid === shipmentUid);
  } catch (error) {
    if (error instanceof FlowNotFound || (error instanceof Refusal && error.code === 'FlowEnded'))
      return false;
    throw error;
  }
}

const keyOf = ({ kind, shipmentUid, workflowId }: Disagreement) =>
  `${kind}:${shipmentUid}:${workflowId ?? ''}`;

function entryOf({ found, since, isOfComparison }: Finding, clockAheadMs: number): InboxEntry {
  const { workflowId, shipmentUid, pupUid, lockerName } = found;
  const { title, ifNothing } = wordsOf(found);
  const actions = actionsOf(found);
  const states = [
    found.flowState && `process: ${found.flowState}`,
    found.serviceState && `locker service: ${found.serviceState}`,
  ];
  const shown = states.filter(Boolean).join(', ');
  return {
    id: `disagreement:${keyOf(found)}`,
    kind: 'disagreement',
    since,
    clockAheadMs,
    title,
    why: isOfComparison
      ? `Found by a comparison: ${meaningOf(found)}${shown && ` (${shown})`}.`
      : `The locker service says ${found.serviceState}; the process has heard of ${found.flowState} only. The service has not sent the callback, or the receiver has not taken it.`,
    ifNothing,
    toDo: found.kind === 'lateCallback' ? toDoAboutCallback : toDoAbout(found, actions),
    key: workflowId,
    shipmentUid,
    pupUid,
    lockerName,
    actions,
  };
}

const toDoAboutCallback =
  'See that the receiver runs and that the locker service reaches it (its command callback status says why not): then the callback comes by itself. Or tell the process here.';

const toDoAbout = (found: Disagreement, actions: readonly Choice[]): string =>
  actions.length > 0
    ? 'Look at the locker or ask the receiver; then decide here.'
    : `Mend it with: ${mendingOf(found).join('; or: ')}.`;

interface Words {
  readonly title: string;
  readonly ifNothing: string;
}

const words: Readonly<Record<DisagreementKind, Words>> = {
  lateCallback: {
    title: 'A callback has not arrived',
    ifNothing: 'The process waits for something that has happened, and may become overdue.',
  },
  serviceBehind: {
    title: 'The locker service knows less than the process',
    ifNothing: 'The service reports the same state again later, and its locker may stay taken.',
  },
  noShipment: {
    title: 'A process waits for a shipment that is gone',
    ifNothing: 'The process waits for ever: no callback can come.',
  },
  noFlow: {
    title: 'A shipment without a process',
    ifNothing: 'The shipment keeps its locker, and no process looks after it.',
  },
};
const itemWithoutShipment: Words = {
  title: 'An item may lie in a locker that the service calls free',
  ifNothing: 'The next user of the locker may find the item.',
};
const wordsOf = ({ kind, isItemIn }: Disagreement): Words =>
  kind === 'noShipment' && isItemIn ? itemWithoutShipment : words[kind];

type Offered = Omit<Choice, 'request'> & { readonly id: Mending };

/** What a person may do about a disagreement. */
export const mendings = ['setState', 'cancelProcess', 'cancelShipment'] as const;
type Mending = (typeof mendings)[number];

const cancelShipment: Offered = {
  id: 'cancelShipment',
  label: 'Cancel the shipment',
  consequence:
    'The locker service cancels the shipment. Its locker is free, or to be emptied if an item lies in it.',
  // The locker service keeps who cancelled (X-On-Behalf-Of), and no reason.
  fields: [],
  isDestructive: true,
};

const cancelProcess: Offered = {
  id: 'cancelProcess',
  label: 'Cancel the process',
  consequence: 'The process cancels what is left of its bookings, and ends as cancelled.',
  fields: [WHY_FIELD],
  isDestructive: true,
};

const setStateTo = (role: string, stateCode: string): Offered => ({
  id: 'setState',
  label: `Tell the process: ${stateCode}`,
  consequence: `The process takes ${stateCode} as the state of ${role} and goes on, as after the callback.`,
  fields: [WHY_FIELD],
});

const actionsOf = (found: Disagreement): Choice[] =>
  offeredFor(found).map((offered) => ({
    ...offered,
    request: { path: '/v1/comparison/mendings', body: { disagreement: keyOf(found), mending: offered.id } },
  }));

function offeredFor(found: Disagreement): readonly Offered[] {
  const { kind, role, serviceState, flowStatus, isItemIn } = found;
  switch (kind) {
    case 'lateCallback':
      return role && serviceState ? [setStateTo(role, serviceState)] : [];
    case 'noShipment':
      return flowStatus === 'RUNNING' && !isItemIn ? [cancelProcess] : [];
    case 'noFlow':
      return [cancelShipment];
    // Somebody must look into the locker first.
    case 'serviceBehind':
      return [];
  }
}

export interface Mended {
  readonly disagreement: string;
  readonly mending: Mending;
}

/** Throws Refusal; gives what was done, in words. */
export async function mend(
  acting: ActingAtService,
  sources: DisagreementSources,
  { disagreement, mending }: Mended,
): Promise<string> {
  const { comparisons } = sources;
  const found = (await findingsOf(sources)).find((each) => keyOf(each.found) === disagreement)?.found;
  if (!found || !(await stillHolds(acting, comparisons, found, await openHolders(acting, [found]))))
    throw new Refusal('refused', 'NotSoAnyMore', 'This is not so any more: nothing was done.');
  const possible = offeredFor(found).map(({ id }) => id);
  const { workflowId, role, shipmentUid, serviceState: stateCode } = found;
  if (!possible.includes(mending)) throw notPossible(mending, possible);
  if (mending === 'cancelShipment') {
    await acting.service.call('CancelShipment', { shipmentUid });
    return `${shipmentUid} is cancelled by ${nameOf(acting)}`;
  }
  if (workflowId === null) throw notPossible(mending, possible);
  if (mending === 'cancelProcess') orThrow(await cancel.do(acting, workflowId, {}));
  else {
    const input = orThrow(setState.read({ role, stateCode }));
    orThrow(await setState.do(acting, workflowId, input));
  }
  return `${workflowId}: ${mending} is done, decided by ${nameOf(acting)}`;
}

const notPossible = (mending: Mending, possible: readonly Mending[]) =>
  wrongInput(`${mending} does not mend this disagreement.`, {
    mending: `must be ${possible.length === 0 ? 'left out: a person must look' : `one of ${possible.join(', ')}`}`,
  });
