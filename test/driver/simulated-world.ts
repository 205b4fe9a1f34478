// The driver's actors without Temporal: a clock that is set forward by hand, and calls that the test answers.
import type { AnyStateMachine, EventObject } from 'xstate';
import type { DelayedEvent, LocalActor, World } from '../../driver/actions.ts';
import { ActorSystem } from '../../driver/actor-system.ts';
import type { Action, AnyActor } from '../../driver/xstate-internals.ts';

interface Armed extends DelayedEvent {
  readonly from: LocalActor;
  readonly dueAt: number;
}

interface Call {
  readonly owner: LocalActor;
  readonly actor: AnyActor;
  readonly input: unknown;
}

export class SimulatedWorld implements World {
  readonly actors: ActorSystem;
  readonly emits: EventObject[] = [];
  readonly logged: unknown[] = [];
  /** Events that went to an activity or a child workflow. */
  readonly told: EventObject[] = [];
  calls: Call[] = [];
  #armed: Armed[] = [];
  #now = 0;

  constructor(machine: AnyStateMachine, input?: unknown) {
    this.actors = ActorSystem.begun(machine, this, input);
    this.actors.carryOutFirst();
  }

  send(event: EventObject): void {
    if (this.actors.snapshot.status === 'active') this.actors.deliver(this.actors.root, event);
  }

  /** As an activity that has ended does. */
  answer(output: unknown): void {
    const call = this.calls.shift();
    if (!call) throw new TypeError('nothing is called');
    const { id } = call.actor;
    this.actors.deliver(call.owner, { type: `xstate.done.actor.${id}`, output, actorId: id } as EventObject);
  }

  /** What is due in that time comes in its order. */
  pass(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (let next = this.#due(until); next; next = this.#due(until)) {
      this.#armed = this.#armed.filter((armed) => armed !== next);
      this.#now = next.dueAt;
      this.actors.send(next.to, next.event);
    }
    this.#now = until;
  }

  #due(until: number): Armed | undefined {
    const [first] = this.#armed.toSorted((one, other) => one.dueAt - other.dueAt);
    return first && first.dueAt <= until ? first : undefined;
  }

  arm(from: LocalActor, delayed: DelayedEvent): void {
    if (delayed.id !== undefined) this.disarm(from, delayed.id);
    this.#armed.push({ ...delayed, from, dueAt: this.#now + delayed.delay });
  }

  disarm(from: LocalActor, id: string): void {
    this.#armed = this.#armed.filter((armed) => armed.from !== from || armed.id !== id);
  }

  call(owner: LocalActor, actor: AnyActor, input: unknown): void {
    this.calls.push({ owner, actor, input });
  }

  stopCall(owner: LocalActor, id: string): void {
    this.calls = this.calls.filter((call) => call.owner !== owner || call.actor.id !== id);
  }

  tell(_: AnyActor, event: EventObject): void {
    this.told.push(event);
  }

  emitted(event: EventObject): void {
    this.emits.push(event);
  }

  log(value: unknown): void {
    this.logged.push(value);
  }

  perform({ exec, info, params }: Action): void {
    exec?.(info, params);
  }

  forget(actor: LocalActor): void {
    this.#armed = this.#armed.filter(({ from }) => from !== actor);
    this.calls = this.calls.filter(({ owner }) => owner !== actor);
  }
}
