// A booking that is the whole of its process, as in the built-in flows: what it says is what the process says, together with what
// the process of a copy does beside it, or after it.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Ending } from '../../engine/definition/closing.ts';
import type { Definition, ProcessStart } from '../../engine/definition/definition.ts';
import type { PendingNow, ProcessViews } from '../../engine/definition/views.ts';
import { type FlowFile, invokesIn, onceForEach, statesIn } from '../language/flow-file.ts';
import { type BookingSnapshot, BookingSnapshots, begunBooking } from './booking-state.ts';
import { details } from './details.ts';
import { bookingInvokesIn, bookingsIn, type OwnBooking, reportsIn, wholeAmong } from './own-bookings.ts';
import { bookingAttributes, bookingProgress } from './progress.ts';
import { ending } from './settlement.ts';
import { withSeveralBookings } from './several-bookings.ts';

export function withWholeBooking(given: Definition, file: FlowFile, snapshots: BookingSnapshots): Definition {
  // Whether it has ended with its result.
  const isDone = ({ state }: OwnBooking) =>
    state.place === 'ended' && ending(snapshots.declaredIn(state), state.known).kind === 'result';
  const first = (pending?: PendingNow) => bookingsIn(pending?.actors)[0]?.state;
  const beside = doesMore(file) ? withSeveralBookings(given, bookingInvokesIn(file), snapshots).views : null;
  const views: Partial<ProcessViews> = {
    progress: (snapshot, late, pending, query) => {
      const own = (beside ?? given.views).progress(snapshot, late, pending, query) as ProcessProgress;
      const [booking] = bookingsIn(pending?.actors);
      if (!booking) return own;
      const said = wholeProgress(booking.id, snapshots.of(booking.state), late);
      if (beside) {
        const { phase, waitingFor, halted } = own;
        const { activity } = halted || booking.isEnded ? own : said;
        return { ...own, ...said, phase, waitingFor, activity };
      }
      const decisions = own.waitingFor.filter(({ kind }) => kind === 'decision');
      return {
        ...own,
        ...said,
        waitingFor: [...decisions, ...said.waitingFor],
        ...(own.halted && { phase: 'NeedsPerson', activity: 'NeedsPerson' }),
      };
    },
    details: (snapshot, pending) => {
      const state = pending?.halted ? undefined : first(pending);
      return state ? details(snapshots.of(state)) : given.views.details(snapshot, pending);
    },
    searchAttributes: (snapshot, pending) => {
      const state = first(pending);
      if (pending?.halted || !state) return given.views.searchAttributes(snapshot, pending);
      return bookingAttributes(snapshots.of(state));
    },
    ...(beside && { details: beside.details, searchAttributes: beside.searchAttributes }),
  };
  return {
    ...given,
    views: { ...given.views, ...views },
    messages: {
      ...given.messages,
      refusal: (_snapshot, { type }) => `${file.name}: it has no update ${type}`,
    },
    outgoing: {
      ...given.outgoing,
      // It tells its parent by itself.
      toParent: (before, now, halted) =>
        halted ? (given.outgoing?.toParent?.(before, now, halted) ?? []) : [],
    },
    // A cancellation that comes when all is done leaves the result.
    ending: (snapshot, isCancelled, actors) =>
      given.ending?.(snapshot, isCancelled && !bookingsIn(actors).some(isDone), actors) as Ending,
  };
}

/** Whether its processes wait for anything but the booking: a copy of a built-in flow may. */
const doesMore = onceForEach(
  (file: FlowFile): boolean =>
    invokesIn(file).length > 1 ||
    statesIn(file).some(({ state: { on, after } }) => on !== undefined || after !== undefined),
);

/** What the process says of itself is what its one booking says. */
function wholeProgress(id: string, snapshot: BookingSnapshot, late: readonly unknown[]) {
  const booking = bookingProgress({ id, isWhole: true }, snapshot, reportsIn(late));
  const { id: _, isWhole: __, ...own } = booking;
  const { known, place, phase, waitingFor } = snapshot.view;
  return {
    version: known.start.version,
    phase: place === 'ended' ? null : phase,
    waitingFor,
    ...own,
    bookings: [booking],
  };
}

/** What a process whose booking is the whole of it answers before it begins. */
export function progressAtStart(file: FlowFile, start: ProcessStart, now: number) {
  const booking = wholeAmong(bookingInvokesIn(file));
  if (!booking) return undefined;
  const state = begunBooking(booking.terms, [], { id: booking.id, count: 1, start, now });
  return { flow: file.name, ...wholeProgress(booking.id, new BookingSnapshots().of(state), []) };
}
