// What a migration must lead to, found without the driver: xstate's own pure transitions, and a reading of the two charts as
// data. It has its own clock, timers and calls.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  transition,
} from 'xstate';
import {
  type Chart,
  type Delayed,
  delaysIn,
  type Edited,
  idOf,
  type PartAt,
  partsOf,
} from './random-charts.ts';

interface Taken {
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
    model.#carryOut(actions as readonly Taken[]);
    return model;
  }

  static placed(machine: AnyStateMachine, { value, now }: { value: unknown; now: number }): Model {
    return new Model(machine.resolveState({ value, context: {} } as never) as AnyMachineSnapshot, now);
  }

  /** What has been done since it was asked last. */
  notes(): string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  get paths(): string[] {
    return this.snapshot._nodes.map(({ path }) => path.join('.')).filter((path) => path !== '');
  }

  take(event: EventObject): void {
    const [next, actions] = transition(this.snapshot.machine, this.snapshot as never, event as never);
    this.snapshot = next as AnyMachineSnapshot;
    this.#carryOut(actions as readonly Taken[]);
  }

  answer(id: string): void {
    this.calls.delete(id);
    this.take({ type: `xstate.done.actor.${id}`, output: 'ok', actorId: id } as EventObject);
  }

  /** False: two are due at once, and their order is not said. */
  pass(milliseconds: number): boolean {
    const until = this.now + milliseconds;
    for (;;) {
      const [next, another] = [...this.timers].sort(([, one], [, other]) => one - other);
      if (!next || next[1] > until) break;
      if (another?.[1] === next[1]) return false;
      this.now = next[1];
      this.timers.delete(next[0]);
      this.take({ type: next[0] });
    }
    this.now = until;
    return true;
  }

  #carryOut(actions: readonly Taken[]): void {
    for (const { type, params } of actions) {
      const given = params as {
        what?: string;
        id?: string;
        actorRef?: { id: string };
        event?: EventObject;
        delay?: number;
      };
      if (type === 'note' && given.what !== undefined) {
        this.#notes.push(given.what);
        if (given.what.startsWith('enter ')) this.entered.set(given.what.slice('enter '.length), this.now);
      }
      // Never at once, as in every world of the driver.
      if (type === 'xstate.raise' && given.event && given.delay !== undefined) {
        this.timers.set(given.event.type, this.now + Math.max(1, given.delay));
        this.moved.delete(given.event.type);
      }
      if (type === 'xstate.spawnChild') this.calls.add(given.actorRef?.id ?? given.id ?? '');
    }
    const nodes = this.snapshot._nodes;
    const delays = new Set(nodes.flatMap(({ after }) => after.map(({ eventType }) => eventType)));
    for (const type of this.timers.keys()) if (!delays.has(type)) this.timers.delete(type);
    const invokes = new Set(nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)));
    for (const id of this.calls) if (!invokes.has(id)) this.calls.delete(id);
  }
}

export interface Expected {
  readonly model: Model;
  /** What is done, in order. */
  readonly notes: readonly string[];
  /** By the old id, the new one: the same call. */
  readonly carriedCalls: ReadonlyMap<string, string>;
}

interface Charts {
  readonly before: Chart;
  readonly edited: Edited;
  readonly machine: AnyStateMachine;
}

/** Null: the process cannot be carried, whatever else is true. */
export function expectedOf(
  old: Model,
  { before, edited: { chart, plan }, machine }: Charts,
): Expected | null {
  const active = new Set(old.paths);
  const was = partsOf(before).filter(({ path }) => active.has(path));
  const all = partsOf(chart);
  const now = new Map(all.map((each) => [each.part.number, each]));
  const isGivenUp = (path: string) => plan.leave.some((left) => path === left || path.startsWith(`${left}.`));
  const carried = new Map<PartAt, PartAt>();
  for (const each of was) {
    const image = now.get(each.part.number);
    if (image && !isGivenUp(each.path)) carried.set(image, each);
  }
  const nodes = completed(
    chart,
    new Set([...carried.keys()].flatMap((each) => withAncestors(each, all))),
    all,
  );
  if (!nodes) return null;
  const kept = new Set(carried.values());
  const left = was.filter((each) => !kept.has(each)).reverse();
  const entered = all.filter((each) => nodes.has(each) && !carried.has(each));
  const model = Model.placed(machine, { value: valueIn(chart, nodes, all), now: old.now });
  const carriedCalls = placeCalls(old, model, { was, carried, nodes, plan });
  if (!carriedCalls) return null;
  placeTimers(old, model, { carried, nodes, before, chart });
  return {
    ...{ model, carriedCalls },
    notes: [...left.map(({ path }) => `exit ${path}`), ...entered.map(({ path }) => `enter ${path}`)],
  };
}

const withAncestors = (each: PartAt, all: readonly PartAt[]): PartAt[] =>
  all.filter(({ path }) => each.path === path || each.path.startsWith(`${path}.`));

/** With initial states and regions; null where states would exclude each other. */
function completed(chart: Chart, partial: ReadonlySet<PartAt>, all: readonly PartAt[]): Set<PartAt> | null {
  const nodes = new Set<PartAt>();
  const add = (parent: Chart, path: string): boolean => {
    const inner = all.filter(
      (each) => each.parent === parent && (path === '' || each.path.startsWith(`${path}.`)),
    );
    if (inner.length === 0) return true;
    const there = inner.filter((each) => partial.has(each));
    if (parent.type !== 'parallel' && there.length > 1) return false;
    const first = inner.find(({ part }) => part.number === parent.initial) ?? inner[0];
    const one = there.length > 0 ? there : [first as PartAt];
    const some = parent.type === 'parallel' ? inner : one;
    for (const each of some) nodes.add(each);
    return some.every((each) => add(each.part, each.path));
  };
  return add(chart, '') ? nodes : null;
}

function valueIn(parent: Chart, nodes: ReadonlySet<PartAt>, all: readonly PartAt[]): object {
  const inner = all.filter((each) => each.parent === parent && nodes.has(each));
  return Object.fromEntries(inner.map(({ part }) => [part.key, valueIn(part, nodes, all)]));
}

interface Places {
  readonly was: readonly PartAt[];
  readonly carried: ReadonlyMap<PartAt, PartAt>;
  readonly nodes: ReadonlySet<PartAt>;
  readonly plan: Edited['plan'];
}

/** Null: something runs that nothing waits for. */
function placeCalls(
  old: Model,
  model: Model,
  { was, carried, nodes, plan }: Places,
): Map<string, string> | null {
  const same = new Map<string, string>();
  const known = new Set<string>();
  const images = new Map([...carried].map(([now, origin]) => [origin, now]));
  const named = new Map(
    [...nodes].flatMap(({ part, path }) =>
      part.invoke ? [[idOf(part.invoke, path), part.invoke] as const] : [],
    ),
  );
  for (const each of was) {
    const { invoke } = each.part;
    if (!invoke) continue;
    const id = idOf(invoke, each.path);
    const image = images.get(each);
    const there = image?.part.invoke;
    const isSameName =
      there && (idOf(there, image.path) === id || (there.id === undefined && invoke.id === undefined));
    const found = plan.invokes[id] ?? (isSameName ? idOf(there, image.path) : undefined);
    const now = found === undefined ? undefined : named.get(found);
    const isRunning = old.calls.has(id);
    const isGivenUp = plan.leave.some((path) => each.path === path || each.path.startsWith(`${path}.`));
    if (isRunning && now?.src !== invoke.src && !isGivenUp) return null;
    if (found === undefined || !now || (isRunning && now.src !== invoke.src)) continue;
    known.add(found);
    if (!isRunning) continue;
    same.set(id, found);
    model.calls.add(found);
  }
  for (const id of named.keys()) if (!known.has(id)) model.calls.add(id);
  return same;
}

interface Timed {
  readonly carried: ReadonlyMap<PartAt, PartAt>;
  readonly nodes: ReadonlySet<PartAt>;
  readonly before: Chart;
  readonly chart: Chart;
}

/** Every delay counts from the moment at which its state was entered; one that has fired does not come again. */
function placeTimers(old: Model, model: Model, { carried, nodes, before, chart }: Timed): void {
  const numbersOf = (each: Chart) => new Set(partsOf(each).map(({ part }) => part.number));
  const [there, here] = [numbersOf(before), numbersOf(chart)];
  for (const node of nodes) {
    const origin = carried.get(node);
    const enteredAt = origin ? (old.entered.get(origin.path) as number) : old.now;
    model.entered.set(node.path, enteredAt);
    const former = origin ? delaysIn(origin.part, there) : [];
    const present = delaysIn(node.part, here);
    const oldType = (ms: number) => `xstate.after.${ms}.m.${origin?.path}`;
    const isOpen = ({ ms }: Delayed) => old.timers.has(oldType(ms));
    const origins = pairedDelays(former, present, isOpen);
    for (const each of present) {
      const type = `xstate.after.${each.ms}.m.${node.path}`;
      const was = origins.get(each);
      if (was && !isOpen(was)) continue;
      const isMoved = was && old.moved.has(oldType(was.ms));
      const dueAt = isMoved ? (old.timers.get(oldType(was.ms)) as number) : enteredAt + each.ms;
      model.timers.set(type, Math.max(old.now + 1, dueAt));
      if (isMoved) model.moved.add(type);
    }
  }
}

/** By the new one, the old one: of the same name, else the only one that leads to the same state, else the only one left. */
function pairedDelays(
  former: readonly Delayed[],
  present: readonly Delayed[],
  isOpen: (each: Delayed) => boolean,
): Map<Delayed, Delayed> {
  const origins = new Map<Delayed, Delayed>();
  const rules: ((one: Delayed, other: Delayed) => boolean)[] = [
    (one, other) => one.ms === other.ms,
    (one, other) => one.target !== null && one.target === other.target,
    (one) => isOpen(one),
  ];
  for (const isPair of rules)
    for (const was of former) {
      const left = (all: readonly Delayed[], taken: Iterable<Delayed>) => {
        const gone = new Set(taken);
        return all.filter((each) => !gone.has(each));
      };
      if ([...origins.values()].includes(was)) continue;
      const [now, another] = left(present, origins.keys()).filter((each) => isPair(was, each));
      const rivals = now ? left(former, origins.values()).filter((each) => isPair(each, now)) : [];
      if (now && !another && rivals.length === 1) origins.set(now, was);
    }
  return origins;
}
