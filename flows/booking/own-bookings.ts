// The bookings of a flow file (`src: book`), and those of one of its processes.

import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { InlineActorView } from '../../engine/definition/views.ts';
import { type FlowFile, invokesIn, type Json, mapOf, onceForEach } from '../language/flow-file.ts';
import { eachOf } from '../language/machine/each-data.ts';
import { eachIn } from '../language/machine/waits.ts';
import { BOOK, type BookingState, type BookingTerms } from './booking-state.ts';
import { reportIn } from './messages.ts';

/** A booking of a process. */
export interface OwnBooking {
  readonly id: string;
  readonly state: BookingState;
  readonly isEnded: boolean;
}

export const bookingsIn = (actors: readonly InlineActorView[] = []): OwnBooking[] =>
  actors.flatMap(({ id, name, state, isEnded = false }) =>
    name === BOOK ? [{ id, state: state as BookingState, isEnded }] : [],
  );

/** The `each` whose item a booking is for, by the id that it has now; its items keep theirs. Undefined: it is for none. */
export const eachOfItem = (id: string, actors: readonly InlineActorView[]): string | undefined =>
  eachIn({ actors }).find(({ state }) => state.open.some((index) => id === `${state.id}.${index}`))?.id;

export interface BookingInvoke {
  readonly id: string;
  readonly terms: BookingTerms;
  /** As the file has them: with expressions. */
  readonly deadlines: Json | undefined;
}

/** Where the file books; of an `each`, what each of its items books. */
export const bookingInvokesIn = onceForEach((file: FlowFile): readonly BookingInvoke[] =>
  invokesIn(file).flatMap(({ id, invoke }) => {
    const { src, input } = eachOf(invoke)?.do ?? invoke;
    if (src !== BOOK) return [];
    return [{ id, terms: input as unknown as BookingTerms, deadlines: mapOf(input).deadlines }];
  }),
);

/** The booking that is the whole process, if one is: input, result and answers of the process are its own. */
export const wholeAmong = (invokes: readonly BookingInvoke[]): BookingInvoke | undefined =>
  invokes.find(({ terms }) => terms.isWhole === true);

/** A process may book again when its booking has ended: what it says is what the latest says. */
export const latestWholeAmong = (bookings: readonly OwnBooking[]): OwnBooking | undefined =>
  bookings.findLast(({ state }) => state.terms.isWhole === true);

/** Among all that came after the end. Each was read when it came, and says when that was. */
export const reportsIn = (late: readonly unknown[]): ShipmentReport[] =>
  late.flatMap((one) => reportIn(one, null) ?? []);
