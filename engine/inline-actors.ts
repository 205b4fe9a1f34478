// The inline actors of a process: those of active states, those whose state was left and that still clean up, and the last state
// of those that have ended. Calls and timers of each are kept under its key.
import type { EventObject } from 'xstate';
import { CANCEL_CALL, externalLogic } from './actor-kinds.ts';
import type { Refusal } from './commands.ts';
import type { CarriedActor, CarriedActors, InlineActorView, MessageEvent } from './definition.ts';
import { emitted, handOverUnaccepted, type NotifyingProcess } from './effects.ts';
import { type InlineActor, type InvokeContext, inlineActorOf, type StepResult } from './inline-actor.ts';
import type { Calls, Timers } from './pending.ts';
import { doneEvent, errorEvent } from './stepper.ts';

interface Running {
  readonly actor: InlineActor;
  state: unknown;
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
  deliver(event: EventObject): void;
}

interface Accepted {
  readonly keys: readonly string[];
  /** Nobody accepts it now. */
  readonly refusal?: Refusal;
}

export class InlineActors {
  readonly #chart: Chart;
  readonly #active = new Map<string, Running>();
  readonly #detached = new Map<string, Running>();
  readonly #ended = new Map<string, CarriedActor>();
  readonly #counts = new Map<string, number>();

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  /** @param logicOf the logic of an active invoke by its id, or of an actor by its name */
  restore(
    { active = {}, detached = {}, ended = {}, counts = {} }: CarriedActors,
    logicOf: (id: string, name?: string) => unknown,
  ) {
    const add = (to: Map<string, Running>, key: string, state: unknown, name?: string) => {
      const actor = inlineActorOf(logicOf(key, name));
      if (actor) to.set(key, { actor, state });
    };
    for (const [id, state] of Object.entries(active)) add(this.#active, id, state);
    for (const [key, { name, state }] of Object.entries(detached)) add(this.#detached, key, state, name);
    for (const [key, saved] of Object.entries(ended)) this.#ended.set(key, saved);
    for (const [id, count] of Object.entries(counts)) this.#counts.set(id, count);
  }

  get carried(): CarriedActors {
    const detached = [...this.#detached].map(
      ([key, { actor, state }]) => [key, { name: actor.name, state }] as const,
    );
    return filled({
      active: Object.fromEntries([...this.#active].map(([id, { state }]) => [id, state])),
      detached: Object.fromEntries(detached),
      ended: Object.fromEntries(this.#ended),
      counts: Object.fromEntries(this.#counts),
    });
  }

  /** Of active states, by the ids of their invokes. */
  get active(): ReadonlyMap<string, { readonly actor: InlineActor; readonly state: unknown }> {
    return this.#active;
  }

  get view(): InlineActorView[] {
    return [
      ...[...this.#ended].map(([id, saved]) => ({ id, ...saved, isEnded: true as const })),
      ...this.#all.map(([id, { actor, state }]) => ({ id, name: actor.name, state })),
    ];
  }

  get #all(): [string, Running][] {
    return [...this.#detached, ...this.#active];
  }

  /** Whether the process must stay open for them, whatever its chart does. */
  get haveToCleanUp(): boolean {
    return this.#detached.size > 0 || [...this.#active.values()].some(hasToCleanUp);
  }

  of(key: string): InlineActor | undefined {
    return (this.#active.get(key) ?? this.#detached.get(key))?.actor;
  }

  begin(id: string, actor: InlineActor, input: unknown): void {
    const running: Running = { actor, state: undefined };
    this.#active.set(id, running);
    if (actor.isIndependent) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    this.#carryOut(id, running, actor.begin(input, this.#invoke(id)));
  }

  /** The chart has left the state that made it. False: it is none of them. */
  stop(id: string): boolean {
    const running = this.#active.get(id);
    if (!running) return false;
    this.#active.delete(id);
    if (hasToCleanUp(running)) this.#detach(id, running);
    else this.#end(id, running);
    return true;
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
    const running = this.#detached.get(key) ?? this.#active.get(key);
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

  requestCancellation(): void {
    for (const [key] of this.#all) this.take(key, { type: CANCEL_CALL });
  }

  /** Those that go on by themselves learn of their new definition. */
  tellOfMigration(event: EventObject): void {
    for (const [key, { actor }] of this.#all) if (actor.isIndependent) this.take(key, event);
  }

  #invoke(key: string): InvokeContext {
    const { process, context } = this.#chart;
    const count = this.#counts.get(key) ?? 1;
    return { id: key, count, context, start: process.start, now: process.world.now() };
  }

  #carryOut(key: string, running: Running, result: StepResult): void {
    running.state = result.state;
    this.#wait(key, running.actor, result);
    for (const event of result.emitted ?? []) emitted(event as never, this.#chart.process);
    for (const message of result.messages ?? []) this.#tellOthers(key, message);
    for (const message of result.again ?? []) this.#chart.process.pushMessage({ ...message, again: true });
    this.#conclude(key, running, result);
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
      if (!logic) throw new TypeError(`${key} calls what the engine cannot run`);
      process.calls.start(key, { id, logic, input });
    }
    for (const each of cancelled) process.calls.send(key, each, { type: CANCEL_CALL });
    if (timers && !end) process.timers.setOf(key, timers);
  }

  #conclude(key: string, running: Running, { events = [], end }: StepResult): void {
    if (this.#detached.get(key) === running) {
      // Nobody hears it any more.
      if (!end) return;
      this.#detached.delete(key);
      this.#end(key, running);
      return;
    }
    for (const event of events) this.#chart.deliver(event);
    // The events just delivered may have left the state that invoked this actor: its result is then dropped.
    if (!end || this.#active.get(key) !== running) return;
    this.#active.delete(key);
    this.#keep(key, running);
    // Another one may begin under its id. What the end of the chart ends is not worth the event of a cancellation.
    const former = `${key}${ENDED}`;
    this.#rename(key, former);
    this.#chart.deliver('error' in end ? errorEvent(key, end.error) : doneEvent(key, end.output));
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

const hasToCleanUp = ({ actor, state }: Running): boolean => actor.hasToCleanUp?.(state as never) === true;

/** Behind the id of the invoke, in the key of one whose state was left. */
const LEFT = ' left';
/** The same, of one that has ended. */
const ENDED = ' ended';

const filled = <Maps extends Readonly<Record<string, object>>>(maps: Maps): Partial<Maps> =>
  Object.fromEntries(Object.entries(maps).filter(([, map]) => Object.keys(map).length > 0)) as Partial<Maps>;
