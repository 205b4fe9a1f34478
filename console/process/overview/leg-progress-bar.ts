// The progress bar of the bookings of a process: a lane for each of their shipments, with the stages that such a shipment goes through. What
// they are comes with the booking; what it says of its shipments decides which of them are over.
import type { BookingProgress } from '../../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { nameOfLeg, waitsOf } from '../../../processes/views/progress.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ProgressBar, Stage } from './overview-view.ts';

type Leg = BookingProgress['legs'][number];

interface TrackedBooking extends BookingProgress {
  readonly waitingFor: ProcessProgress['waitingFor'];
}

/** @param hasFailed whether the process has ended without a result */
export function legProgressBar(progress: ProcessProgress, hasFailed: boolean): ProgressBar {
  const isNamed = progress.bookings.length > 1 || !progress.bookings.every(({ isWhole }) => isWhole);
  return progress.bookings.flatMap((each) => {
    const booking = { ...each, waitingFor: waitsOf(progress, each) };
    return booking.legs.map((leg, index) => ({
      title: isNamed || booking.legs.length > 1 ? nameOfLeg(progress, booking, leg.role) : null,
      stages: [...(index === 0 ? [bookingStage(booking)] : []), ...stagesOf(leg, booking, hasFailed)],
    }));
  });
}

/** In the order in which a shipment goes through them, with what is said of each before it is over, and after. */
const titles = () =>
  ({
    Registered: [t`Booked ahead`, t`Booked`],
    ReadyForDropoff: [t`To be dropped off`, t`Dropped off`],
    WaitForReceiver: [t`Waits for a receiver`, t`Receiver known`],
    ReadyForPickup: [t`To be picked up`, t`Taken out`],
    Completed: [t`Done`, t`Done`],
  }) as const;
type Passed = keyof ReturnType<typeof titles>;
const ORDER = Object.keys(titles()) as Passed[];

const titleOf = (leg: Leg, code: Passed, isOver: boolean): string =>
  isStock(leg) && code === 'ReadyForPickup' ? t`In stock` : titles()[code][isOver ? 1 : 0];

/** It is done once the item is in its locker, for whoever gets it later. */
const isStock = ({ states }: Leg): boolean => states.at(-1) === 'ReadyForPickup';

const stage = (title: string, status: Stage['status'], more: Partial<Stage> = {}): Stage => ({
  since: null,
  until: null,
  isOverdue: false,
  title,
  status,
  ...more,
});

/** It is of all shipments of the booking. */
function bookingStage({ activity, shipments, unassigned, waitingFor }: TrackedBooking): Stage {
  if (Object.keys(shipments).length + unassigned.length > 0) return stage(t`Booked`, 'past');
  if (activity === 'Ended') return stage(t`Not booked`, 'failed');
  if (waitingFor.some(({ kind }) => kind === 'decision')) return stage(t`Booking in doubt`, 'failed');
  return stage(t`Being booked`, 'present', {
    since: waitingFor.find(({ kind }) => kind === 'booking')?.since ?? null,
  });
}

function stagesOf(leg: Leg, booking: TrackedBooking, hasFailed: boolean): Stage[] {
  const known = booking.shipments[leg.role];
  const at = (ORDER as readonly (string | null | undefined)[]).indexOf(known?.stateCode);
  if (!known || at < 0) return unknownStages(leg, booking);
  const reached = reachedBy(known.shipmentUid, booking);
  return ORDER.flatMap((code, place): Stage[] => {
    const since = reached.get(code) ?? null;
    if (place === at) return [presentStage(leg, code, booking, hasFailed, known.stateStart ?? since)];
    const isShown = leg.states.includes(code) || (place < at && since !== null);
    if (!isShown || (place > at && booking.activity === 'Ended')) return [];
    if (place > at) return [stage(titleOf(leg, code, false), 'future')];
    return [stage(titleOf(leg, code, true), 'past', { since: leftAt(place, reached) ?? known.stateStart })];
  });
}

/** "Taken out" since the state after it began. */
const leftAt = (place: number, reached: ReadonlyMap<string, string>): string | null =>
  ORDER.slice(place + 1).flatMap((code) => reached.get(code) ?? [])[0] ?? null;

function presentStage(
  leg: Leg,
  code: Passed,
  { activity, waitingFor, shipments }: TrackedBooking,
  hasFailed: boolean,
  since: string | null,
): Stage {
  const { done = false, shipmentUid } = shipments[leg.role] ?? {};
  if (done || (activity === 'Ended' && !hasFailed)) return stage(titleOf(leg, code, true), 'past', { since });
  const title = titleOf(leg, code, false);
  const stands = waitingFor.some((each) => each.kind === 'decision' && each.shipmentUid === shipmentUid);
  if (hasFailed || stands) return stage(title, 'failed', { since });
  const awaited = waitingFor.find((each) => each.kind === 'leg' && each.role === leg.role);
  return stage(title, 'present', {
    since,
    until: awaited?.until ?? null,
    isOverdue: awaited?.isOverdue === true,
  });
}

/** It was cancelled, no report has told its state, or it is not known which shipment it is. */
function unknownStages(leg: Leg, booking: TrackedBooking): Stage[] {
  const { shipments, unassigned, activity } = booking;
  const known = shipments[leg.role];
  const reached = known ? reachedBy(known.shipmentUid, booking) : new Map<string, string>();
  // The last one did not come to its end.
  const passed = ORDER.filter((code) => reached.has(code));
  const past = passed.map((code, index) => {
    const isOver = index < passed.length - 1;
    const since = isOver ? leftAt(ORDER.indexOf(code), reached) : (reached.get(code) ?? null);
    return stage(titleOf(leg, code, isOver), 'past', { since });
  });
  if (known?.stateCode === 'Cancelled')
    return [...past, stage(t`Cancelled`, 'failed', { since: known.stateStart ?? null })];
  if (activity === 'Ended') return past;
  if (known) return [...past, stage(t`State not known yet`, 'present')];
  const future = ORDER.filter((code) => leg.states.includes(code)).map((code) =>
    stage(titleOf(leg, code, false), 'future'),
  );
  return unassigned.length > 0
    ? [stage(t`Not known yet which shipment it is`, 'present'), ...future]
    : future;
}

/** When a report of each state came that moved the shipment. */
function reachedBy(uid: string, { reportHistory }: BookingProgress): ReadonlyMap<string, string> {
  const moving = reportHistory.filter(
    ({ shipmentUid, judgement }) => shipmentUid === uid && MOVING.has(judgement),
  );
  // The first report of each counts.
  return new Map(
    moving.toReversed().map(({ stateCode, stateStart, receivedAt }) => [stateCode, stateStart ?? receivedAt]),
  );
}

const MOVING: ReadonlySet<string> = new Set(['next', 'skippedAhead', 'pickedUp']);
