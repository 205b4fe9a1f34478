// The service, as far as a story needs it: it books at once, reports what the story says, and undoes what it is asked to undo.
import type { OperationName } from '../../contract/operations/operations.ts';
import type { Process } from '../../engine/process.ts';
import type { VirtualCall, VirtualHost } from '../../engine/virtual-host.ts';
import type { Booked, BookInput, UndoInput, Undone } from '../booking/activities.ts';
import { BOOK, declarationOf } from '../booking/booking-state.ts';
import type { Failure } from '../booking/failure.ts';
import { beginsAs, nothingKnown } from '../booking/known.ts';
import { bookingsIn, type OwnBooking } from '../booking/own-bookings.ts';
import { instantText } from '../language/duration.ts';
import type { Json, JsonObject } from '../language/flow-file.ts';
import type { Invocation } from '../language/machine/machine-runtime.ts';
import { legsOf, stagesOf, stateCodes } from '../language/reading/walk.ts';

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

interface NamedDeadline {
  readonly booking: string;
  readonly role: string;
  readonly stage: string;
}

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
  refuse(id: string, { code, message, details }: Failure): boolean {
    const call = this.callOf(id);
    // As the failure of an activity comes.
    const cause = Object.assign(new Error(message), { name: 'ApplicationFailure', type: code, details });
    call?.failed({ name: 'ActivityFailure', cause });
    return call !== undefined;
  }

  /** Each of its legs completes. */
  done(id: string): void {
    const state = this.#running.find((each) => each.id === id)?.state;
    for (const role of legsOf(state?.terms.operation))
      if (this.has(id)) this.report(id, `${role}.Completed`, null);
  }

  /** Its shipment of a leg is in this state now, `issue.Completed`. False: there is no such leg, or no such state. */
  report(id: string, event: string, data: Json): boolean {
    const [role, stateCode = ''] = event.split('.');
    const known = this.#running.find((each) => each.id === id)?.state.known;
    const shipment = known?.shipments.find((each) => each.role === role);
    if (!shipment || !stateCodes.includes(stateCode)) return false;
    this.#signal({ ...(data as JsonObject | null), shipmentUid: shipment.shipmentUid, stateCode });
    return true;
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
