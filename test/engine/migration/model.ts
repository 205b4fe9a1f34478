// A process by xstate's own pure transitions, with its own clock, timers and calls: it uses nothing of the engine.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  transition,
} from 'xstate';
import type { Context } from './random-charts.ts';

interface ModelAction {
  readonly type: string;
  readonly params?: unknown;
}

/** A process as xstate alone has it. */
export class Model {
  now: number;
  snapshot: AnyMachineSnapshot;
  /** By the event of the delay, when it is due. */
  readonly timers = new Map<string, number>();
  /** The timers whose end somebody has moved. */
  readonly moved = new Set<string>();
  /** By path, when the state was entered. */
  readonly entered = new Map<string, number>();
  /** Ids of the invokes that have not answered. */
  readonly calls = new Set<string>();
  #notes: string[] = [];

  private constructor(snapshot: AnyMachineSnapshot, now: number) {
    this.snapshot = snapshot;
    this.now = now;
  }

  static begun(machine: AnyStateMachine): Model {
    const [snapshot, actions] = initialTransition(machine);
    const model = new Model(snapshot as AnyMachineSnapshot, 0);
    model.#carryOut(actions as readonly ModelAction[]);
    return model;
  }

  static placed(
    machine: AnyStateMachine,
    { now, ...state }: { value: unknown; context: Context; now: number },
  ): Model {
    return new Model(machine.resolveState(state as never) as AnyMachineSnapshot, now);
  }

  /** What has been done since it was asked last. */
  notes(): string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  get context(): Context {
    return this.snapshot.context as Context;
  }

  get paths(): string[] {
    return this.snapshot._nodes.map(({ path }) => path.join('.')).filter((path) => path !== '');
  }

  take(event: EventObject): void {
    const [next, actions] = transition(this.snapshot.machine, this.snapshot as never, event as never);
    this.snapshot = next as AnyMachineSnapshot;
    this.#carryOut(actions as readonly ModelAction[]);
  }

  /** What leads on by itself. */
  settle(): void {
    this.take({ type: 'nothing that it knows' });
  }

  answer(id: string): void {
    this.calls.delete(id);
    this.take({ type: `xstate.done.actor.${id}`, output: 'ok', actorId: id } as EventObject);
  }

  /** False: two are due at once, and their order is not said. */
  pass(milliseconds: number): boolean {
    const until = this.now + milliseconds;
    const inOrder = () => [...this.timers].sort(([, one], [, other]) => one - other);
    for (let [next, another] = inOrder(); next && next[1] <= until; [next, another] = inOrder()) {
      if (another?.[1] === next[1]) return false;
      this.now = next[1];
      this.timers.delete(next[0]);
      this.take({ type: next[0] });
    }
    this.now = until;
    return true;
  }

  #carryOut(actions: readonly ModelAction[]): void {
    for (const { type, params } of actions) {
      const given = params as {
        id?: string;
        src?: unknown;
        actorRef?: { id: string };
        event?: EventObject;
        delay?: number;
      };
      if (type === 'xstate.emit') {
        const what = (given.event as unknown as { what: string }).what;
        this.#notes.push(what);
        if (what.startsWith('enter ')) this.entered.set(what.slice('enter '.length), this.now);
      }
      // Never at once, as in every host of the engine.
      if (type === 'xstate.raise' && given.event && given.delay !== undefined) {
        this.timers.set(given.event.type, this.now + Math.max(1, given.delay));
        this.moved.delete(given.event.type);
      }
      if (type !== 'xstate.spawnChild') continue;
      const id = given.actorRef?.id ?? given.id ?? '';
      this.calls.add(id);
    }
    const nodes = this.snapshot._nodes;
    const delays = new Set(nodes.flatMap(({ after }) => after.map(({ eventType }) => eventType)));
    for (const type of this.timers.keys()) if (!delays.has(type)) this.timers.delete(type);
    const invokes = new Set(nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)));
    for (const id of this.calls) if (!invokes.has(id)) this.calls.delete(id);
  }
}
