// Random charts as data, and the machines that are built of them.
import { type AnyStateMachine, assign } from 'xstate';
import type { Random } from '../../support/random.ts';
import { machine, note } from './machines.ts';

export interface Invoked {
  /** Undefined: xstate makes one of the state's path. */
  id: string | undefined;
  src: 'charge' | 'refund' | 'Order';
  /** The number of a state. */
  onDone: number;
}

export interface Delayed {
  /** As long as the chart says: another one may say otherwise by the same name. */
  readonly name?: 'soon';
  /** What its author calls the timer. */
  readonly timer?: string;
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
      made.after.push({
        ms: 1 + random(3_000),
        target: 0,
        ...(random(4) === 0 && { name: 'soon' }),
        ...(made.number % 3 === 2 && { timer: `t${made.number}` }),
      });
    if (random(5) === 0) made.after.push({ ms: 1 + random(2_000), target: null });
    if (random(3) === 0) {
      const id = random(2) === 0 ? `i${made.number}` : undefined;
      made.invoke = { id, src: (['charge', 'refund'] as const)[random(2)] as 'charge', onDone: 0 };
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

export const historyOf = (number: number, isDeep: boolean, target: number): Part => ({
  number,
  key: `h${number}`,
  type: 'history',
  isDeep,
  target,
  on: {},
  after: [],
  states: [],
});

/** Where transitions of a state may lead: to the top, and to its neighbours. */
export function targetsFor(chart: Chart, part: Part, parent: Part): number[] {
  const beside = parent.type === 'parallel' ? [] : statesOf(parent);
  return [...chart.states, ...beside]
    .filter((each) => each !== part || parent === chart)
    .map(({ number }) => number);
}

/** Also to what a state at the top remembers. */
export function aimsFor(chart: Chart, part: Part, parent: Part): number[] {
  const remembered = chart.states
    .flatMap(({ states }) => states.filter(isHistory))
    .map(({ number }) => number);
  return [...targetsFor(chart, part, parent), ...remembered, ...remembered];
}

export const stepTo = (random: Random, to: number): Step => ({
  to,
  counts: random(3) > 0,
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
    ({ context: { count } }: ActionArgs): boolean =>
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
      part.after.flatMap(({ name, timer, ms, target }): [string | number, object][] => {
        const named = timer === undefined ? {} : { name: timer };
        if (target === null) return [[ms, { ...named, actions: note(`remind ${path} ${ms}`) }]];
        return to(target) ? [[name ?? ms, { ...named, ...to(target), guard: isWhole }]] : [];
      }),
    ),
    ...(part.invoke && {
      invoke: {
        ...(part.invoke.id !== undefined && { id: part.invoke.id }),
        src: part.invoke.src,
        onDone: { ...to(part.invoke.onDone), guard: isWhole },
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
  return made.provide({ delays } as never);
}

interface ActionArgs {
  readonly context: Context;
}

const counted = assign({ count: ({ context: { count } }: ActionArgs) => count + 1 } as never);
const cleared = assign({ count: 0 } as never);
const passed = assign({ passed: ({ context: { passed: before } }: ActionArgs) => before + 1 } as never);

export const initialOf = (part: Part): Part | undefined => {
  const states = statesOf(part);
  return states.find(({ number }) => number === part.initial) ?? states[0];
};

/** Whether a state has two delays of one name, which are one delay to xstate. */
export const hasEqualDelays = (chart: Chart): boolean =>
  partsOf(chart).some(({ part: { after } }) => new Set(after.map(delayNameOf)).size < after.length);

/** The delays that a machine of the chart has: those that would lead nowhere are not built. */
export const delaysIn = (part: Part, numbersThere: ReadonlySet<number>): Delayed[] =>
  part.after.filter(({ target }) => target === null || numbersThere.has(target));
