// Random charts as data, and random edits of them. Every state keeps its number through all edits, so that a test knows what
// has become of it without asking the driver.
import { type AnyStateMachine, assign } from 'xstate';
import type { Plan } from '../../../driver/migration/plan.ts';
import type { Random } from '../../support/random.ts';
import { machine, note, otherInner } from './machines.ts';

export interface Invoked {
  /** Undefined: xstate makes one of the state's path. */
  id: string | undefined;
  src: 'charge' | 'refund' | 'Order' | 'inner';
  /** The number of a state. */
  onDone: number;
}

export interface Delayed {
  /** As long as the chart says: another one may say otherwise by the same name. */
  readonly name?: 'soon';
  readonly ms: number;
  /** The number of a state; null: it only reminds. */
  readonly target: number | null;
}

/** What an event does. */
export interface Step {
  /** The number of a state. */
  readonly to: number;
  /** The least count for which it is taken. */
  readonly from?: number;
  /** It counts. */
  readonly counts: boolean;
}

export interface Part {
  readonly number: number;
  key: string;
  type?: 'parallel' | 'history';
  /** A history: how far it remembers. */
  isDeep?: boolean;
  /** The number of the state that a history leads to at first. */
  target?: number;
  /** The number of a state within. */
  initial?: number;
  /** By event. */
  on: Record<string, Step>;
  /** Taken by itself above a count, which it sets to nothing. */
  always?: { readonly to: number; readonly above: number } | undefined;
  /** Who enters it is counted, and who leaves it. */
  isCounted?: boolean;
  after: Delayed[];
  invoke?: Invoked | undefined;
  /** What begins at its initial state says so. */
  begins?: boolean;
  states: Part[];
}

export const events = ['e0', 'e1', 'e2', 'e3'];

/** A chart: the states at its top. The first one is its initial one. */
export type Chart = Part & {
  /** It has another machine within. */
  hasOtherInner?: boolean;
  /** The delay of the name, in milliseconds. */
  soon?: number;
};

/** How long it is, and by which name. */
export const msOf = ({ name, ms }: Delayed, { soon = SOON_MS }: Chart): number => (name ? soon : ms);
export const delayNameOf = ({ name, ms }: Delayed): string => name ?? String(ms);

const SOON_MS = 1_000;

/** What it has counted: events, and states that it has entered or left. */
export interface Context {
  readonly count: number;
  readonly passed: number;
}

export const isHistory = ({ type }: Part): boolean => type === 'history';

/** The states within, without histories. */
export const statesOf = ({ states }: Part): Part[] => states.filter((each) => !isHistory(each));

class Maker {
  readonly #random: Random;
  #last = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get next(): number {
    this.#last += 1;
    return this.#last;
  }

  part(key: string, depth: number): Part {
    const random = this.#random;
    const made: Part = { number: this.next, key, on: {}, after: [], states: [] };
    if (random(2) === 0)
      made.after.push({ ms: 1 + random(3_000), target: 0, ...(random(4) === 0 && { name: 'soon' }) });
    if (random(5) === 0) made.after.push({ ms: 1 + random(2_000), target: null });
    if (random(3) === 0) {
      const id = random(2) === 0 ? `i${made.number}` : undefined;
      made.invoke = { id, src: (['charge', 'refund', 'inner'] as const)[random(3)] as 'charge', onDone: 0 };
    }
    if (random(5) === 0) made.isCounted = true;
    if (random(3) === 0) made.begins = true;
    if (random(6) === 0) made.always = { to: 0, above: 1 + random(3) };
    if (depth < 2 && random(3) > 0) this.fill(made, depth);
    return made;
  }

  fill(part: Part, depth: number): void {
    const random = this.#random;
    const keys = ['a', 'b', 'c'].slice(0, 2 + random(2));
    part.states = keys.map((key) => this.part(key, depth + 1));
    if (random(3) === 0) part.type = 'parallel';
    else part.initial = part.states[random(keys.length)]?.number as number;
    if (random(2) > 0) return;
    const target = part.states[random(keys.length)]?.number as number;
    part.states.push(historyOf(this.next, random(2) === 0, target));
  }
}

const historyOf = (number: number, isDeep: boolean, target: number): Part => ({
  ...{ number, key: `h${number}`, type: 'history', isDeep, target, on: {}, after: [], states: [] },
});

/** Where transitions of a state may lead: to the top, and to its neighbours. */
function targetsFor(chart: Chart, part: Part, parent: Part): number[] {
  const beside = parent.type === 'parallel' ? [] : statesOf(parent);
  return [...chart.states, ...beside]
    .filter((each) => each !== part || parent === chart)
    .map(({ number }) => number);
}

/** Also to what a state at the top remembers. */
function aimsFor(chart: Chart, part: Part, parent: Part): number[] {
  const remembered = chart.states
    .flatMap(({ states }) => states.filter(isHistory))
    .map(({ number }) => number);
  return [...targetsFor(chart, part, parent), ...remembered, ...remembered];
}

const stepTo = (random: Random, to: number): Step => ({
  ...{ to, counts: random(3) > 0 },
  ...(random(4) === 0 && { from: 1 + random(2) }),
});

export function chartOf(random: Random): Chart {
  const maker = new Maker(random);
  const chart: Chart = { number: 0, key: '', on: {}, after: [], states: [] };
  chart.states = ['s0', 's1', 's2', 's3'].map((key) => maker.part(key, 0));
  chart.initial = chart.states[0]?.number as number;
  for (const { part, parent } of partsOf(chart).filter((each) => !isHistory(each.part))) {
    const targets = targetsFor(chart, part, parent);
    const target = () => targets[random(targets.length)] as number;
    const aims = aimsFor(chart, part, parent);
    const aim = () => aims[random(aims.length)] as number;
    for (const event of events) if (random(3) === 0) part.on[event] = stepTo(random, aim());
    part.after = part.after.map((each) => (each.target === null ? each : { ...each, target: target() }));
    if (part.invoke) part.invoke.onDone = target();
    if (part.always) part.always = { ...part.always, to: aim() };
  }
  return chart;
}

export interface PartAt {
  readonly part: Part;
  readonly parent: Part;
  readonly path: string;
}

/** All states, each before those within it. */
export const partsOf = (parent: Part, path = ''): PartAt[] =>
  parent.states.flatMap((part) => {
    const own = path === '' ? part.key : `${path}.${part.key}`;
    return [{ part, parent, path: own }, ...partsOf(part, own)];
  });

export const idOf = ({ id }: Invoked, path: string): string => id ?? `0.m.${path}`;

/** The guards of a broken chart fail: a process halts there. */
export interface Health {
  isBroken: boolean;
}

export class Broken extends Error {}

export function built(chart: Chart, health: Health = { isBroken: false }): AnyStateMachine {
  const isWhole = (): boolean => {
    if (health.isBroken) throw new Broken('its guard fails');
    return true;
  };
  const isAtLeast =
    (least: number) =>
    ({ context: { count } }: Given): boolean =>
      isWhole() && count >= least;
  const all = partsOf(chart);
  const paths = new Map(all.map(({ part, path }) => [part.number, path]));
  const to = (number: number): object | undefined => {
    const path = paths.get(number);
    return path === undefined ? undefined : { target: `#m.${path}` };
  };
  const histories = new Set(all.flatMap(({ part }) => (isHistory(part) ? [part.number] : [])));
  /** From within, xstate enters a state by its history without leaving it first: it is active twice. */
  const aimed = (number: number, from: string): object | undefined => {
    const around = paths.get(number)?.split('.').slice(0, -1).join('.');
    return histories.has(number) && `${from}.`.startsWith(`${around}.`) ? undefined : to(number);
  };
  const stateOf = (part: Part, path: string, parent: Part): object => {
    if (!isHistory(part)) return configOf(part, path);
    const first = statesOf(parent).find(({ number }) => number === part.target);
    return {
      type: 'history',
      history: part.isDeep ? 'deep' : 'shallow',
      ...(first && { target: first.key }),
    };
  };
  const configOf = (part: Part, path: string): object => ({
    entry: [note(`enter ${path}`), ...(part.isCounted ? [passed] : [])],
    exit: [note(`exit ${path}`), ...(part.isCounted ? [passed] : [])],
    on: Object.fromEntries(
      Object.entries(part.on).flatMap(([event, { to: number, from, counts }]) =>
        aimed(number, path)
          ? [
              [
                event,
                {
                  ...aimed(number, path),
                  guard: isAtLeast(from ?? 0),
                  ...(counts && { actions: counted }),
                },
              ],
            ]
          : [],
      ),
    ),
    ...(part.always &&
      aimed(part.always.to, path) && {
        always: { ...aimed(part.always.to, path), guard: isAtLeast(part.always.above + 1), actions: cleared },
      }),
    after: Object.fromEntries(
      part.after.flatMap(({ name, ms, target }): [string | number, object][] => {
        if (target === null) return [[ms, { actions: note(`remind ${path} ${ms}`) }]];
        return to(target) ? [[name ?? ms, { ...to(target), guard: isWhole }]] : [];
      }),
    ),
    ...(part.invoke && {
      invoke: {
        ...(part.invoke.id !== undefined && { id: part.invoke.id }),
        ...{ src: part.invoke.src, onDone: { ...to(part.invoke.onDone), guard: isWhole } },
      },
    }),
    ...(part.type && { type: part.type }),
    ...withinOf(part, path),
  });
  const withinOf = (part: Part, path: string): object => {
    const { states, type } = part;
    if (states.length === 0) return {};
    return {
      ...(type !== 'parallel' && {
        initial: {
          target: initialOf(part)?.key,
          ...(part.begins && { actions: note(`begin ${path}`) }),
        },
      }),
      states: Object.fromEntries(
        states.map((each) => [each.key, stateOf(each, path === '' ? each.key : `${path}.${each.key}`, part)]),
      ),
    };
  };
  const context: Context = { count: 0, passed: 0 };
  const made = machine({ ...withinOf(chart, ''), context });
  const delays = { soon: chart.soon ?? SOON_MS };
  return made.provide({ delays, ...(chart.hasOtherInner && { actors: { inner: otherInner } }) } as never);
}

interface Given {
  readonly context: Context;
}

const counted = assign({ count: ({ context: { count } }: Given) => count + 1 } as never);
const cleared = assign({ count: 0 } as never);
const passed = assign({ passed: ({ context: { passed: before } }: Given) => before + 1 } as never);

export const initialOf = (part: Part): Part | undefined => {
  const states = statesOf(part);
  return states.find(({ number }) => number === part.initial) ?? states[0];
};

/** The delays that a machine of the chart has: those that would lead nowhere are not built. */
export const delaysIn = (part: Part, numbersThere: ReadonlySet<number>): Delayed[] =>
  part.after.filter(({ target }) => target === null || numbersThere.has(target));

/** Another chart, and what an operator has to say about it: what became of names, and what is given up. */
export interface Edited {
  readonly chart: Chart;
  readonly plan: Required<Pick<Plan, 'states' | 'invokes' | 'leave'>>;
}

/** @param occupied the paths of active states, which most edits change */
export function edited(random: Random, before: Chart, occupied: readonly string[]): Edited {
  const chart = structuredClone(before);
  let last = 10_000;
  const invokes: Record<string, string> = {};
  const active = new Set(
    partsOf(before).flatMap(({ part, path }) => (occupied.includes(path) ? [part.number] : [])),
  );
  for (let count = 1 + random(9); count > 0; count--) {
    const all = partsOf(chart).filter((each) => !isHistory(each.part));
    const near = all.filter((each) => active.has(each.part.number) || active.has(each.parent.number));
    const some = near.length > 0 && random(4) > 0 ? near : all;
    const { part, parent } = some[random(some.length)] as PartAt;
    const targets = targetsFor(chart, part, parent);
    const target = () => targets[random(targets.length)] as number;
    const aims = aimsFor(chart, part, parent);
    const aim = () => aims[random(aims.length)] as number;
    /** Most of what is to be changed is where the process is. */
    const nearWith = (has: (each: Part) => boolean): Part => {
      const found = near.filter((each) => has(each.part));
      return (found[random(Math.max(1, found.length))] ?? { part }).part;
    };
    const leaf = (key: string): Part => {
      last += 1;
      return {
        number: last,
        key: `${key}${last}`,
        on: { e0: stepTo(random, target()) },
        after: [{ ms: 1 + random(2_000), target: target() }],
        states: [],
      };
    };
    const edits: (() => void)[] = [
      ...[1, 2, 3].map(() => () => {
        const one = nearWith(({ after }) => after.length > 0);
        one.after = one.after.map((each) => (random(4) === 0 ? each : { ...each, ms: 1 + random(4_000) }));
      }),
      ...[1, 2].map(() => () => {
        chart.soon = 1 + random(3_000);
      }),
      () => {
        part.after = part.after.filter(() => random(2) === 0);
      },
      () => {
        if (part.after.length < 2)
          part.after.push({ ms: 2_001 + random(500), target: random(2) === 0 ? null : target() });
      },
      () => {
        delete part.on[`e${random(4)}`];
      },
      () => {
        part.on[`e${random(4)}`] = stepTo(random, aim());
      },
      () => {
        nearWith(({ invoke }) => invoke !== undefined).invoke = undefined;
      },
      () => {
        last += 1;
        part.invoke ??= { id: `i${last}`, src: 'charge', onDone: target() };
      },
      () => {
        if (part.invoke) part.invoke.src = random(2) === 0 ? 'Order' : 'inner';
      },
      ...[1, 2, 3, 4].map(() => () => {
        part.always = random(4) === 0 ? undefined : { to: aim(), above: 0 };
      }),
      () => {
        part.isCounted = !part.isCounted;
      },
      () => {
        if (random(3) === 0) chart.hasOtherInner = true;
      },
      // What a state remembers: added, renamed, or removed.
      () => {
        last += 1;
        const histories = part.states.filter(isHistory);
        const [one] = histories;
        const first = statesOf(part)[0]?.number;
        if (!one && first !== undefined) part.states.push(historyOf(last, random(2) === 0, first));
        else if (one && random(2) === 0) one.key = `r${last}`;
        else part.states = statesOf(part);
      },
      () => {
        if (part.invoke) part.invoke.onDone = target();
      },
      // Renamed, sometimes to what another state was called.
      () => {
        last += 1;
        const former = partsOf(before).find((each) => each.part.number === part.number)?.parent;
        const free = (former?.states ?? [])
          .map(({ key }) => key)
          .find((key) => parent.states.every((each) => each.key !== key));
        part.key = random(2) === 0 && free !== undefined ? free : `r${last}`;
      },
      () => {
        if (statesOf(parent).length > (parent === chart ? 2 : 1) && part.number !== parent.initial)
          parent.states = parent.states.filter((each) => each !== part);
      },
      // Moved into another state.
      () => {
        const within = new Set(partsOf(part).map((each) => each.part));
        const others = all.filter(
          (each) =>
            each.part !== part &&
            each.part !== parent &&
            !within.has(each.part) &&
            each.part.states.length > 0,
        );
        const other = others[random(Math.max(1, others.length))]?.part;
        if (!other || parent === chart || part.number === parent.initial || statesOf(parent).length < 2)
          return;
        if (other.states.some(({ key }) => key === part.key)) return;
        parent.states = parent.states.filter((each) => each !== part);
        other.states.push(part);
      },
      () => {
        if (part.states.length > 0) part.states.push(leaf('n'));
      },
      () => {
        if (part.states.length > 0) return;
        part.states = [leaf('x'), leaf('y')];
        part.initial = part.states[0]?.number as number;
      },
      () => {
        if (part.type !== 'parallel' && part.states.length > 0)
          part.initial = statesOf(part)[random(statesOf(part).length)]?.number as number;
      },
    ];
    (edits[random(edits.length)] as () => void)();
  }
  // What may run there is called otherwise, or is gone.
  for (const { part } of partsOf(chart))
    if (active.has(part.number) && part.invoke?.id !== undefined && random(2) === 0) {
      last += 1;
      if (random(3) === 0) part.invoke = undefined;
      else part.invoke.id = `i${last}`;
    }
  const now = new Map(partsOf(chart).map((each) => [each.part.number, each]));
  for (const { part, path } of partsOf(before)) {
    const image = now.get(part.number);
    if (!part.invoke || !image?.part.invoke) continue;
    const [was, is] = [idOf(part.invoke, path), idOf(image.part.invoke, image.path)];
    const isNamed = part.invoke.id !== undefined && image.part.invoke.id !== undefined;
    // Where an author forgets to say it, the process is refused while the invoke runs.
    if (was !== is && isNamed && random(4) > 0) invokes[was] = is;
  }
  // Sometimes an invoke that has gone from its state, or has become another one, is given up.
  const ended = partsOf(before).flatMap(({ part, path }) => {
    const image = now.get(part.number)?.part;
    const isGone = part.invoke && image && image.invoke?.src !== part.invoke.src;
    return part.invoke && isGone && random(2) === 0 ? [idOf(part.invoke, path)] : [];
  });
  const leave = [...leaveIn(random, before, chart, occupied), ...ended];
  return { chart, plan: { states: statesIn(before, chart), invokes, leave } };
}

/** What a person says: only where the path alone would not find it. */
function statesIn(before: Chart, chart: Chart): Record<string, string> {
  const now = new Map(partsOf(chart).map(({ part, path }) => [part.number, path]));
  const states: Record<string, string> = {};
  for (const { part, parent, path } of partsOf(before)) {
    const [image, around] = [now.get(part.number), parent.number === 0 ? '' : now.get(parent.number)];
    const byKey = around === '' ? part.key : `${around}.${part.key}`;
    if (image !== undefined && image !== byKey) states[path] = image;
  }
  return states;
}

/** What is gone, and sometimes a state that is still there: it is left, and perhaps entered again. */
function leaveIn(random: Random, before: Chart, chart: Chart, occupied: readonly string[]): string[] {
  const now = new Set(partsOf(chart).map(({ part }) => part.number));
  const given = random(3) === 0 ? occupied[random(occupied.length)] : undefined;
  const gone = partsOf(before).flatMap(({ part, path }) =>
    !now.has(part.number) && random(2) === 0 ? [path] : [],
  );
  return given === undefined ? gone : [...gone, given];
}
