// The calls of a process that have not ended. An entry of the inbox carries the call itself, so that a stale one is known: another one
// under its id is another object.
import type { EventObject } from 'xstate';
import { CANCEL_CALL, callKindOf, callTypeOf, type ExternalLogic, type Kind } from './actor-kinds.ts';
import type { CarriedCall } from './continued.ts';
import type { OpenCallView } from './definition/views.ts';
import type { Call, Host, RunningCall } from './host.ts';
import { keyWithin } from './inline-actor.ts';
import { doneEvent, errorEvent } from './stepper.ts';
import { iso } from './timers.ts';

/** What a call is after a migration. */
export interface RemappedCall {
  readonly id: string;
  readonly of: string | undefined;
  readonly input: unknown;
  readonly logic: ExternalLogic;
}

/** A migration changes it in place: an entry of the inbox has it. */
export interface OpenCall {
  id: string;
  /** The inline actor that makes it. */
  of: string | undefined;
  readonly kind: Kind;
  readonly type: string;
  input: unknown;
  logic: ExternalLogic;
  readonly isCancellable: boolean;
  readonly startedAt: number;
  readonly running: RunningCall;
}

/** How a call has ended. Its event is made when it is taken, by the id that it has then. */
export type CallResult = { readonly output: unknown } | { readonly error: unknown };

/** The process, as far as its calls need it. */
interface CallingProcess {
  readonly host: Host;
  answered(call: OpenCall, answer: CallResult): void;
  /** An event of a child that goes on. */
  childEvent(call: OpenCall, event: EventObject): void;
}

export class Calls {
  readonly #of: CallingProcess;
  readonly #open = new Map<string, OpenCall>();

  constructor(of: CallingProcess) {
    this.#of = of;
  }

  get open(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  get view(): OpenCallView[] {
    return this.open.map(({ id, of, kind, type, startedAt, running: { workflowId } }) => ({
      id,
      ...(of !== undefined && { of }),
      kind,
      type,
      since: iso(startedAt),
      ...(workflowId !== undefined && { workflowId }),
    }));
  }

  /** Whether a continued run can take up all of them. */
  get mayContinueAsNew(): boolean {
    return this.open.every(({ running }) => running.kept !== undefined);
  }

  get carried(): CarriedCall[] {
    return this.open.map(({ id, of, input, startedAt, running: { kept } }) => ({
      id,
      startedAt,
      kept,
      ...(of !== undefined && { of, input }),
    }));
  }

  /** @param startedAt another time than now: a former run began it */
  start(of: string | undefined, made: Omit<Call, 'isWithin'>, startedAt: number = this.#of.host.now()): void {
    const { id, logic, input } = made;
    this.stop(of, id);
    const running = this.#of.host.call(
      { ...made, ...(of !== undefined && { isWithin: true }) },
      {
        done: (output) => this.#of.answered(call, { output }),
        failed: (error) => this.#of.answered(call, { error }),
        event: (event) => this.#of.childEvent(call, event),
      },
    );
    const call: OpenCall = {
      id,
      of,
      input,
      logic,
      running,
      startedAt,
      kind: callKindOf(logic),
      type: callTypeOf(logic),
      isCancellable: isCancellable(logic),
    };
    this.#open.set(keyWithin(of, id), call);
  }

  /** The chart has left the state that made it. */
  stop(of: string | undefined, id: string): void {
    const call = this.#open.get(keyWithin(of, id));
    if (call) this.#stop(call);
  }

  stopAllOf(actor: string): void {
    for (const call of this.open) if (call.of === actor) this.#stop(call);
  }

  /** An inline actor goes on under another key. */
  rename(of: string, now: string): void {
    for (const [key, call] of [...this.#open]) {
      if (call.of !== of) continue;
      this.#open.delete(key);
      call.of = now;
      // It makes and cancels its calls by its own key.
      call.id = callIdUnder(now, call.id, of);
      this.#open.set(keyWithin(now, call.id), call);
    }
  }

  #stop(call: OpenCall): void {
    this.take(call);
    call.running.cancel();
  }

  /** The chart is another one: the calls go on under the ids that they have in it, those without one end. */
  rebind(reboundOf: (call: OpenCall) => RemappedCall | undefined): void {
    const kept: [OpenCall, RemappedCall][] = [];
    for (const call of this.open) {
      const now = reboundOf(call);
      if (now) kept.push([call, now]);
      else this.#stop(call);
    }
    this.#open.clear();
    for (const [call, now] of kept) {
      Object.assign(call, now);
      this.#open.set(keyWithin(now.of, now.id), call);
      call.running.changed?.({ id: now.id, logic: now.logic, input: now.input });
    }
  }

  send(of: string | undefined, id: string, event: EventObject): void {
    const call = this.#open.get(keyWithin(of, id));
    if (event.type === CANCEL_CALL) call?.running.cancel();
    else call?.running.send(event);
  }

  /** Asks the calls that accept a cancellation to end early; they still answer. */
  requestCancellation(): void {
    for (const { running, isCancellable } of this.open) if (isCancellable) running.cancel();
  }

  /** The call here that has the id of a call of another process. */
  like({ of, id }: OpenCall): OpenCall | undefined {
    return this.#open.get(keyWithin(of, id));
  }

  /** Whether this call is still the open one with its id. */
  has(call: OpenCall): boolean {
    return this.#open.get(keyWithin(call.of, call.id)) === call;
  }

  /** Whether it still was. */
  take(call: OpenCall): boolean {
    if (!this.has(call)) return false;
    call.running.end();
    return this.#open.delete(keyWithin(call.of, call.id));
  }
}

/** The id of a call of an actor that has another key now. */
export const callIdUnder = (key: string, id: string, former: string): string =>
  id.startsWith(`${former}.`) ? `${key}${id.slice(former.length)}` : id;

const isCancellable = (logic: ExternalLogic): boolean => {
  if ('call' in logic) return logic.call.isCancellable;
  return 'child' in logic || logic.procedure.isCancellable;
};

/** The event of an answer. */
export const eventOfAnswer = ({ id }: OpenCall, answer: CallResult): EventObject =>
  'output' in answer ? doneEvent(id, answer.output) : errorEvent(id, answer.error);
