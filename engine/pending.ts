// What a process waits for: its timers and its calls. An entry of the inbox carries the timer or call itself, so that a stale one
// is known: another one under its id is another object.
import type { EventObject } from 'xstate';
import { CANCEL_CALL, callKindOf, callTypeOf, type ExternalLogic, type Kind } from './actor-kinds.ts';
import { timerTexts } from './chart/messages.ts';
import type { CarriedCall } from './continued.ts';
import type { Definition } from './definition/definition.ts';
import type { OpenTimer, TimerExtension } from './definition/timers.ts';
import type { OpenCallView } from './definition/views.ts';
import type { Alarm, Host, Call as HostCall, RunningCall } from './host.ts';
import { ACTOR_TIMER, type ActorTimer, type ActorTimerEvent } from './inline-actor.ts';
import { doneEvent, errorEvent } from './stepper.ts';

export interface Timer extends OpenTimer {
  readonly alarm: Alarm;
}

export const iso = (at: number): string => new Date(at).toISOString();

const keyOf = (of: string | undefined, id: string): string => (of === undefined ? id : `${of}\n${id}`);

const openOf = ({ alarm: _, ...open }: Timer): OpenTimer => open;

/** The process, as far as what it waits for needs it. */
interface WaitingProcess {
  readonly definition: Definition;
  readonly host: Host;
  onTimer(timer: Timer): void;
  answered(call: OpenCall, answer: Answer): void;
  /** An event of a child that goes on. */
  childEvent(call: OpenCall, event: EventObject): void;
}

export class Timers {
  readonly #of: WaitingProcess;
  readonly #armed = new Map<string, Timer>();

  constructor(of: WaitingProcess) {
    this.#of = of;
  }

  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(openOf);
  }

  arm(id: string | undefined, event: EventObject, delay: number): void {
    const { definition, host } = this.#of;
    const { delay: name, summary } = timerTexts(definition.machine, event.type);
    const armedAt = host.now();
    this.armAgain({
      id: id ?? this.#freeId(event.type),
      event,
      dueAt: armedAt + delay,
      armedAt,
      delay: { name, ms: delay },
      summary,
    });
  }

  /** Arms a timer that a former run had armed. */
  armAgain(open: OpenTimer): void {
    const key = keyOf(open.of, open.id);
    this.#cancel(key);
    const { dueAt, summary } = open;
    const ring = () => this.#of.onTimer(timer);
    const alarm = this.#of.host.alarm(dueAt, summary, ring);
    const timer: Timer = { ...open, alarm };
    this.#armed.set(key, timer);
  }

  /** All timers of an inline actor from now on. */
  setOf(of: string, wanted: readonly ActorTimer[]): void {
    for (const [key, timer] of [...this.#armed])
      if (timer.of === of && !wanted.some(({ id, dueAt }) => timer.id === id && timer.dueAt === dueAt))
        this.#cancel(key);
    const armedAt = this.#of.host.now();
    for (const { id, dueAt, summary } of wanted) {
      if (this.#armed.has(keyOf(of, id))) continue;
      const event: ActorTimerEvent = { type: ACTOR_TIMER, timer: id };
      this.armAgain({ id, of, event, dueAt, armedAt, delay: { name: id, ms: dueAt - armedAt }, summary });
    }
  }

  /** An inline actor goes on under another key. */
  rename(of: string, now: string): void {
    for (const [key, timer] of [...this.#armed]) {
      if (timer.of !== of) continue;
      this.#armed.delete(key);
      this.#armed.set(keyOf(now, timer.id), Object.assign(timer, { of: now }));
    }
  }

  /** When it was due. */
  move({ timer: id, dueAt }: TimerExtension): number {
    const timer = this.#armed.get(id);
    if (timer) this.armAgain({ ...openOf(timer), dueAt, isMoved: true });
    return timer?.dueAt ?? dueAt;
  }

  cancel(id: string): void {
    this.#cancel(id);
  }

  #cancel(key: string): void {
    this.#armed.get(key)?.alarm.cancel();
    this.#armed.delete(key);
  }

  /** For a delayed event that has no id. */
  #freeId(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#armed.has(id); count++) id = `${wanted} ${count}`;
    return id;
  }

  /** Each as a migration would have it: the same one, another one in its place, or none. */
  rebind(reboundOf: (timer: Timer) => OpenTimer | undefined): void {
    const armed = [...this.#armed.values()];
    this.#armed.clear();
    for (const timer of armed) {
      const open = reboundOf(timer);
      if (open && open.dueAt === timer.dueAt)
        this.#armed.set(keyOf(open.of, open.id), Object.assign(timer, open));
      else timer.alarm.cancel();
      if (open && open.dueAt !== timer.dueAt) this.armAgain(open);
    }
  }

  /** As they are now, for `restore`. */
  former(): { readonly timer: Timer; readonly open: OpenTimer }[] {
    return [...this.#armed.values()].map((timer) => ({ timer, open: openOf(timer) }));
  }

  /** They are again what they were then. */
  restore(former: ReturnType<Timers['former']>): void {
    const armed = new Set(this.#armed.values());
    this.#armed.clear();
    for (const { timer, open } of former)
      if (armed.delete(timer)) this.#armed.set(keyOf(open.of, open.id), Object.assign(timer, open));
      else this.armAgain(open);
    for (const { alarm } of armed) alarm.cancel();
  }

  /** The timer here that has the id of a timer of another process. */
  like({ of, id }: Timer): Timer | undefined {
    return this.#armed.get(keyOf(of, id));
  }

  /** Whether this timer is still the one with its id. */
  take(timer: Timer): boolean {
    const key = keyOf(timer.of, timer.id);
    return this.#armed.get(key) === timer && this.#armed.delete(key);
  }
}

/** What a call is after a migration. */
export interface Rebound {
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
export type Answer = { readonly output: unknown } | { readonly error: unknown };

export class Calls {
  readonly #of: WaitingProcess;
  readonly #open = new Map<string, OpenCall>();

  constructor(of: WaitingProcess) {
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
      since: new Date(startedAt).toISOString(),
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

  /** @param former what a former run has kept of it */
  start(
    of: string | undefined,
    made: Omit<HostCall, 'isWithin'>,
    startedAt: number = this.#of.host.now(),
  ): void {
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
    this.#open.set(keyOf(of, id), call);
  }

  /** The chart has left the state that made it. */
  stop(of: string | undefined, id: string): void {
    const call = this.#open.get(keyOf(of, id));
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
      if (call.id.startsWith(`${of}.`)) call.id = `${now}${call.id.slice(of.length)}`;
      this.#open.set(keyOf(now, call.id), call);
    }
  }

  #stop(call: OpenCall): void {
    this.take(call);
    call.running.cancel();
  }

  /** The chart is another one: the calls go on under the ids that they have in it, those without one end. */
  rebind(reboundOf: (call: OpenCall) => Rebound | undefined): void {
    const kept: [OpenCall, Rebound][] = [];
    for (const call of this.open) {
      const now = reboundOf(call);
      if (now) kept.push([call, now]);
      else this.#stop(call);
    }
    this.#open.clear();
    for (const [call, now] of kept) {
      Object.assign(call, now);
      this.#open.set(keyOf(now.of, now.id), call);
      call.running.changed?.({ id: now.id, logic: now.logic, input: now.input });
    }
  }

  send(of: string | undefined, id: string, event: EventObject): void {
    const call = this.#open.get(keyOf(of, id));
    if (event.type === CANCEL_CALL) call?.running.cancel();
    else call?.running.send(event);
  }

  /** Asks the calls that accept a cancellation to end early; they still answer. */
  requestCancellation(): void {
    for (const { running, isCancellable } of this.open) if (isCancellable) running.cancel();
  }

  /** The call here that has the id of a call of another process. */
  like({ of, id }: OpenCall): OpenCall | undefined {
    return this.#open.get(keyOf(of, id));
  }

  /** Whether this call is still the open one with its id. */
  has(call: OpenCall): boolean {
    return this.#open.get(keyOf(call.of, call.id)) === call;
  }

  /** Whether it still was. */
  take(call: OpenCall): boolean {
    if (!this.has(call)) return false;
    call.running.end();
    return this.#open.delete(keyOf(call.of, call.id));
  }
}

const isCancellable = (logic: ExternalLogic): boolean => {
  if ('call' in logic) return logic.call.isCancellable;
  return 'child' in logic || logic.procedure.isCancellable;
};

/** The event of an answer. */
export const eventOfAnswer = ({ id }: OpenCall, answer: Answer): EventObject =>
  'output' in answer ? doneEvent(id, answer.output) : errorEvent(id, answer.error);
