// The service, as far as a story needs it: it books at once, reports what the story says, and undoes what it is asked to undo.
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import type { OperationName } from '../../contract/operations/operations.ts';
import { noReply } from '../../engine/inbox.ts';
import type { Process } from '../../engine/process.ts';
import type { VirtualCall, VirtualHost } from '../../engine/virtual-host.ts';
import type { Booked, BookInput, UndoInput, Undone, UnknownOutcome } from '../booking/activities.ts';
import { bookInput } from '../booking/booking.ts';
import { BOOK, type BookingState, declarationOf } from '../booking/booking-state.ts';
import { beginsAs, nothingKnown } from '../booking/known.ts';
import { bookingsIn, type OwnBooking } from '../booking/own-bookings.ts';
import { instantText } from '../language/duration.ts';
import type { Json, JsonObject } from '../language/flow-file.ts';
import type { Invocation } from '../language/machine/machine-runtime.ts';
import { legsOf, stagesOf, stateCodes } from '../language/reading/walk.ts';
import { NotPlayable, PlayRefused } from './not-playable.ts';

/** Behind the id of a booking: that of the call that books. */
const CALL = '.booking';

/** The operations whose answer names the locker, so that the shipment is not listed: the start of its state is not known. */
const namesItsLocker: readonly OperationName[] = ['CreateLocalShipment', 'CreateCollectOnlyShipment'];

/** One that the request names is called so. */
const lockerOf = (id: string, { pupUid, lockerUid }: Readonly<Record<string, unknown>> = {}) => ({
  pupUid: typeof pupUid === 'string' ? pupUid : `${id}-pickUpPoint`,
  lockerName: typeof lockerUid === 'string' ? lockerUid : `${id}-locker`,
});

/** What an event of a leg says, as `issue.Completed`, of a flow that the process has started; none: it is no event of a leg. */
export function legEventFields(id: string, event: string, now: number): JsonObject {
  const [role, stateCode = ''] = event.split('.');
  if (!stateCodes.includes(stateCode)) return {};
  const at = { stateStart: instantText(now), until: null };
  return { shipmentUid: `${id}-${role}`, stateCode, ...at, ...lockerOf(id) };
}

/** What a person decides about a booking in doubt. */
export type DoubtDecision = Extract<Resolve['action'], 'retry' | 'adopt' | 'giveUp'>;

/** What a server's answer or a failure says beside code and message. */
export interface SaidBeside {
  readonly status?: Json;
  readonly detail?: Json;
}

interface Refusal extends SaidBeside {
  readonly code: string;
  readonly message: string;
}

/** As a worker gives them (activities/failures.ts): an expression may read each of these. */
const detailsOf = ({ code, message, status = null, detail = null }: Refusal, { operation }: BookInput) =>
  code === 'OutcomeUnknown'
    ? ({ why: message, candidates: [] } satisfies UnknownOutcome)
    : {
        operation,
        code,
        httpStatus: status,
        mayHaveReachedService: 'yes',
        requestId: null,
        evidence: detail,
      };

interface NamedDeadline {
  readonly booking: string;
  readonly role: string;
  readonly stage: string;
}

const inDoubt = (id: string): string =>
  `${id} is in doubt: nobody knows whether it was booked; expected a person's decision: retry: ${id} (it books again), adopt: ${id} (its shipments are found) or giveUp: ${id}`;

export class PlayedBookings {
  readonly #process: Process;
  readonly #host: VirtualHost;

  constructor(process: Process, host: VirtualHost) {
    this.#process = process;
    this.#host = host;
  }

  /** The ids of those that run. */
  get ids(): readonly string[] {
    return this.#running.map(({ id }) => id);
  }

  /** As a file invokes them. */
  get invocations(): readonly Invocation[] {
    return this.#running.map(({ id, state: { terms, subscriptions, known } }) => {
      const input = { ...terms, ...known.start.input } as unknown as JsonObject;
      return { id, src: BOOK, input, subscriptions };
    });
  }

  has(id: string): boolean {
    return this.ids.includes(id);
  }

  /** Whose event it is; undefined: no booking's. */
  ownerOf(event: string): string | undefined {
    return this.ids.find((id) => event.startsWith(`${id}.`));
  }

  /** Which can be moved, by their names: `loan.issue.pickUp`. */
  get deadlines(): ReadonlyMap<string, NamedDeadline> {
    return new Map(
      this.#running.flatMap(({ id: booking, state }) => {
        const { operation } = state.terms;
        return legsOf(operation).flatMap((role) =>
          stagesOf(operation, role).map(
            (stage) => [`${booking}.${role}.${stage}`, { booking, role, stage }] as const,
          ),
        );
      }),
    );
  }

  /** The call that books, if it is under way. */
  callOf(id: string): VirtualCall | undefined {
    return this.#host.calls.find((call) => call.id === `${id}${CALL}`);
  }

  /** What is to be booked is booked: each leg gets a shipment of its name. */
  book(isMeant = (_id: string) => true): void {
    for (const call of this.#host.calls.filter(({ type }) => type === BOOK)) {
      const id = call.id.slice(0, -CALL.length);
      if (isMeant(id)) call.done(this.#answerTo(id, call.input as BookInput));
    }
    this.#process.drain();
  }

  /** The booking that is under way is refused, or its outcome is unknown. False: nothing is being booked. */
  refuse(id: string, refusal: Refusal): boolean {
    const call = this.callOf(id);
    const { code, message } = refusal;
    const details = call ? [detailsOf(refusal, call.input as BookInput)] : [];
    // As the failure of an activity comes.
    const cause = Object.assign(new Error(message), { name: 'ApplicationFailure', type: code, details });
    call?.failed({ name: 'ActivityFailure', cause });
    return call !== undefined;
  }

  /** Each of its legs completes. */
  done(id: string): void {
    for (const role of legsOf(this.#followed(id).terms.operation))
      if (this.has(id)) this.report(id, `${role}.Completed`, null);
  }

  /** Its shipment of a leg is in this state now, `issue.Completed`. */
  report(id: string, event: string, data: Json): void {
    const [role, stateCode = ''] = event.split('.');
    const { terms, known } = this.#followed(id);
    const shipment = known.shipments.find((each) => each.role === role);
    if (!shipment || !stateCodes.includes(stateCode)) {
      const legs = legsOf(terms.operation);
      const expected = legs.includes(role ?? '')
        ? `a state of it, one of ${stateCodes.join(', ')}`
        : `a leg, one of ${legs.join(', ')}, and its state`;
      throw new NotPlayable(
        `${id}.${event} is no report of the booking ${id}; expected ${expected}; its other events come by themselves`,
      );
    }
    this.#signal({ ...(data as JsonObject | null), shipmentUid: shipment.shipmentUid, stateCode });
  }

  /** A person decides. What is adopted are the shipments that it would have had. */
  resolve(id: string, action: DoubtDecision, by: string): void {
    const state = this.#stateOf(id);
    if (!state)
      throw new NotPlayable(`no booking runs as ${id}; expected ${this.ids.join(' or ') || 'one that runs'}`);
    if (state.place !== 'bookingUnknown')
      throw new NotPlayable(
        `${action} is possible for a booking in doubt, and ${id} is booked; let it be in doubt right after the step that books, by fails: ${id} with the error OutcomeUnknown`,
      );
    const decided = { booking: id, action, by, why: 'a story says so' };
    const given = action === 'adopt' ? { ...decided, shipments: this.#wouldHave(id, state) } : decided;
    const refusal = this.#process.updateRefusal('resolve', given);
    if (refusal) throw new PlayRefused(refusal);
    this.#process.update('resolve', given, 'played', noReply);
  }

  /** Why it cannot be refused, or otherwise answered; undefined: it is no booking that runs. */
  problemOf(id: string): string | undefined {
    const state = this.#stateOf(id);
    if (!state) return undefined;
    return state.place === 'bookingUnknown'
      ? inDoubt(id)
      : `${id} is booked already: whatever a step books is booked before the next step, and it fails only right after the step that books; expected a report of a leg, or done: ${id}`;
  }

  #followed(id: string): BookingState {
    const state = this.#stateOf(id);
    if (!state || state.place === 'bookingUnknown') throw new NotPlayable(inDoubt(id));
    return state;
  }

  #stateOf(id: string): BookingState | undefined {
    return this.#running.find((each) => each.id === id)?.state;
  }

  #wouldHave(id: string, { terms, known, name }: BookingState): JsonObject {
    const input = bookInput(declarationOf(terms, known.start.flow), known, name);
    const { shipments } = this.#answerTo(id, input);
    return Object.fromEntries(shipments.map(({ role, shipmentUid }) => [role, shipmentUid]));
  }

  /** What is asked to be undone is cancelled, and reported as such. One whose state is left while it books is undone after that. */
  undo(): void {
    this.book((id) => !this.has(id));
    for (let call = this.#undoing; call; call = this.#undoing) {
      const { shipments } = call.input as UndoInput;
      const undone: Undone = {
        shipments: shipments.map(({ shipmentUid }) => ({
          shipmentUid,
          undone: 'Cancelled',
          stateCode: null,
          error: null,
        })),
      };
      call.done(undone);
      this.#process.drain();
      for (const { shipmentUid } of shipments) this.#signal({ shipmentUid, stateCode: 'Cancelled' });
    }
  }

  get #undoing(): VirtualCall | undefined {
    return this.#host.calls.find(({ type }) => type === 'undo');
  }

  get #running(): OwnBooking[] {
    return bookingsIn(this.#process.pending.actors).filter(({ isEnded }) => !isEnded);
  }

  /** As the service lists it. Only of stock that exists, a story says where it is. */
  #answerTo(id: string, { flow, operation, legs, input }: BookInput): Booked {
    const request = (input.request ?? {}) as Readonly<Record<string, unknown>>;
    const declared = declarationOf({ operation }, flow);
    const known = nothingKnown({ ...this.#process.start, input }, this.#host.now());
    const locker = lockerOf(id, request);
    return {
      shipments: legs.map(({ role, isPrior }) => {
        const isListed = !isPrior && !namesItsLocker.includes(operation);
        return {
          shipmentUid: isPrior ? String(request.priorShipmentUid) : `${id}-${role}`,
          role,
          stateCode: isListed ? beginsAs(declared, known, role) : null,
          stateStart: isListed ? this.#now : null,
          ...locker,
        };
      }),
      answeredAt: this.#now,
      caseNo: this.#process.start.workflowId,
      pupUid: locker.pupUid,
      references: [],
    };
  }

  #signal(report: JsonObject): void {
    this.#process.signal('shipmentStatus', { stateStart: this.#now, ...report });
    this.#process.drain();
  }

  get #now(): string {
    return instantText(this.#host.now());
  }
}
