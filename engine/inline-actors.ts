// The inline actors of a process: those of active states, those whose state was left and that still clean up, and the last state
// of those that have ended. Calls and timers of each are kept under its key.
import type { EventObject } from 'xstate';
import { CANCEL_CALL, externalLogic } from './actor-kinds.ts';
import type { Refusal } from './commands.ts';
import type { InlineActorView, MessageEvent } from './definition.ts';
import { emitted, type NotifyingProcess } from './effects.ts';
import { type InlineActor, type InvokeContext, inlineActorOf, type StepResult } from './inline-actor.ts';
import type { Calls, Timers } from './pending.ts';
import { doneEvent, errorEvent } from './stepper.ts';

interface Running {
  readonly actor: InlineActor;
  state: unknown;
}

/** Without its logic, which the machine has under the name. */
interface Saved {
  readonly name: string;
  readonly state: unknown;
}

/** As a run carries them into the next one. */
export interface SavedActors {
  /** Of active states, by the ids of their invokes: their logic is the invoke's. */
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly detached?: Readonly<Record<string, Saved>>;
  readonly ended?: Readonly<Record<string, Saved>>;
}

/** The chart, as its actors need it. */
interface Chart {
  readonly process: NotifyingProcess & { readonly timers: Timers; readonly calls: Calls };
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
  readonly #ended = new Map<string, Saved>();

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  /** @param logicOf the logic of an active invoke by its id, or of an actor by its name */
  restore(
    { parts = {}, detached = {}, ended = {} }: SavedActors,
    logicOf: (id: string, name?: string) => unknown,
  ) {
    const add = (to: Map<string, Running>, key: string, state: unknown, name?: string) => {
      const actor = inlineActorOf(logicOf(key, name));
      if (actor) to.set(key, { actor, state });
    };
    for (const [id, state] of Object.entries(parts)) add(this.#active, id, state);
    for (const [key, { name, state }] of Object.entries(detached)) add(this.#detached, key, state, name);
    for (const [key, saved] of Object.entries(ended)) this.#ended.set(key, saved);
  }

  get saved(): SavedActors {
    const detached = [...this.#detached].map(
      ([key, { actor, state }]) => [key, { name: actor.name, state }] as const,
    );
    return {
      ...(this.#active.size > 0 && {
        parts: Object.fromEntries([...this.#active].map(([id, { state }]) => [id, state])),
      }),
      ...(detached.length > 0 && { detached: Object.fromEntries(detached) }),
      ...(this.#ended.size > 0 && { ended: Object.fromEntries(this.#ended) }),
    };
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
    const { calls, timers } = this.#chart.process;
    let key = `${id} left`;
    for (let count = 2; this.#detached.has(key); count++) key = `${id} left ${count}`;
    calls.rename(id, key);
    timers.rename(id, key);
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
    return { id: key, context, start: process.start, now: process.world.now() };
  }

  #carryOut(key: string, running: Running, result: StepResult): void {
    running.state = result.state;
    this.#wait(key, running.actor, result);
    for (const event of result.emitted ?? []) emitted(event as never, this.#chart.process);
    for (const message of result.messages ?? [])
      for (const other of this.accepting(message)?.keys ?? []) if (other !== key) this.take(other, message);
    this.#conclude(key, running, result);
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
    this.#end(key, running);
    this.#chart.deliver('error' in end ? errorEvent(key, end.error) : doneEvent(key, end.output));
  }

  #end(key: string, { actor, state }: Running): void {
    const { calls, timers } = this.#chart.process;
    calls.stopAllOf(key);
    // At the end of the process each cancel would cost an event, although the timers end with it.
    if (this.#chart.isActive) timers.setOf(key, []);
    if (actor.isIndependent) this.#ended.set(key, { name: actor.name, state });
  }
}

const hasToCleanUp = ({ actor, state }: Running): boolean => actor.hasToCleanUp?.(state as never) === true;
