// Reads what a process answers when it is asked for its progress: where it stands, its shipments, and the flows that book for it,
// itself or those that it has started.
import type { BookingProgress, FollowedLeg } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { isReturnOfSwap } from '../../flows/built-in/flows.ts';
import { t } from '../../shared/texts/text.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { formatName, formatRole, legOf } from './format-names.ts';
import type { Names } from './readable.ts';

/** Asks it. */
export const progressOf = (
  temporal: TemporalContext,
  key: string,
  withinMs?: number,
): Promise<ProcessProgress> => temporal.flows.fileHandle(key).progress(withinMs);

/** The booking that is the whole process, as of a built-in flow. */
export const wholeBooking = ({ bookings }: Pick<ProcessProgress, 'bookings'>): BookingProgress | undefined =>
  bookings.find(({ isWhole }) => isWhole);

export interface BookedShipment {
  readonly booking: BookingProgress;
  /** Null: it is not known. */
  readonly role: Role | null;
  /** Those that it may have. */
  readonly possibleRoles: readonly Role[];
  readonly shipment: Omit<FollowedLeg, 'done'>;
  readonly isDone: boolean;
  /** For people; with the booking, where the process has several. */
  readonly name: string;
}

type Bookings = Pick<ProcessProgress, 'bookings'>;

/** The shipments of all bookings. */
export const shipmentsIn = ({ bookings }: Bookings): BookedShipment[] =>
  bookings.flatMap((booking) => {
    const legs = Object.entries(booking.shipments) as [Role, FollowedLeg][];
    const nameOf = (role: Role | null) => nameOfLeg({ bookings }, booking, role);
    return [
      ...legs.map(([role, { done: isDone, ...shipment }]) => ({
        booking,
        role,
        possibleRoles: [role],
        shipment,
        isDone,
        name: nameOf(role),
      })),
      ...booking.unassigned.map(({ possibleRoles, ...shipment }) => ({
        booking,
        role: null,
        possibleRoles,
        shipment,
        isDone: false,
        name: nameOf(null),
      })),
    ];
  });

/** Those whose roles are known. */
export const legsIn = (progress: Bookings) =>
  shipmentsIn(progress).flatMap(({ role, ...leg }) => (role === null ? [] : [{ ...leg, role }]));

/** What is read where a process has not answered. */
export const NO_BOOKINGS: Bookings = { bookings: [] };

/** What its shipments are called in a sentence. */
export const namesIn = (progress: Bookings): Names =>
  new Map(
    legsIn(progress).map(({ booking, role, shipment }) => {
      const leg = legOf(role);
      const isOfSeveral = progress.bookings.length > 1;
      return [shipment.shipmentUid, isOfSeveral ? t`${leg} of “${formatName(booking.id)}”` : leg];
    }),
  );

/** `Return`, and where the process has several bookings `Loan, return`. */
export function nameOfLeg(
  { bookings }: Bookings,
  { id }: Pick<BookingProgress, 'id'>,
  role: Role | null,
): string {
  const name = role === null ? t`Shipment` : formatRole(role);
  return bookings.length > 1 ? `${formatName(id)}, ${name.toLowerCase()}` : name;
}

/** What is awaited for the booking. */
export const waitsOf = (
  { waitingFor }: Pick<ProcessProgress, 'waitingFor'>,
  { id, isWhole }: Pick<BookingProgress, 'id' | 'isWhole'>,
): ProcessProgress['waitingFor'] =>
  waitingFor.filter(({ booking }) => (booking === undefined ? isWhole : booking === id));

/** The states in which it is, as paths: a nested state as `lent.waiting`, several at once with commas. */
export const formatStatePaths = (state: unknown): string => pathsOf(state).join(', ');

/** In xstate's form it is a text, or a map by the states around. */
function pathsOf(state: unknown): string[] {
  if (typeof state !== 'object' || state === null) return [String(state)];
  return Object.entries(state).flatMap(([around, within]) => {
    const inner = pathsOf(within);
    return inner.length === 0 ? [around] : inner.map((path) => `${around}.${path}`);
  });
}

/** The item of a wait is another one than the one that was taken out before it. */
export const waitsForReturnOfSwap = (
  { bookings }: Bookings,
  { role, booking: of }: Pick<ProcessProgress['waitingFor'][number], 'role' | 'booking'>,
): boolean =>
  bookings.some(
    ({ id, isWhole, operation }) =>
      (of === undefined ? isWhole : of === id) && isReturnOfSwap(operation, role ?? null),
  );

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Two units: an operator does not need the third. */
export function span(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= DAY_MS) return `${Math.floor(left / DAY_MS)} d ${Math.floor((left % DAY_MS) / HOUR_MS)} h`;
  if (left >= HOUR_MS)
    return t`${Math.floor(left / HOUR_MS)} h ${Math.floor((left % HOUR_MS) / MINUTE_MS)} min`;
  if (left >= MINUTE_MS)
    return t`${Math.floor(left / MINUTE_MS)} min ${Math.floor((left % MINUTE_MS) / SECOND_MS)} s`;
  return `${Math.floor(left / SECOND_MS)} s`;
}

interface BookingFlow {
  readonly key: string;
  readonly progress: ProcessProgress;
}

/** Itself, if it books, and the open ones that it has begun; none for a process that has begun no such flow. */
export const bookingFlows = async (temporal: TemporalContext, key: string): Promise<BookingFlow[]> =>
  await bookingFlowsOf(temporal, key, await progressOf(temporal, key));

/** For a process that has answered already. */
export async function bookingFlowsOf(
  temporal: TemporalContext,
  key: string,
  progress: ProcessProgress,
): Promise<BookingFlow[]> {
  const own = progress.bookings.length > 0 ? [{ key, progress }] : [];
  const keys = progress.children.flatMap((child) => child.key ?? []);
  const begun = await Promise.all(keys.map((child) => bookingFlows(temporal, child)));
  return [...own, ...begun.flat()];
}
