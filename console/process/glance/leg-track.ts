// The track of a built-in flow: a lane for each of its shipments, with the stages that such a shipment goes through. What they
// are comes from the declaration of the flow; what the process says of its shipments decides which of them are over.
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import type { Role } from '../../../contract/flows/flow-input.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../../flows/built-in/declaration.ts';
import { flows } from '../../../flows/built-in/flows.ts';
import { formatRole } from '../../../processes/views/format-names.ts';
import type { Stage, Track } from './glance-view.ts';

/**
 * Empty for a flow that this console does not know.
 * @param hasFailed whether it has ended without a result
 */
export function legTrack(progress: Progress, hasFailed: boolean): Track {
  const versions: Readonly<Record<number, Declaration>> = Object.hasOwn(flows, progress.flow)
    ? flows[progress.flow as keyof typeof flows]
    : {};
  const flow = versions[progress.version];
  if (!flow) return [];
  const roles = rolesOf(flow);
  return roles.map((role, index) => ({
    title: roles.length > 1 ? formatRole(role) : null,
    stages: [
      ...(index === 0 ? [bookingOf(progress)] : []),
      ...stagesOf(legOf(flow, role), role, progress, hasFailed),
    ],
  }));
}

/** In the order in which a shipment goes through them, with what is said of each before it is over, and after. */
const titles = {
  Registered: ['Booked ahead', 'Booked'],
  ReadyForDropoff: ['To be dropped off', 'Dropped off'],
  WaitForReceiver: ['Waits for a receiver', 'Receiver known'],
  ReadyForPickup: ['To be picked up', 'Picked up'],
  Completed: ['Done', 'Done'],
} as const;
type Passed = keyof typeof titles;
const ORDER = Object.keys(titles) as Passed[];

const titleOf = (leg: Leg, code: Passed, isOver: boolean): string =>
  isStock(leg) && code === 'ReadyForPickup' ? 'In stock' : titles[code][isOver ? 1 : 0];

/** Those that such a shipment goes through if all goes well. */
function isExpected(leg: Leg, code: Passed): boolean {
  const { begins, follows, deadlines } = leg;
  switch (code) {
    case 'Registered':
      return begins === 'Registered';
    case 'ReadyForDropoff':
      return begins === 'ReadyForDropoff' || follows?.link === 'subsequentIntake';
    case 'WaitForReceiver':
      return false;
    case 'ReadyForPickup':
      return isStock(leg) || deadlines.includes('pickUp');
    case 'Completed':
      return !isStock(leg);
  }
}

/** It is done once the item is in its locker, for whoever gets it later. */
const isStock = ({ done }: Leg): boolean => done.includes('ReadyForPickup');

const stage = (title: string, status: Stage['status'], more: Partial<Stage> = {}): Stage => ({
  since: null,
  until: null,
  isOverdue: false,
  title,
  status,
  ...more,
});

/** It is of all shipments of the flow. */
function bookingOf({ activity, shipments, unassigned, waitingFor }: Progress): Stage {
  if (Object.keys(shipments).length + unassigned.length > 0) return stage('Booked', 'past');
  if (activity === 'Ended') return stage('Not booked', 'failed');
  if (waitingFor.some(({ kind }) => kind === 'decision')) return stage('Booking in doubt', 'failed');
  return stage('Being booked', 'present', {
    since: waitingFor.find(({ kind }) => kind === 'booking')?.since ?? null,
  });
}

function stagesOf(leg: Leg, role: Role, progress: Progress, hasFailed: boolean): Stage[] {
  const known = progress.shipments[role];
  const at = (ORDER as readonly (string | null | undefined)[]).indexOf(known?.stateCode);
  if (!known || at < 0) return unknownStages(leg, role, progress);
  const reached = reachedBy(known.shipmentUid, progress);
  return ORDER.flatMap((code, place): Stage[] => {
    const since = reached.get(code) ?? null;
    if (place === at) return [presentStage(leg, code, role, progress, hasFailed, known.stateStart ?? since)];
    const isShown = isExpected(leg, code) || (place < at && since !== null);
    if (!isShown || (place > at && progress.activity === 'Ended')) return [];
    return [
      place < at
        ? stage(titleOf(leg, code, true), 'past', { since })
        : stage(titleOf(leg, code, false), 'future'),
    ];
  });
}

function presentStage(
  leg: Leg,
  code: Passed,
  role: Role,
  { activity, waitingFor, shipments }: Progress,
  hasFailed: boolean,
  since: string | null,
): Stage {
  const { done = false, shipmentUid } = shipments[role] ?? {};
  if (done || (activity === 'Ended' && !hasFailed)) return stage(titleOf(leg, code, true), 'past', { since });
  const title = titleOf(leg, code, false);
  const stands = waitingFor.some((each) => each.kind === 'decision' && each.shipmentUid === shipmentUid);
  if (hasFailed || stands) return stage(title, 'failed', { since });
  const awaited = waitingFor.find((each) => each.kind === 'leg' && each.role === role);
  return stage(title, 'present', {
    since,
    until: awaited?.until ?? null,
    isOverdue: awaited?.isOverdue === true,
  });
}

/** It was cancelled, no report has told its state, or it is not known which shipment it is. */
function unknownStages(leg: Leg, role: Role, progress: Progress): Stage[] {
  const { shipments, unassigned, activity } = progress;
  const known = shipments[role];
  const reached = known ? reachedBy(known.shipmentUid, progress) : new Map<string, string>();
  // The last one did not come to its end.
  const passed = ORDER.filter((code) => reached.has(code));
  const past = passed.map((code, index) =>
    stage(titleOf(leg, code, index < passed.length - 1), 'past', { since: reached.get(code) ?? null }),
  );
  if (known?.stateCode === 'Cancelled')
    return [...past, stage('Cancelled', 'failed', { since: known.stateStart ?? null })];
  if (activity === 'Ended') return past;
  if (known) return [...past, stage('State not known yet', 'present')];
  const future = ORDER.filter((code) => isExpected(leg, code)).map((code) =>
    stage(titleOf(leg, code, false), 'future'),
  );
  return unassigned.length > 0 ? [stage('Not known yet which shipment it is', 'present'), ...future] : future;
}

/** When a report of each state came that moved the shipment. */
function reachedBy(uid: string, { reportHistory }: Progress): ReadonlyMap<string, string> {
  const moving = reportHistory.filter(
    ({ shipmentUid, judgement }) => shipmentUid === uid && MOVING.has(judgement),
  );
  // The first report of each counts.
  return new Map(
    moving.toReversed().map(({ stateCode, stateStart, receivedAt }) => [stateCode, stateStart ?? receivedAt]),
  );
}

const MOVING: ReadonlySet<string> = new Set(['next', 'skippedAhead', 'pickedUp']);
