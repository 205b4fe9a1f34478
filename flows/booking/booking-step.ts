// One event of a booking, and all that follows from it.
import type { EventObject } from 'xstate';
import type { MovedDeadline } from '../../contract/flows/flow-messages.ts';
import { CANCEL_CALL } from '../../engine/actor-kinds.ts';
import type { Ending } from '../../engine/definition/closing.ts';
import type { MessageEvent } from '../../engine/definition/message-rules.ts';
import type { Emitted } from '../../engine/definition/outgoing-rules.ts';
import {
  ACTOR_MIGRATED,
  ACTOR_TIMER,
  type ActorTimerEvent,
  type InvokeContext,
  type StepResult,
} from '../../engine/inline-actor.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { Booked, Undone } from './activities.ts';
import { bookInput, givenUp, isCancelled, isTimeOut, withBooking, withUnknownBooking } from './booking.ts';
import { bookingEvents } from './booking-events.ts';
import type { BookingSnapshots, BookingState } from './booking-state.ts';
import { deadlinesAhead, type Extension, extension, stageOverdue, withExtension } from './deadlines.ts';
import { changeReceiverInput, resolved, withReceiverChange, withUser } from './decisions.ts';
import { failureOf } from './failure.ts';
import { type FlowContext, postponedReports, shipmentOf } from './known.ts';
import { isFinal, legState } from './leg-state.ts';
import { followedIn, payloadFields, reportIn } from './messages.ts';
import { withReminder } from './reminders.ts';
import { followedElsewhere, isIn, observed, reportsForOthers, withPostponed } from './reports.ts';
import { areOthersOver, ending, isSettled } from './settlement.ts';
import { CALLBACKS_OF_UNDOING, legTimer, NEXT_TRY_OF_UNDOING, timersOf } from './timers.ts';
import { isUndone, isUndoneAndReported, nextTryOfUndoing, undoInput, withUndone } from './undoing.ts';
import type { Place } from './view.ts';

/** How often it retries a booking that timed out before a person must decide. */
const BOOKING_ATTEMPTS = 3;
/** Callbacks after undoing show whether an item was in the locker. Later ones are acknowledged as for an ended process. */
const CALLBACKS_OF_UNDOING_MS = 10_000;

interface Completed extends EventObject {
  readonly actorId?: string;
  readonly output?: unknown;
  readonly error?: unknown;
}

export class BookingStep {
  readonly #before: BookingState;
  readonly #invoke: InvokeContext;
  readonly #snapshots: BookingSnapshots;
  readonly #flow: Declaration;
  #place: Place;
  #lookAt: number | undefined;
  #known: FlowContext;
  readonly #calls: { readonly id: string; readonly input: unknown }[] = [];
  readonly #cancelled: string[] = [];
  readonly #emitted: Emitted[] = [];
  readonly #messages: MessageEvent[] = [];
  readonly #again: MessageEvent[] = [];
  #moved: Extension | undefined;

  constructor(before: BookingState, invoke: InvokeContext, snapshots: BookingSnapshots) {
    this.#before = before;
    this.#invoke = invoke;
    this.#snapshots = snapshots;
    this.#flow = snapshots.declaredIn(before);
    this.#place = before.place;
    this.#lookAt = before.lookAt;
    this.#known = before.known;
  }

  begin(): StepResult<BookingState> {
    this.#book();
    return this.#result(null);
  }

  take(event: EventObject): StepResult<BookingState> {
    this.#take(event);
    this.#settle();
    return this.#result(this.#before);
  }

  #take(event: EventObject): void {
    const { actorId, output, error } = event as Completed;
    if (event.type === ACTOR_TIMER) this.#takeTimer((event as ActorTimerEvent).timer);
    else if (event.type === CANCEL_CALL) this.#cancel();
    else if (actorId === undefined) {
      // After a migration only what follows from its new terms.
      if (event.type !== ACTOR_MIGRATED) this.#takeMessage(event as MessageEvent);
    } else this.#takeAnswer(actorId, event.type.startsWith('xstate.done.'), output, error);
  }

  #takeAnswer(callId: string, isDone: boolean, output: unknown, error: unknown): void {
    const call = callId.slice(callId.lastIndexOf('.') + 1) as CallName;
    if (call === 'booking') {
      if (isDone) this.#booked(output as Booked);
      else this.#notBooked(error);
    } else if (call === 'receiver') this.#receiverChanged(isDone ? undefined : error);
    // Its activity is tried until it answers.
    else if (isDone) this.#undone(output as Undone);
  }

  #call(name: CallName, input: unknown): void {
    this.#calls.push({ id: `${this.#invoke.id}.${name}`, input });
  }

  #book(): void {
    this.#place = 'booking';
    this.#call('booking', bookInput(this.#flow, this.#known, this.#before.name));
  }

  #booked(booked: Booked): void {
    this.#known = withBooking(this.#flow, this.#known, booked, this.#invoke.now);
    this.#follow();
  }

  #notBooked(error: unknown): void {
    const isUnknown = isTimeOut(error) || failureOf(error).code === 'OutcomeUnknown';
    if (isUnknown) {
      const { attempts = 0 } = this.#known.unknownBooking ?? {};
      this.#known = withUnknownBooking(this.#known, error);
      if (isTimeOut(error) && attempts < BOOKING_ATTEMPTS) this.#book();
      else this.#place = 'bookingUnknown';
      return;
    }
    if (!isCancelled(error) && this.#known.undoing === null)
      this.#known = { ...this.#known, failure: failureOf(error) };
    this.#place = 'ended';
  }

  /** It knows its shipments. */
  #follow(): void {
    this.#place = 'following';
    // Another booking of this process may have followed it: nobody else tells that one.
    for (const { role, shipmentUid } of this.#known.shipments)
      if (role && legOf(this.#flow, role).undo === 'removeReceiver')
        this.#messages.push({
          type: 'superseded',
          payload: { shipmentUid, byBooking: this.#before.name },
        });
    this.#again.push(...this.#known.postponed);
    this.#known = { ...this.#known, postponed: [] };
  }

  #cancel(): void {
    this.#known = { ...this.#known, undoing: this.#known.undoing ?? 'request' };
    if (this.#place === 'booking') this.#cancelled.push(`${this.#invoke.id}.booking`);
  }

  #takeTimer(id: string): void {
    if (id === CALLBACKS_OF_UNDOING) {
      if (isUndone(this.#flow, this.#known)) this.#place = 'ended';
      else this.#stick();
    } else if (id === NEXT_TRY_OF_UNDOING) this.#undo();
    else {
      const { role, stage, isReminder } = legTimer(id);
      this.#known = (isReminder ? withReminder : stageOverdue)(this.#known, role, stage);
    }
  }

  #takeMessage(message: MessageEvent): void {
    const { type, payload, updateId } = message;
    const { now } = this.#invoke;
    switch (type) {
      case 'shipmentStatus':
        this.#observe(message);
        return;
      case 'superseded':
      case 'alsoFollowed':
        this.#noteFollowedElsewhere(type, message);
        return;
      case 'extendDeadline': {
        const wanted = extension(this.#flow, this.#known, payload, now);
        if (typeof wanted !== 'string') {
          this.#known = withExtension(this.#known, wanted);
          // A file knows what it has done itself.
          if (updateId !== undefined) this.#moved = wanted;
        }
        this.#answer(updateId, typeof wanted === 'string' ? null : this.#extended(wanted));
        return;
      }
      case 'resolve':
        this.#resolve(message);
        return;
      case 'setReceiver':
      case 'removeReceiver':
        this.#known = withReceiverChange(this.#flow, this.#known, message);
        this.#call('receiver', changeReceiverInput(this.#known));
    }
  }

  get #isBooking(): boolean {
    return this.#place === 'booking' || this.#place === 'bookingUnknown';
  }

  #observe({ payload, again }: MessageEvent): void {
    const report = reportIn(payload, this.#invoke.now);
    const shipment = report && shipmentOf(this.#known, report.shipmentUid);
    if (report && this.#isBooking)
      this.#known = withPostponed(this.#known, { type: 'shipmentStatus', payload: report });
    else if (report && shipment) {
      for (const forOther of reportsForOthers(this.#known, shipment, report))
        this.#emitted.push({ type: 'notOurs', payload: forOther });
      const { reportHistory } = this.#known;
      const next = observed(this.#flow, this.#known, shipment, report, this.#invoke.now);
      // Another booking of the process has let it come again: it counts once.
      this.#known = again && isIn(reportHistory, report) ? { ...next, reportHistory } : next;
    }
  }

  #noteFollowedElsewhere(type: 'superseded' | 'alsoFollowed', { payload }: MessageEvent): void {
    const followed = followedIn(payload);
    const shipment = followed && shipmentOf(this.#known, followed.shipmentUid);
    if (followed && this.#isBooking) this.#known = withPostponed(this.#known, { type, payload: followed });
    else if (followed && shipment)
      this.#known = followedElsewhere(this.#known, shipment, followed, type === 'superseded');
  }

  #resolve({ payload, updateId }: MessageEvent): void {
    const { action } = payloadFields(payload);
    const wasUnknown = this.#place === 'bookingUnknown';
    this.#known = resolved(this.#flow, this.#known, payload, this.#invoke.now);
    this.#answer(updateId);
    if (action === 'giveUp') {
      if (wasUnknown) this.#known = { ...this.#known, failure: givenUp(this.#known) };
      this.#place = 'ended';
    } else if (action === 'retry') {
      if (wasUnknown) this.#book();
      else this.#undo();
    } else if (wasUnknown) this.#follow();
  }

  #extended({ role, stage, from, until }: Extension): MovedDeadline {
    const ahead = deadlinesAhead(this.#flow, this.#known);
    const isAhead = ahead.some((each) => each.role === role && each.stage === stage);
    const text = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    return { from: text(from), until: text(until), isAhead };
  }

  #answer(updateId: string | undefined, value: unknown = null): void {
    if (updateId !== undefined) this.#emitted.push({ type: 'answer', updateId, value });
  }

  #receiverChanged(error: unknown): void {
    const { receiverChange } = this.#known;
    const updateId = receiverChange?.updateId ?? '';
    this.#known = { ...this.#known, receiverChange: null };
    if (error === undefined) {
      this.#known = withUser(this.#known, receiverChange?.toUserUid ?? null);
      this.#answer(updateId);
    } else {
      const { code, message } = failureOf(error);
      this.#emitted.push({ type: 'refusal', updateId, code, message });
    }
  }

  #undo(): void {
    this.#place = 'undoing';
    this.#lookAt = undefined;
    this.#call('undoing', undoInput(this.#flow, this.#known));
  }

  #undone(undone: Undone): void {
    this.#known = withUndone(this.#flow, this.#known, undone);
    this.#awaitReports();
  }

  #awaitReports(): void {
    this.#place = 'undoing';
    this.#lookAt = this.#invoke.now + CALLBACKS_OF_UNDOING_MS;
  }

  #stick(): void {
    this.#place = 'stuck';
    this.#lookAt = this.#invoke.now + nextTryOfUndoing(this.#known);
  }

  /** What follows from what it knows, whatever the event was. */
  #settle(): void {
    const [flow, known] = [this.#flow, this.#known];
    if (this.#place === 'following') {
      if (known.undoing !== null && !known.receiverChange && !isSettled(flow, known)) this.#undo();
      else if (isOver(flow, known)) this.#place = 'ended';
    }
    if (this.#place === 'stuck' && isUndone(flow, known)) this.#awaitReports();
    if (this.#place === 'undoing' && this.#lookAt !== undefined) {
      if (Object.keys(known.notUndone).length > 0 && !isUndone(flow, known)) this.#stick();
      else if (isUndoneAndReported(flow, known)) this.#place = 'ended';
    }
  }

  get #now(): BookingState {
    const [before, place, lookAt, known] = [this.#before, this.#place, this.#lookAt, this.#known];
    if (place === before.place && known === before.known && lookAt === before.lookAt) return before;
    const { lookAt: _, ...rest } = before;
    return { ...rest, place, ...(lookAt !== undefined && { lookAt }), known };
  }

  /** @param before null: it has just begun */
  #result(before: BookingState | null): StepResult<BookingState> {
    const isEnded = this.#place === 'ended';
    if (isEnded && this.#known.postponed.length > 0) {
      for (const payload of postponedReports(this.#known))
        this.#messages.push({ type: 'shipmentStatus', payload, again: true });
      this.#known = { ...this.#known, postponed: [] };
    }
    const state = this.#now;
    const closing = isEnded ? ending(this.#flow, this.#known) : undefined;
    const { events, emitted } = bookingEvents(this.#invoke.id, before, state, {
      moved: this.#moved,
      snapshots: this.#snapshots,
    });
    return {
      state,
      calls: this.#calls,
      cancelled: this.#cancelled,
      timers: timersOf(this.#flow, state, this.#invoke),
      emitted: [...this.#emitted, ...emitted],
      messages: this.#messages,
      again: this.#again,
      events,
      ...(closing && { end: endOf(closing) }),
    };
  }
}

type CallName = 'booking' | 'undoing' | 'receiver';

/** Each leg has ended, and nothing is under way. */
function isOver(flow: Declaration, known: FlowContext): boolean {
  if (known.receiverChange || !areOthersOver(flow, known)) return false;
  return rolesOf(flow).every((role) => isFinal(legOf(flow, role), legState(flow, known, role)));
}

function endOf(closing: Ending): NonNullable<StepResult['end']> {
  switch (closing.kind) {
    case 'result':
      return { output: closing.result };
    case 'failed':
      return { error: { ...closing, allDetails: closing.details } };
    case 'cancelled':
      return { error: { code: 'Cancelled', message: 'the booking was cancelled, and undone' } };
  }
}
