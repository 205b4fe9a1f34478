// Bookings that a process has beside all else that it does: what people see of them, together with what they see of the process.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { notPossible } from '../../engine/commands.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { PendingWork, ProcessViews, SearchAttributes } from '../../engine/definition/views.ts';
import { peopleIn } from '../language/subjects.ts';
import type { BookingSnapshots } from './booking-state.ts';
import { details } from './details.ts';
import { itemsStillLeft } from './items-left.ts';
import { type FlowContext, shipmentOf } from './known.ts';
import { payloadFields } from './messages.ts';
import { type BookingInvoke, bookingsIn, reportsIn } from './own-bookings.ts';
import { withPeopleNow } from './people-now.ts';
import { bookingAttributes, bookingProgress } from './progress.ts';

export function withSeveralBookings(
  given: Definition,
  invokes: readonly BookingInvoke[],
  snapshots: BookingSnapshots,
): Definition {
  const views: Partial<ProcessViews> = {
    progress: (snapshot, late, pending, query) => {
      const own = given.views.progress(
        snapshot,
        late,
        pending && besideBookings(pending),
        query,
      ) as ProcessProgress;
      const all = bookingsIn(pending?.actors).map(({ id, state }) => ({ id, snapshot: snapshots.of(state) }));
      const waits = all.flatMap(({ id, snapshot: { view } }) =>
        view.waitingFor.map((each) => ({ ...each, booking: id })),
      );
      const isOpen = pending?.isOpen ?? own.phase !== null;
      const urgent = urgentAmong([own.phase, ...all.map(({ snapshot: { view } }) => view.phase)]);
      const reports = reportsIn(late);
      const left = itemsStillLeft(all.map(({ snapshot: of }) => of));
      return {
        ...own,
        ...(isOpen && {
          phase: urgent ?? 'Open',
          // A process whose chart has ended is open for what its bookings still undo.
          ...(own.activity === 'Ended' && { activity: urgent === 'NeedsPerson' ? urgent : 'Undoing' }),
        }),
        waitingFor: [...own.waitingFor, ...waits].sort((one, other) => rankOf(one) - rankOf(other)),
        bookings: all.map(({ id, snapshot: of }, index) => ({
          ...bookingProgress({ id, isWhole: false }, of, reports.filter(isOf(of.view.known))),
          itemsLeft: left[index] ?? [],
        })),
      };
    },
    details: (snapshot, pending) =>
      [
        given.views.details(snapshot, pending && besideBookings(pending)),
        ...bookingsIn(pending?.actors).map(({ state }) => details(snapshots.of(state))),
      ].join('\n\n'),
    searchAttributes: (snapshot, pending) => {
      const own = given.views.searchAttributes(snapshot, pending) ?? {};
      const bookings = bookingsIn(pending?.actors).map(({ id, state, isEnded }) => ({
        id,
        isEnded,
        snapshot: snapshots.of(state),
      }));
      const found = bookings.flatMap(({ snapshot: of, isEnded }) => {
        const attributes = bookingAttributes(of);
        return attributes ? [{ attributes, isEnded }] : [];
      });
      const all = joined(own, found);
      const marked = peopleIn(subjectsIn(own));
      const subjects = withPeopleNow(subjectsIn(all), marked, bookings);
      return { ...all, ...(subjects.length > 0 && { LockerSubjects: subjects }) };
    },
  };
  return {
    ...given,
    views: { ...given.views, ...views },
    extension: {
      ...given.extension,
      of: (payload, open) => {
        const { timer, role, booking } = payloadFields(payload);
        if (timer !== undefined || role === undefined || invokes.length === 0)
          return given.extension?.of(payload, open) ?? notPossible('timer is missing');
        const ids = invokes.map(({ id }) => id);
        const which = booking === undefined ? 'no booking runs' : `booking is ${JSON.stringify(booking)}`;
        return notPossible(`${which}, expected one that runs, of ${ids.join(', ')}`);
      },
    },
  };
}

/** What a booking waits for in time and by calls it says itself, in its own words. */
function besideBookings(pending: PendingWork): PendingWork {
  const ids = new Set(bookingsIn(pending.actors).map(({ id }) => id));
  const isBeside = ({ of }: { readonly of?: string }) => of === undefined || !ids.has(of);
  return { ...pending, timers: pending.timers.filter(isBeside), calls: pending.calls.filter(isBeside) };
}

interface BookingAttributes {
  readonly attributes: SearchAttributes;
  readonly isEnded: boolean;
}

const bookedAt = ({ attributes: { LockerBookedAt } }: BookingAttributes) => Number(LockerBookedAt ?? 0);

/** The open bookings first, the newest before the oldest: only the beginning of a long list is set. */
const inOrder = (found: readonly BookingAttributes[]): readonly BookingAttributes[] =>
  found.toSorted(
    (one, other) => Number(one.isEnded) - Number(other.isEnded) || bookedAt(other) - bookedAt(one),
  );

/** All shipments, the most urgent phase, and the other attributes of whichever was booked last. */
function joined(own: SearchAttributes, found: readonly BookingAttributes[]): SearchAttributes {
  const all = [own, ...inOrder(found).map(({ attributes }) => attributes)];
  const uids = [...new Set(all.flatMap(({ LockerShipmentUids: each = [] }) => each as readonly string[]))];
  const subjects = [...new Set(all.flatMap(subjectsIn))];
  const phase = urgentAmong(all.map(({ LockerPhase }) => LockerPhase));
  const byAge = found.toSorted((one, other) => bookedAt(one) - bookedAt(other));
  return {
    ...Object.assign({}, ...byAge.map(({ attributes }) => attributes)),
    ...own,
    ...(uids.length > 0 && { LockerShipmentUids: uids }),
    ...(subjects.length > 0 && { LockerSubjects: subjects }),
    ...(phase !== undefined && { LockerPhase: phase }),
  };
}

const subjectsIn = ({ LockerSubjects = [] }: SearchAttributes) => LockerSubjects as readonly string[];

const urgentAmong = (phases: readonly unknown[]) =>
  (['NeedsPerson', 'Overdue'] as const).find((each) => phases.includes(each));

const isOf =
  (known: FlowContext) =>
  ({ shipmentUid }: ShipmentReport): boolean =>
    shipmentOf(known, shipmentUid) !== undefined;

/** An event may come or not: what has to be done stands before it. */
const rankOf = ({ kind }: WaitingFor): number => ranks[kind] ?? 1;
const ranks: Partial<Record<WaitingFor['kind'], number>> = { decision: 0, event: 2 };
