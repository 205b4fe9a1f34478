// The inline actors of a process: those of active states, those that such an actor runs itself (the items of an `each`), those
// whose state was left and that still clean up, and the last state of those that have ended. Calls and timers of each are kept
// under its key.
import type { EventObject } from 'xstate';
import { CANCEL_CALL, externalLogic } from './actor-kinds.ts';
import type { Calls } from './calls.ts';
import type { Rejection } from './commands.ts';
import type { CarriedActor, CarriedActors } from './continued.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { InlineActorView } from './definition/views.ts';
import { dispatch, handOverUnaccepted, type NotifyingProcess } from './effects.ts';
import { type InlineActor, type InvokeContext, inlineActorOf, type StepResult } from './inline-actor.ts';
import { doneEvent, errorEvent } from './stepper.ts';
import type { Timers } from './timers.ts';

interface Running {
  readonly actor: InlineActor;
  state: unknown;
  /** The key of the actor that runs it, and hears it. Absent: the chart does. */
  readonly of?: string;
}

/** The chart, as its actors need it. */
interface Chart {
  readonly process: NotifyingProcess & {
    readonly timers: Timers;
    readonly calls: Calls;
    pushMessage(message: MessageEvent): void;
  };
  readonly context: unknown;
  /** Whether it still takes steps. */
  readonly isActive: boolean;
  /** Does not throw where it halts: the step of the actor that tells it goes on. */
  tell(event: EventObject): void;
}

interface Accepted {
  readonly keys: readonly string[];
  /** Nobody accepts it now. */
  readonly refusal?: Rejection;
}

export class InlineActors {
  readonly #chart: Chart;
  readonly #active = new Map<string, Running>();
  readonly #inner = new Map<string, Running>();
  readonly #detached = new Map<string, Running>();
  readonly #ended = new Map<string, CarriedActor>();
  readonly #counts = new Map<string, number>();

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  /** @param logicOf the logic of an active invoke by its id, or of an actor by its name */
  restore(
    { active = {}, inner = {}, detached = {}, ended = {}, counts = {} }: CarriedActors,
    logicOf: (id: string, name?: string) => unknown,
  ) {
    const add = (to: Map<string, Running>, key: string, { state, name, of }: SavedActor) => {
      const actor = inlineActorOf(logicOf(key, name));
      if (actor) to.set(key, { actor, state, ...(of !== undefined && { of }) });
    };
    for (const [id, state] of Object.entries(active)) add(this.#active, id, { state });
    for (const [key, saved] of Object.entries(inner)) add(this.#inner, key, saved);
    for (const [key, saved] of Object.entries(detached)) add(this.#detached, key, saved);
    for (const [key, saved] of Object.entries(ended)) this.#ended.set(key, saved);
    for (const [id, count] of Object.entries(counts)) this.#counts.set(id, count);
  }

  get carried(): CarriedActors {
    return filled({
      active: Object.fromEntries([...this.#active].map(([id, { state }]) => [id, state])),
      inner: savedOf(this.#inner),
      detached: savedOf(this.#detached),
      ended: Object.fromEntries(this.#ended),
      counts: Object.fromEntries(this.#counts),
    });
  }

  /** Those of active states, by the ids of their invokes. */
  get active(): ReadonlyMap<string, { readonly actor: InlineActor; readonly state: unknown }> {
    return this.#active;
  }

  get view(): InlineActorView[] {
    // Where two have one id, the former has another name.
    const idOf = (key: string) => (this.#running(key) ? `${key}${ENDED}` : key);
    return [
      ...[...this.#ended].map(([key, each]) => ({ id: idOf(key), ...each, isEnded: true as const })),
      ...this.#all.map(([id, { actor, state }]) => ({ id, name: actor.name, state })),
    ];
  }

  get #all(): [string, Running][] {
    return [...this.#detached, ...this.#active, ...this.#inner];
  }

  #running(key: string): Running | undefined {
    return this.#active.get(key) ?? this.#detached.get(key) ?? this.#inner.get(key);
  }

  /** Whether the process must stay open for them, whatever its chart does. */
  get haveToCleanUp(): boolean {
    return this.#detached.size > 0 || this.#all.some(([, running]) => hasToCleanUp(running));
  }

  of(key: string): InlineActor | undefined {
    return this.#running(key)?.actor;
  }

  begin(id: string, actor: InlineActor, input: unknown): void {
    this.#begin(this.#active, id, { actor, state: undefined }, input);
  }

  #begin(among: Map<string, Running>, id: string, running: Running, input: unknown): void {
    const { actor } = running;
    among.set(id, running);
    if (actor.isIndependent) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#carryOut(id, running, actor.begin(input, this.#invoke(id)));
  }

  /** The chart has left the state that made it. False: it is none of them. */
  stop(id: string): boolean {
    const running = this.#active.get(id);
    if (!running) return false;
    this.#active.delete(id);
    this.#leave(id, running);
    return true;
  }

  /** Nobody hears it any more, nor what it runs itself. */
  #leave(key: string, running: Running): void {
    for (const [id, inner] of [...this.#inner])
      if (inner.of === key) {
        this.#inner.delete(id);
        this.#leave(id, inner);
      }
    if (hasToCleanUp(running)) this.#detach(key, running);
    else this.#end(key, running);
  }

  /** Its state may be entered again, and begin another one under its id. */
  #detach(id: string, running: Running): void {
    let key = `${id}${LEFT}`;
    for (let count = 2; this.#detached.has(key); count++) key = `${id}${LEFT} ${count}`;
    this.#rename(id, key);
    this.#detached.set(key, running);
    this.take(key, { type: CANCEL_CALL });
  }

  take(key: string, event: EventObject): void {
    const running = this.#running(key);
    if (running)
      this.#carryOut(key, running, running.actor.take(running.state as never, event, this.#invoke(key)));
  }

  /** Who accepts a message; undefined: it is for none of them. */
  accepting(message: MessageEvent): Accepted | undefined {
    const answers = this.#all.flatMap(([key, { actor, state }]) => {
      const acceptance = actor.accepts?.(state, message, this.#invoke(key));
      return acceptance === undefined ? [] : [{ key, acceptance }];
    });
    const keys = answers.flatMap(({ key, acceptance }) => (acceptance === 'accepted' ? [key] : []));
    const [first] = answers;
    if (!first) return undefined;
    if (keys.length > 0 || first.acceptance === 'accepted') return { keys };
    return { keys, refusal: first.acceptance.refusal };
  }

  /** What an actor runs itself hears it from that one. */
  requestCancellation(): void {
    for (const key of [...this.#detached.keys(), ...this.#active.keys()])
      this.take(key, { type: CANCEL_CALL });
  }

  /** Those that go on by themselves learn of their new definition. Whether it changes anything for one of them. */
  tellOfMigration(event: EventObject): boolean {
    let isOther = false;
    for (const [key, running] of this.#all) {
      const { actor, state } = running;
      if (!actor.isIndependent) continue;
      this.take(key, event);
      isOther ||= running.state !== state;
    }
    return isOther;
  }

  #invoke(key: string): InvokeContext {
    const { process, context } = this.#chart;
    const count = this.#counts.get(key) ?? 1;
    return { id: key, count, context, start: process.start, now: process.host.now() };
  }

  #carryOut(key: string, running: Running, result: StepResult): void {
    running.state = result.state;
    this.#wait(key, running.actor, result);
    for (const event of result.emitted ?? []) dispatch(event as never, this.#chart.process);
    for (const message of result.messages ?? []) this.#tellOthers(key, message);
    for (const message of result.again ?? []) this.#chart.process.pushMessage({ ...message, again: true });
    this.#conclude(key, running, result);
    this.#runInner(key, running, result);
  }

  #tellOthers(key: string, message: MessageEvent): void {
    const others = (this.accepting(message)?.keys ?? []).filter((other) => other !== key);
    for (const other of others) this.take(other, message);
    if (others.length === 0) handOverUnaccepted(message, this.#chart.process);
  }

  /** For what it waits from now on. */
  #wait(key: string, actor: InlineActor, { calls = [], cancelled = [], timers, end }: StepResult): void {
    const { process } = this.#chart;
    for (const { id, input } of calls) {
      const logic = externalLogic(actor.logicOf(input));
      if (logic) process.calls.start(key, { id, logic, input });
    }
    for (const each of cancelled) process.calls.send(key, each, { type: CANCEL_CALL });
    if (timers && !end) process.timers.setOf(key, timers);
  }

  /** What it calls within the process. They may answer at once, so they come after its own step. */
  #runInner(key: string, running: Running, { calls = [], cancelled = [] }: StepResult): void {
    for (const { id, input } of calls) {
      const logic = running.actor.logicOf(input);
      if (externalLogic(logic) || this.#running(key) !== running) continue;
      const actor = inlineActorOf(logic);
      if (!actor) throw new TypeError(`${key} calls what the engine cannot run`);
      this.#begin(this.#inner, id, { actor, state: undefined, of: key }, input);
    }
    for (const id of cancelled) if (this.#inner.get(id)?.of === key) this.take(id, { type: CANCEL_CALL });
  }

  #conclude(key: string, running: Running, { events = [], end }: StepResult): void {
    if (this.#detached.get(key) === running) {
      // Nobody hears it any more.
      if (!end) return;
      this.#detached.delete(key);
      this.#end(key, running);
      return;
    }
    const tell = (event: EventObject) =>
      running.of === undefined ? this.#chart.tell(event) : this.take(running.of, event);
    for (const event of events) tell(event);
    // The events just delivered may have left the state that invoked this actor: its result is then dropped.
    if (!end || this.#running(key) !== running || this.#detached.has(key)) return;
    this.#active.delete(key);
    this.#inner.delete(key);
    this.#keep(key, running);
    // Another one may begin under its id. What the end of the chart ends is not worth the event of a cancellation.
    const former = `${key}${ENDED}`;
    this.#rename(key, former);
    tell('error' in end ? errorEvent(key, end.error) : doneEvent(key, end.output));
    this.#release(former);
  }

  #end(key: string, running: Running): void {
    this.#release(key);
    this.#keep(key, running);
  }

  #rename(key: string, now: string): void {
    const { calls, timers } = this.#chart.process;
    calls.rename(key, now);
    timers.rename(key, now);
  }

  /** Ends what it waits for. */
  #release(key: string): void {
    const { calls, timers } = this.#chart.process;
    calls.stopAllOf(key);
    if (this.#chart.isActive) timers.setOf(key, []);
  }

  #keep(key: string, { actor, state }: Running): void {
    if (actor.isIndependent) this.#ended.set(key, { name: actor.name, state });
  }
}

type SavedActor = Pick<CarriedActor, 'state'> & Partial<CarriedActor>;

const savedOf = (running: ReadonlyMap<string, Running>) =>
  Object.fromEntries(
    [...running].map(([key, { actor, state, of }]) => [
      key,
      { name: actor.name, state, ...(of !== undefined && { of }) },
    ]),
  );

const hasToCleanUp = ({ actor, state }: Running): boolean => actor.hasToCleanUp?.(state as never) === true;

/** Behind the id of the invoke, in the key of one whose state was left. */
const LEFT = ' left';
/** The same, of one that has ended. */
const ENDED = ' ended';

const filled = <Maps extends Readonly<Record<string, object>>>(maps: Maps): Partial<Maps> =>
  Object.fromEntries(Object.entries(maps).filter(([, map]) => Object.keys(map).length > 0)) as Partial<Maps>;
