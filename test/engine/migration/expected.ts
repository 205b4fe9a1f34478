// What a migration must lead to, found without the engine: by a reading of the two charts as data.
import type { AnyStateMachine, EventObject } from 'xstate';
import { Model } from './model.ts';
import {
  type Chart,
  type Delayed,
  delayNameOf,
  delaysIn,
  idOf,
  initialOf,
  isHistory,
  msOf,
  type PartAt,
  partsOf,
} from './random-charts.ts';
import type { Edited } from './random-edits.ts';

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
  /** The process has halted at it. */
  readonly halted?: EventObject | undefined;
}

/** Null: the process cannot be carried, whatever else is true. */
export function expectedOf(
  old: Model,
  { before, edited: { chart, plan }, machine, halted }: Charts,
): Expected | null {
  const active = new Set(old.paths);
  const { count, passed } = old.context;
  const was = partsOf(before).filter(({ path }) => active.has(path));
  const all = partsOf(chart);
  const now = new Map(all.map((each) => [each.part.number, each]));
  const isGivenUp = (path: string) => plan.leave.some((left) => path === left || path.startsWith(`${left}.`));
  const carried = new Map<PartAt, PartAt>();
  for (const each of was) {
    const image = now.get(each.part.number);
    if (image && !isGivenUp(each.path)) carried.set(image, each);
  }
  const partial = new Set([...carried.keys()].flatMap((each) => withAncestors(each, all)));
  const nodes = completed(chart, partial, all);
  if (!nodes) return null;
  const kept = new Set(carried.values());
  const left = was.filter((each) => !kept.has(each)).reverse();
  const entered = all.filter((each) => nodes.has(each) && !carried.has(each));
  const counted = [...left, ...entered].filter(({ part }) => part.isCounted).length;
  const model = Model.placed(machine, {
    value: valueIn(chart, nodes, all),
    now: old.now,
    context: { count, passed: passed + counted },
  });
  const placedCalls = placeCalls(old, model, { was, carried, nodes, plan });
  if (!placedCalls) return null;
  const delays = placeTimers(old, model, { carried, nodes, before, chart });
  placeHistory(old, model, { before, chart, now, machine });
  model.settle();
  const settled = model.notes();
  if (halted) takeHalted(model, halted, { was, carried, invokes: placedCalls.invokes, delays });
  settled.push(...model.notes());
  // One whose state is left again at once is cancelled.
  const going = [...placedCalls.running].filter(([, { path }]) => !settled.includes(`exit ${path}`));
  const begins = (each: PartAt) =>
    each.part.begins && each.part.type !== 'parallel' && each.part.states.length > 0 && !hasIn(each, partial)
      ? [`begin ${each.path}`]
      : [];
  return {
    model,
    carriedCalls: new Map(going.map(([id, { now: is }]) => [id, is])),
    notes: [
      ...left.map(({ path }) => `exit ${path}`),
      ...entered.flatMap((each) => [`enter ${each.path}`, ...begins(each)]),
      ...all.filter((each) => nodes.has(each) && carried.has(each)).flatMap(begins),
      ...settled,
    ],
  };
}

const hasIn = ({ part }: PartAt, nodes: ReadonlySet<PartAt>): boolean =>
  [...nodes].some(({ parent }) => parent === part);

interface Renamed {
  readonly was: readonly PartAt[];
  readonly carried: ReadonlyMap<PartAt, PartAt>;
  readonly invokes: ReadonlyMap<string, string>;
  /** Events of delays, by what they were. */
  readonly delays: ReadonlyMap<string, string>;
}

/** Taken again under its new name; what belongs to a state that has been left does not count. */
function takeHalted(model: Model, halted: EventObject, { was, carried, invokes, delays }: Renamed): void {
  const answered = /^xstate\.done\.actor\.(.*)$/.exec(halted.type)?.[1];
  if (halted.type.startsWith('xstate.after.')) {
    const type = delays.get(halted.type);
    if (type !== undefined) model.take({ type });
  } else if (answered === undefined) model.take(halted);
  else {
    const kept = new Set(carried.values());
    const owner = was.find(({ part, path }) => part.invoke && idOf(part.invoke, path) === answered);
    const id = invokes.get(answered) ?? (owner && kept.has(owner) ? answered : undefined);
    if (id !== undefined)
      model.take({ type: `xstate.done.actor.${id}`, output: 'ok', actorId: id } as EventObject);
  }
}

interface Remembering {
  readonly before: Chart;
  readonly chart: Chart;
  /** By their numbers. */
  readonly now: ReadonlyMap<number, PartAt>;
  readonly machine: AnyStateMachine;
}

/**
 * A state that is remembered is so under its new name, as long as it is still where the history looks, and they can all be
 * active.
 */
function placeHistory(old: Model, model: Model, { before, chart, now, machine }: Remembering): void {
  const numbers = new Map(partsOf(before).map(({ part, path }) => [path, part.number]));
  const all = [...now.values()];
  const imageOf = (path: string) => now.get(numbers.get(path) ?? Number.NaN);
  const history: Record<string, unknown[]> = {};
  for (const [id, remembered] of Object.entries(old.snapshot.historyValue)) {
    const image = imageOf(id.slice('m.'.length));
    if (!image || !isHistory(image.part)) continue;
    const around = image.path.split('.').slice(0, -1).join('.');
    const found = (remembered as readonly { path: string[] }[]).flatMap(({ path }) => {
      const at = imageOf(path.join('.'));
      const isThere = image.part.isDeep ? at?.path.startsWith(`${around}.`) : at?.parent === image.parent;
      return at && isThere ? [at] : [];
    });
    const isOneState = completed(chart, new Set(found.flatMap((each) => withAncestors(each, all))), all);
    if (isOneState && found.length === remembered.length && found.length > 0)
      history[`m.${image.path}`] = found.map(({ path }) => machine.getStateNodeById(`m.${path}`));
  }
  Object.assign(model.snapshot, { historyValue: history });
}

const withAncestors = (each: PartAt, all: readonly PartAt[]): PartAt[] =>
  all.filter(({ path }) => each.path === path || each.path.startsWith(`${path}.`));

/** With initial states and regions; null where states would exclude each other. */
function completed(chart: Chart, partial: ReadonlySet<PartAt>, all: readonly PartAt[]): Set<PartAt> | null {
  const nodes = new Set<PartAt>();
  const add = (parent: Chart, path: string): boolean => {
    const inner = all.filter(
      (each) =>
        each.parent === parent && !isHistory(each.part) && (path === '' || each.path.startsWith(`${path}.`)),
    );
    if (inner.length === 0) return true;
    const there = inner.filter((each) => partial.has(each));
    if (parent.type !== 'parallel' && there.length > 1) return false;
    const first = inner.find(({ part }) => part === initialOf(parent));
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

interface Placed {
  readonly running: ReadonlyMap<string, { readonly now: string; readonly path: string }>;
  /** Also of those that have answered. */
  readonly invokes: ReadonlyMap<string, string>;
}

/** The calls that somebody outside answers, by the old id. Null: something runs that nothing waits for. */
function placeCalls(old: Model, model: Model, { was, carried, nodes, plan }: Places): Placed | null {
  const invokes = new Map<string, string>();
  const same = new Map<string, { readonly now: string; readonly path: string }>();
  const known = new Set<string>();
  const images = new Map([...carried].map(([now, origin]) => [origin, now]));
  const named = new Map(
    [...nodes].flatMap(({ part, path }) =>
      part.invoke ? [[idOf(part.invoke, path), { ...part.invoke, path }] as const] : [],
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
    const isGivenUp = plan.leave.some(
      (path) => path === id || each.path === path || each.path.startsWith(`${path}.`),
    );
    if (isRunning && now?.src !== invoke.src && !isGivenUp) return null;
    if (found === undefined || !now || (isRunning && now.src !== invoke.src)) continue;
    // Its state is left and entered again, with another one.
    if (!image && now.src !== invoke.src) continue;
    known.add(found);
    if (now.src === invoke.src) invokes.set(id, found);
    if (!isRunning) continue;
    same.set(id, { now: found, path: now.path });
    model.calls.add(found);
  }
  for (const id of named.keys()) if (!known.has(id)) model.calls.add(id);
  return { running: same, invokes };
}

interface Timed {
  readonly carried: ReadonlyMap<PartAt, PartAt>;
  readonly nodes: ReadonlySet<PartAt>;
  readonly before: Chart;
  readonly chart: Chart;
}

/** Every delay counts from the moment at which its state was entered; one that has fired does not come again. */
function placeTimers(
  old: Model,
  model: Model,
  { carried, nodes, before, chart }: Timed,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const numbersOf = (each: Chart) => new Set(partsOf(each).map(({ part }) => part.number));
  const [there, here] = [numbersOf(before), numbersOf(chart)];
  for (const node of nodes) {
    const origin = carried.get(node);
    const enteredAt = origin ? (old.entered.get(origin.path) as number) : old.now;
    model.entered.set(node.path, enteredAt);
    const former = origin ? delaysIn(origin.part, there) : [];
    const present = delaysIn(node.part, here);
    const oldType = (each: Delayed) => `xstate.after.${delayNameOf(each)}.m.${origin?.path}`;
    const isOpen = (each: Delayed) => old.timers.has(oldType(each));
    const origins = pairedDelays(former, present, isOpen);
    for (const each of present) {
      const type = `xstate.after.${delayNameOf(each)}.m.${node.path}`;
      const was = origins.get(each);
      if (was) renamed.set(oldType(was), type);
      if (was && !isOpen(was)) continue;
      const isMoved = was && old.moved.has(oldType(was));
      const dueAt = isMoved ? (old.timers.get(oldType(was)) as number) : enteredAt + msOf(each, chart);
      model.timers.set(type, Math.max(old.now + 1, dueAt));
      if (isMoved) model.moved.add(type);
    }
  }
  return renamed;
}

/**
 * By the new one, the old one: the timer of the same name, else of the same delay, else the only one that leads to the same state,
 * else the only one left.
 */
function pairedDelays(
  former: readonly Delayed[],
  present: readonly Delayed[],
  isOpen: (each: Delayed) => boolean,
): Map<Delayed, Delayed> {
  const origins = new Map<Delayed, Delayed>();
  const rules: ((one: Delayed, other: Delayed) => boolean)[] = [
    (one, other) => one.timer !== undefined && one.timer === other.timer,
    (one, other) => delayNameOf(one) === delayNameOf(other),
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
