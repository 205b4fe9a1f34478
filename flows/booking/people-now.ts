// Whom a process is about now that books for one person after the other. Whoever it is about no more is found by it still.
import {
  itemsAndKeysIn,
  peopleIn,
  peopleOfRequest,
  subjectOfFormerPerson,
  subjectOfPerson,
} from '../language/subjects.ts';
import { lockerWaitEndOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import { outcome } from './settlement.ts';

interface BookingFor {
  readonly id: string;
  readonly isEnded: boolean;
  readonly snapshot: BookingSnapshot;
}

/**
 * First the people of the bookings that run or wait for a locker, the newest first, then whom the file marks, unless their bookings are
 * over. If there are none: whom the file marks, or else who has got what was booked last.
 *
 * @param subjects all, in their order
 * @param marked the people whom the input of the file marks
 * @param bookings in the order in which they began
 */
export function withPeopleNow(
  subjects: readonly string[],
  marked: readonly string[],
  bookings: readonly BookingFor[],
): string[] {
  const newest = bookings.toReversed();
  const open = newest.filter(({ isEnded }) => !isEnded).flatMap(peopleOf);
  const over = newest.filter(({ isEnded }) => isEnded);
  const isOver = new Set(over.flatMap(peopleOf));
  const first = [...new Set([...open, ...marked.filter((each) => !isOver.has(each))])];
  const now = new Set([first, marked, gotLast(over)].find((each) => each.length > 0));
  const former = [...isOver, ...peopleIn(subjects)].filter((each) => !now.has(each));
  return [
    ...new Set([
      ...[...now].map(subjectOfPerson),
      ...itemsAndKeysIn(subjects),
      // The beginning of a long list alone is set: nobody is in it without the mark.
      ...former.flatMap((each) => [subjectOfFormerPerson(each), subjectOfPerson(each)]),
    ]),
  ];
}

/** Of an `each`, all of its items. */
function gotLast(over: readonly BookingFor[]): string[] {
  const booked = over.filter(({ snapshot }) => snapshot.view.known.booking !== null);
  const [last] = booked;
  return booked.filter(({ id }) => last && invokeOf(id) === invokeOf(last.id)).flatMap(peopleOfDone);
}

/** An item of an `each` has the id of that, and its number. */
const invokeOf = (id: string): string => id.split('.')[0] ?? id;

const peopleOfDone = (booking: BookingFor): string[] => {
  const { flow, view } = booking.snapshot;
  return view.known.failure === null && outcome(flow, view.known) === 'Done' ? peopleOf(booking) : [];
};

/** The receiver first. One that is booked at once is not worth an event of its own before it is known. */
function peopleOf({ snapshot: { view } }: BookingFor): string[] {
  const { known, place } = view;
  const isWaiting = place === 'bookingUnknown' || (place === 'booking' && lockerWaitEndOf(known) !== null);
  if (!known.booking && !isWaiting) return [];
  return [...new Set([...(known.booking?.userUids ?? []), ...peopleOfRequest(known.start.input.request)])];
}
