// What a process waits for: its timers and its calls, each under its actor's path. An entry of the inbox carries the timer or
// call itself, so that a stale one is known: another one under its id is another object.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { CANCEL_CALL, type ExternalLogic, externalLogic, type Kind, kindOf, typeOf } from './actor-kinds.ts';
import type { DelayedEvent, LocalActor } from './actor-system.ts';
import type { CarriedCall, Complete, OpenCallView, OpenTimer, TimerExtension } from './definition.ts';
import type { Alarm, RunningCall, World, Call as WorldCall } from './world.ts';
import { type AnyActor, childrenOf, doneEvent, errorEvent, inputOf, logicOf } from './xstate-internals.ts';

/** A migration changes it in place: an entry of the inbox has it, and it is the same timer under another name. */
export interface Timer extends OpenTimer {
  target: AnyActor;
  readonly alarm: Alarm;
}

/** What a timer is after a migration. */
export interface ReboundTimer {
  readonly open: OpenTimer;
  readonly target: AnyActor;
}

const keyOf = (path: readonly string[], id: string): string => [...path, id].join('\n');

const openOf = ({ alarm: _, target: __, ...open }: Timer): OpenTimer => open;

export class Timers {
  readonly #world: World;
  readonly #definition: () => Complete;
  readonly #ring: (timer: Timer) => void;
  readonly #armed = new Map<string, Timer>();

  constructor(world: World, definition: () => Complete, ring: (timer: Timer) => void) {
    this.#world = world;
    this.#definition = definition;
    this.#ring = ring;
  }

  /** The timers that a continued run starts again. */
  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(openOf);
  }

  arm(from: LocalActor, { id, event, delay, to }: DelayedEvent): void {
    const snapshot: AnyMachineSnapshot = from.ref.getSnapshot();
    const { machine } = snapshot as Partial<AnyMachineSnapshot>;
    const definition = this.#definition();
    const name = (machine && definition.delayNames(machine).get(event.type)) ?? event.type;
    const armedAt = this.#world.now();
    const open = {
      id: id ?? this.#freeId(from, event.type),
      ...{ event, dueAt: armedAt + delay, armedAt, delay: { name, ms: delay } },
      summary: definition.timerSummary(name, snapshot),
    };
    const by = from.path.length > 0 ? { from: from.path } : {};
    this.armAgain({ ...open, ...by, ...(to !== from.ref && { to: pathTo(from, to) }) }, to);
  }

  /** Arms a timer that a former run had armed. */
  armAgain(open: OpenTimer, target: AnyActor): void {
    const key = keyOf(open.from ?? [], open.id);
    this.#cancel(key);
    const alarm = this.#world.alarm(open.dueAt, open.summary, () => this.#ring(timer));
    const timer: Timer = { ...open, target, alarm };
    this.#armed.set(key, timer);
  }

  /** Those of the machine itself. */
  move({ timer: id, dueAt }: TimerExtension): void {
    const timer = this.#armed.get(keyOf([], id));
    if (timer) this.armAgain({ ...openOf(timer), dueAt }, timer.target);
  }

  cancel({ path }: LocalActor, id: string): void {
    this.#cancel(keyOf(path, id));
  }

  cancelAllOf({ path }: LocalActor): void {
    for (const [key, { from = [] }] of this.#armed)
      if (from.join('\n') === path.join('\n')) this.#cancel(key);
  }

  /** Each as a migration would have it: the same one, another one in its place, or none. */
  rebind(reboundOf: (timer: Timer) => ReboundTimer | undefined): void {
    const armed = [...this.#armed.values()];
    this.#armed.clear();
    for (const timer of armed) {
      const { target, open } = reboundOf(timer) ?? {};
      if (!target || !open) timer.alarm.cancel();
      else if (open.dueAt === timer.dueAt) {
        Object.assign(timer, open, { target });
        this.#armed.set(keyOf(timer.from ?? [], timer.id), timer);
      } else {
        timer.alarm.cancel();
        this.armAgain(open, target);
      }
    }
  }

  /** As they are now, for `restore`. */
  former(): { readonly timer: Timer; readonly open: OpenTimer; readonly target: AnyActor }[] {
    return [...this.#armed.values()].map((timer) => {
      const { target, alarm: _, ...open } = timer;
      return { timer, open, target };
    });
  }

  /** They are again what they were then. */
  restore(former: readonly ReturnType<Timers['former']>[number][]): void {
    const armed = new Set(this.#armed.values());
    this.#armed.clear();
    for (const { timer, open, target } of former)
      if (armed.delete(timer)) {
        Object.assign(timer, open, { target });
        this.#armed.set(keyOf(open.from ?? [], open.id), timer);
      } else this.armAgain(open, target);
    for (const { alarm } of armed) alarm.cancel();
  }

  /** For a delayed event that has no id. */
  #freeId({ path }: LocalActor, wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#armed.has(keyOf(path, id)); count++) id = `${wanted} ${count}`;
    return id;
  }

  #cancel(key: string): void {
    this.#armed.get(key)?.alarm.cancel();
    this.#armed.delete(key);
  }

  /** The timer here that has the id of a timer of another process. */
  like({ from = [], id }: Timer): Timer | undefined {
    return this.#armed.get(keyOf(from, id));
  }

  /** Whether this timer is still the one with its id. */
  take(timer: Timer): boolean {
    const key = keyOf(timer.from ?? [], timer.id);
    if (this.#armed.get(key) !== timer) return false;
    return this.#armed.delete(key);
  }
}

/** Beside itself, an actor sends to its parent or to its children. */
function pathTo(from: LocalActor, to: AnyActor): readonly string[] {
  return to === from.parent?.ref ? from.parent.path : [...from.path, to.id];
}

/** As a timer, it stays the same when a migration gives its actor another id. */
export interface OpenCall {
  actor: AnyActor;
  owner: LocalActor;
  readonly kind: Kind;
  /** The activity's or workflow's type, or the procedure's name. */
  readonly type: string;
  readonly heedsCancellation: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly running: RunningCall;
}

/** Whose a call is after a migration. */
export interface Rebound {
  readonly owner: LocalActor;
  readonly actor: AnyActor;
  readonly input: unknown;
}

/** How a call has ended. Its event is made when it is taken, by the id that its actor has then. */
export type Answer = { readonly output: unknown } | { readonly error: unknown };

interface Heard {
  answered(call: OpenCall, answer: Answer): void;
  /** An event of a child that goes on. */
  told(call: OpenCall, event: EventObject): void;
}

export class Calls {
  readonly #world: World;
  readonly #heard: Heard;
  readonly #open = new Map<string, OpenCall>();

  constructor(world: World, heard: Heard) {
    this.#world = world;
    this.#heard = heard;
  }

  get open(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  get view(): OpenCallView[] {
    return this.open.map(({ actor: { id }, kind, type, startedAt, running: { workflowId } }) => {
      const since = new Date(startedAt).toISOString();
      return { ...{ id, kind, type, since }, ...(workflowId !== undefined && { workflowId }) };
    });
  }

  /** Whether a continued run can take up all of them. */
  get mayContinueAsNew(): boolean {
    return this.open.every(({ running }) => running.kept !== undefined);
  }

  get carried(): CarriedCall[] {
    return this.open.map(({ actor: { id }, owner: { path }, startedAt, running: { kept } }) => ({
      ...{ id, startedAt, kept },
      ...(path.length > 0 && { of: path }),
    }));
  }

  start(owner: LocalActor, actor: AnyActor, logic: ExternalLogic, input: unknown): void {
    const former = this.#open.get(keyOf(owner.path, actor.id));
    if (former) this.#stop(former);
    this.#begin(owner, actor, { logic, input }, this.#world.now());
  }

  /** Takes up a call that a former run had made. */
  resume(owner: LocalActor, { id, startedAt, kept }: CarriedCall): void {
    const actor = childrenOf(owner.ref).find((child) => child.id === id);
    const logic = actor && externalLogic(logicOf(actor));
    if (actor && logic) this.#begin(owner, actor, { logic, input: inputOf(actor), kept }, startedAt);
  }

  /** A call whose answer was dropped, with the input that it had. */
  beginAgain(owner: LocalActor, id: string): void {
    const actor = childrenOf(owner.ref).find((child) => child.id === id);
    const logic = actor && externalLogic(logicOf(actor));
    if (actor && logic) this.#begin(owner, actor, { logic, input: inputOf(actor) }, this.#world.now());
  }

  #begin(owner: LocalActor, actor: AnyActor, made: Omit<WorldCall, 'id'>, startedAt: number): void {
    const { id } = actor;
    const { logic } = made;
    const running = this.#world.call(
      { id, ...made, ...(owner.parent !== null && { isWithin: true }) },
      {
        done: (output) => this.#heard.answered(call, { output }),
        failed: (error) => this.#heard.answered(call, { error }),
        event: (event) => this.#heard.told(call, event),
      },
    );
    const heedsCancellation =
      ('call' in logic && logic.call.heedsCancellation) ||
      ('procedure' in logic && logic.procedure.heedsCancellation) ||
      'child' in logic;
    const call: OpenCall = {
      ...{ actor, owner, running, heedsCancellation, startedAt },
      ...{ kind: kindOf(logic), type: typeOf(logic) },
    };
    this.#open.set(keyOf(owner.path, id), call);
  }

  /** The chart has left the state that made it. */
  stop(actor: AnyActor): void {
    const call = this.open.find((each) => each.actor === actor);
    if (call) this.#stop(call);
  }

  stopAllOf(owner: LocalActor): void {
    for (const call of this.open) if (call.owner === owner) this.#stop(call);
  }

  #stop(call: OpenCall): void {
    this.take(call);
    call.running.cancel();
  }

  /** The machine is another one: the calls go on under the ids that their actors have in it, those without one end. */
  rebind(actorOf: (call: OpenCall) => Rebound | undefined): void {
    const kept: [OpenCall, Rebound][] = [];
    for (const call of this.open) {
      const now = actorOf(call);
      if (now) kept.push([call, now]);
      else this.#stop(call);
    }
    this.#open.clear();
    for (const [call, { owner, actor, input }] of kept) {
      Object.assign(call, { owner, actor });
      this.#open.set(keyOf(owner.path, actor.id), call);
      const logic = externalLogic(logicOf(actor));
      if (logic) call.running.changed?.({ id: actor.id, logic, input });
    }
  }

  send(actor: AnyActor, event: EventObject): void {
    const call = this.open.find((each) => each.actor === actor);
    if (event.type === CANCEL_CALL) call?.running.cancel();
    else call?.running.send(event);
  }

  /** Asks the calls that accept a cancellation to end early; they still answer. */
  requestCancellation(): void {
    for (const { running, heedsCancellation } of this.open) if (heedsCancellation) running.cancel();
  }

  /** The call here that has the id of a call of another process. */
  like({ owner: { path }, actor: { id } }: OpenCall): OpenCall | undefined {
    return this.#open.get(keyOf(path, id));
  }

  /** Whether this call is still the open one with its id. */
  has(call: OpenCall): boolean {
    return this.#open.get(keyOf(call.owner.path, call.actor.id)) === call;
  }

  /** Whether it still was. */
  take(call: OpenCall): boolean {
    if (!this.has(call)) return false;
    call.running.end();
    return this.#open.delete(keyOf(call.owner.path, call.actor.id));
  }
}

/** The event of an answer. */
export function eventOfAnswer({ actor: { id } }: OpenCall, answer: Answer): EventObject {
  return 'output' in answer ? doneEvent(id, answer.output) : errorEvent(id, answer.error);
}
