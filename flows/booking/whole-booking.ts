// A booking that is the whole of its process, as in the built-in flows: what it says is what the process says, together with what
// the process of a copy does beside it, or after it.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Ending } from '../../engine/definition/closing.ts';
import type { Definition, ProcessStart } from '../../engine/definition/definition.ts';
import type { ProcessViews } from '../../engine/definition/views.ts';
import { type FlowFile, invokesIn, onceForEach, statesIn } from '../language/flow-file.ts';
import { type BookingSnapshot, BookingSnapshots, begunBooking } from './booking-state.ts';
import { details } from './details.ts';
import { endNotifications } from './notification-request.ts';
import {
  bookingInvokesIn,
  bookingsIn,
  latestWholeAmong,
  type OwnBooking,
  reportsIn,
  wholeAmong,
} from './own-bookings.ts';
import { bookingAttributes, bookingProgress } from './progress.ts';
import { ending } from './settlement.ts';
import { withSeveralBookings } from './several-bookings.ts';

export function withWholeBooking(given: Definition, file: FlowFile, snapshots: BookingSnapshots): Definition {
  // Whether it has ended with its result.
  const isDone = ({ state }: OwnBooking) =>
    state.place === 'ended' && ending(snapshots.declaredIn(state), state.known).kind === 'result';
  const several = withSeveralBookings(given, bookingInvokesIn(file), snapshots).views;
  const isAlone = (bookings: readonly OwnBooking[]) => bookings.length <= 1 && !doesMore(file);
  const views: Partial<ProcessViews> = {
    progress: (snapshot, late, pending, query) => {
      const bookings = bookingsIn(pending?.actors);
      const booking = latestWholeAmong(bookings);
      const base = isAlone(bookings) ? given.views : several;
      const own = base.progress(snapshot, late, pending, query) as ProcessProgress;
      if (!booking) return own;
      const whole = wholeProgress(booking.id, snapshots.of(booking.state), late);
      if (!isAlone(bookings)) {
        const { phase, waitingFor, halted } = own;
        const { activity } = halted || booking.isEnded ? own : whole;
        const all = own.bookings.map((each) => whole.bookings.find(({ id }) => id === each.id) ?? each);
        return { ...own, ...whole, phase, waitingFor, activity, bookings: all };
      }
      const decisions = own.waitingFor.filter(({ kind }) => kind === 'decision');
      return {
        ...own,
        ...whole,
        waitingFor: [...decisions, ...whole.waitingFor],
        ...(own.halted && { phase: 'NeedsPerson', activity: 'NeedsPerson' }),
      };
    },
    details: (snapshot, pending) => {
      const bookings = bookingsIn(pending?.actors);
      if (!isAlone(bookings)) return several.details(snapshot, pending);
      const [booking] = pending?.halted ? [] : bookings;
      return booking ? details(snapshots.of(booking.state)) : given.views.details(snapshot, pending);
    },
    searchAttributes: (snapshot, pending) => {
      const bookings = bookingsIn(pending?.actors);
      if (!isAlone(bookings)) return several.searchAttributes(snapshot, pending);
      const [booking] = pending?.halted ? [] : bookings;
      return booking
        ? bookingAttributes(snapshots.of(booking.state))
        : given.views.searchAttributes(snapshot, pending);
    },
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
      atEnd: endNotifications,
    },
    // A cancellation that comes when all is done leaves the result.
    ending: (snapshot, isCancelled, actors) => {
      const booking = latestWholeAmong(bookingsIn(actors));
      return given.ending?.(snapshot, isCancelled && !(booking && isDone(booking)), actors) as Ending;
    },
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
