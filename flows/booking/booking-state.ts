// The state of a booking (`src: book`) as plain data: what is booked, what is known of its shipments, and how far it has come.
import type { FlowInput, Role } from '../../contract/flows/flow-input.ts';
import type { ProcessStart } from '../../engine/definition/definition.ts';
import type { InvokeContext } from '../../engine/inline-actor.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../built-in/declaration.ts';
import { declarationThatBooks } from '../built-in/flows.ts';
import type { CalendarDeadlines } from '../language/machine/book-input.ts';
import type { Calendars } from '../language/machine/machine-runtime.ts';
import { type FlowContext, nothingKnown } from './known.ts';
import { type FlowView, type Place, viewOf } from './view.ts';

export const BOOK = 'book';

/** What makes its declaration. */
export interface BookingTerms {
  readonly operation: Declaration['operation'];
  /** What is otherwise than the operation has it. */
  readonly legs?: Readonly<Partial<Record<Role, Partial<Leg>>>>;
  readonly personAssignsLegs?: true;
  /** It is the whole of its process, and takes the input of that: parent and outside hear of it as of the process itself. */
  readonly isWhole?: true;
}

/** The input of `src: book`, evaluated. */
export interface BookingInput extends BookingTerms, FlowInput {
  readonly byCalendar?: CalendarDeadlines;
}

export interface BookingState {
  readonly terms: BookingTerms;
  /**
   * Which one of its process it is, as it began; absent: the whole of it, and the first. The id of its invoke changes when its state
   * is left and by a migration: with that, a booking in doubt would be made twice.
   */
  readonly name?: string;
  /** The events that its file listens for, without its id. */
  readonly subscriptions: readonly string[];
  readonly place: Place;
  /** While undoing: when it looks again. Milliseconds since 1970. */
  readonly lookAt?: number;
  readonly known: FlowContext;
}

export function begunBooking(
  input: BookingTerms & Partial<BookingInput>,
  subscriptions: readonly string[],
  { id, count, start, now }: Pick<InvokeContext, 'id' | 'count' | 'start' | 'now'>,
): BookingState {
  const { operation: _, legs: __, personAssignsLegs: ___, isWhole, byCalendar, ...own } = input;
  const given = isWhole ? start.input : { ...withoutNulls(own), ...clockOf(start) };
  const nothing = nothingKnown({ ...start, input: given as FlowInput }, now);
  const known = byCalendar ? { ...nothing, byCalendar } : nothing;
  const isFirst = count === 1;
  const name = isFirst ? id : `${id}/${count}`;
  const isNamed = !(isWhole && isFirst);
  return { terms: termsIn(input), ...(isNamed && { name }), subscriptions, place: 'booking', known };
}

/** Its time is that of its process: whoever carries out its calls must know it. */
const clockOf = ({ input }: ProcessStart): Pick<FlowInput, 'clock'> => {
  const { clock } = (input ?? {}) as FlowInput;
  return clock ? { clock } : {};
};

/** An expression gives null where the caller has given nothing. */
const withoutNulls = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

function termsIn({ operation, legs, personAssignsLegs, isWhole }: BookingTerms): BookingTerms {
  return {
    operation,
    ...(legs && { legs }),
    ...(personAssignsLegs && { personAssignsLegs }),
    ...(isWhole && { isWhole }),
  };
}

/** By its terms those of the operation, with what the file says otherwise. */
export function declarationOf({ operation, legs = {}, personAssignsLegs }: BookingTerms, name: string) {
  const base = declarationThatBooks(operation);
  if (!base) throw new TypeError(`${operation} books nothing that can be followed`);
  const own = rolesOf(base).map((role) => [role, { ...legOf(base, role), ...legs[role] }]);
  return {
    ...base,
    name,
    legs: Object.fromEntries(own),
    ...(personAssignsLegs && { personAssignsLegs }),
  } satisfies Declaration as Declaration;
}

/** What another version of its file has for a booking. */
interface NextTerms {
  readonly version: number;
  readonly terms: BookingTerms;
  readonly subscriptions: readonly string[];
  readonly calendars: Calendars;
}

export function withTerms(
  { known, ...state }: BookingState,
  { version, terms, subscriptions, calendars }: NextTerms,
): BookingState {
  const { byCalendar, start } = known;
  return {
    ...state,
    terms: termsIn(terms),
    subscriptions,
    known: {
      ...known,
      start: { ...start, version },
      ...(byCalendar && {
        byCalendar: { ...byCalendar, calendars: renewed(byCalendar.calendars, calendars) },
      }),
    },
  };
}

/** A calendar that the other version does not have stays as it was. */
const renewed = (own: Calendars, all: Calendars): Calendars =>
  Object.fromEntries(Object.entries(own).map(([name, calendar]) => [name, all[name] ?? calendar]));

/** A booking as its rules read it. */
export interface BookingSnapshot {
  readonly isWhole: boolean;
  readonly flow: Declaration;
  readonly view: FlowView;
}

/** Computes each once for each state. */
export class BookingSnapshots {
  readonly #snapshots = new WeakMap<BookingState, BookingSnapshot>();
  readonly #declared = new WeakMap<BookingTerms, Declaration>();

  of(state: BookingState): BookingSnapshot {
    const known = this.#snapshots.get(state);
    if (known) return known;
    const flow = this.declaredIn(state);
    const isWhole = state.terms.isWhole === true;
    const snapshot = { isWhole, flow, view: viewOf(flow, state.known, state.place) };
    this.#snapshots.set(state, snapshot);
    return snapshot;
  }

  declaredIn({ terms, known }: BookingState): Declaration {
    const flow = this.#declared.get(terms) ?? declarationOf(terms, known.start.flow);
    this.#declared.set(terms, flow);
    return flow;
  }
}
