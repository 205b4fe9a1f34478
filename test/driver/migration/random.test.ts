// Random charts, changed at random, and processes that stand anywhere in them: what holds of every migration. A failure names its
// seed, and the seed is a test.
import { expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { inForm } from '../../support/form.ts';
import { Migrating, machine, note } from './machines.ts';

// Four seconds, or some minutes.
const PAIRS = inForm({ short: 100, long: 10_000 });

/** Mulberry32: the same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

/** The states of a chart as data, which an edit can change. */
interface Part {
  type?: 'parallel' | 'final' | undefined;
  initial?: string;
  on: Record<string, string>;
  after?: Record<number, string>;
  invoke?: { id: string; src: string; onDone: string };
  states?: Record<string, Part>;
}

const events = ['e0', 'e1', 'e2', 'e3'];

function part(random: Random, path: string, depth: number): Part {
  const made: Part = { on: {} };
  const target = () => `#t${random(4)}`;
  for (const event of events) if (random(3) === 0) made.on[event] = target();
  if (random(3) === 0) made.after = { [100 * (1 + random(20))]: target() };
  if (random(4) === 0)
    made.invoke = { id: `i.${path}`, src: random(2) === 0 ? 'charge' : 'refund', onDone: target() };
  if (depth < 2 && random(3) > 0) {
    const isParallel = random(3) === 0;
    const keys = ['a', 'b', 'c'].slice(0, 2 + random(2));
    made.states = Object.fromEntries(keys.map((key) => [key, part(random, `${path}.${key}`, depth + 1)]));
    if (isParallel) made.type = 'parallel';
    else made.initial = keys[random(keys.length)] as string;
  }
  return made;
}

const chart = (random: Random): Record<string, Part> =>
  Object.fromEntries([0, 1, 2, 3].map((key) => [`s${key}`, part(random, `s${key}`, 0)]));

const configOf = ({ on, after, invoke, states, type, initial }: Part, path: string): object => ({
  ...{ on, entry: note(`enter ${path}`), exit: note(`exit ${path}`) },
  ...(after && { after }),
  ...(invoke && { invoke }),
  ...(type && { type }),
  ...(initial && { initial }),
  ...(states && {
    states: Object.fromEntries(
      Object.entries(states).map(([key, inner]) => [key, configOf(inner, `${path}.${key}`)]),
    ),
  }),
});

const built = (states: Record<string, Part>): AnyStateMachine =>
  machine({
    initial: Object.keys(states)[0],
    states: Object.fromEntries(
      Object.entries(states).map(([key, each], index) => [key, { id: `t${index}`, ...configOf(each, key) }]),
    ),
  });

const partsOf = (states: Record<string, Part>): Part[] =>
  Object.values(states).flatMap((each) => [each, ...partsOf(each.states ?? {})]);

/** Some of the ways in which a chart is changed, one after the other. */
function edited(random: Random, before: Record<string, Part>): Record<string, Part> {
  const states = structuredClone(before);
  for (let count = 1 + random(6); count > 0; count--) {
    const all = partsOf(states);
    const each = all[random(all.length)] as Part;
    const edits: (() => void)[] = [
      () => {
        each.after = { [100 * (1 + random(20))]: '#t0' };
      },
      () => {
        delete each.after;
      },
      () => {
        delete each.on[`e${random(4)}`];
      },
      () => {
        each.on[`e${random(4)}`] = `#t${random(4)}`;
      },
      () => {
        delete each.invoke;
      },
      () => {
        if (each.invoke) each.invoke = { ...each.invoke, id: `${each.invoke.id}'` };
        else each.invoke = { id: `new${random(1_000)}`, src: 'charge', onDone: '#t1' };
      },
      () => {
        if (each.invoke) each.invoke = { ...each.invoke, src: 'Order' };
      },
      () => {
        if (each.type !== 'parallel' || !each.states) return;
        each.states[`n${random(9)}`] = { on: { e0: '#t0' }, after: { 700: '#t2' } };
      },
      () => {
        if (each.type === 'parallel' && each.states) delete each.states.c;
      },
      () => {
        const [key] = Object.keys(each.states ?? {}).filter((inner) => inner !== each.initial);
        if (each.states && key && each.type !== 'parallel') delete each.states[key];
      },
      () => {
        if (each.states || random(2) === 0) return;
        each.states = { x: { on: {} }, y: { on: {} } };
        each.initial = 'x';
      },
    ];
    (edits[random(edits.length)] as () => void)();
  }
  return states;
}

/** Somewhere, by a few events, answers and some time. */
function wander(random: Random, one: Migrating, steps: number): void {
  for (let step = 0; step < steps; step++) {
    const calls = one.played.world.calls;
    const kind = random(4);
    if (kind === 0 && calls.length > 0) {
      calls[random(calls.length)]?.done('ok');
      one.played.process.drain();
    } else if (kind === 1) one.played.pass(random(300));
    else one.played.send({ type: `e${random(4)}` });
  }
}

/** All that a process is, without the numbers of its actors and what it keeps of its migrations. */
function standing({ played }: Migrating): unknown {
  const { snapshot, timers, entered, calls } = played.process.carried;
  const byId = <Each extends { readonly id: string }>(all: readonly Each[]) =>
    [...all].sort((first, second) => first.id.localeCompare(second.id));
  return { snapshot, timers: byId(timers), entered, calls: byId(calls ?? []) };
}

/** What is armed and what runs is exactly what the active states have. */
function isWhole(one: Migrating): void {
  const { snapshot } = one.played;
  const nodes = snapshot._nodes;
  const delays = new Set(nodes.flatMap(({ after }) => after.map(({ eventType }) => eventType)));
  for (const { id } of one.played.process.timers.open) expect(delays).toContain(id);
  const invokes = new Set(nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)));
  const open = one.played.process.calls.open.map(({ actor }) => actor.id);
  for (const id of open) expect(invokes).toContain(id);
  expect(new Set(open).size).toBe(open.length);
  expect(one.played.world.calls.map(({ id }) => id).sort()).toEqual(open.sort());
}

interface Pair {
  readonly random: Random;
  readonly one: Migrating;
}

function pair(seed: number): Pair {
  const random = numbers(seed);
  const before = chart(random);
  const one = new Migrating([built(before), built(edited(random, before)), built(before)]);
  wander(random, one, 1 + random(8));
  return { random, one };
}

test(`${PAIRS} random pairs: what is refused changes nothing, what is carried is whole and comes back as it was`, {
  timeout: 3_600_000,
}, () => {
  const outcomes = { carried: 0, refused: 0, back: 0 };
  for (let seed = 1; seed <= PAIRS; seed++) {
    const { random, one } = pair(seed);
    try {
      if (one.played.process.isOpen) follow(random, one, outcomes);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  // Neither is a rarity: else nothing is shown.
  expect(outcomes.carried).toBeGreaterThan(PAIRS / 10);
  expect(outcomes.refused).toBeGreaterThanOrEqual(PAIRS / 100);
  expect(outcomes.back).toBeGreaterThan(PAIRS / 20);
});

function follow(
  random: Random,
  one: Migrating,
  outcomes: { carried: number; refused: number; back: number },
): void {
  one.notes();
  const before = standing(one);
  // The same definition: no command, and the same standing.
  one.migrate(3);
  expect([one.notes(), standing(one)]).toEqual([[], before]);
  one.migrate(1);
  const dry = one.verdict(2, { overdue: 'now' });
  expect(standing(one)).toEqual(before);
  if (dry.verdict !== 'carried') {
    expect(() => one.migrate(2, { plan: { overdue: 'now' } })).toThrow();
    expect([one.notes(), standing(one)]).toEqual([[], before]);
    outcomes.refused += 1;
    return;
  }
  one.migrate(2, { plan: { overdue: 'now' } });
  outcomes.carried += 1;
  expect(one.value).toEqual(dry.outcome?.state);
  isWhole(one);
  const isUnnoticed = one.notes().length === 0 && dry.outcome?.ended.length === 0;
  if (isUnnoticed) {
    one.migrate(1, { back: true });
    expect(standing(one)).toEqual(before);
    outcomes.back += 1;
    one.migrate(2, { plan: { overdue: 'now' } });
  }
  // It goes on, also as a new run.
  const future = random(1_000_000);
  wander(numbers(future), one, 6);
  if (one.played.process.isOpen) isWhole(one);
}

test(`${PAIRS} random pairs: afterwards a process does what a new run of the new definition does there`, {
  timeout: 3_600_000,
}, () => {
  for (let seed = 1; seed <= PAIRS; seed++) {
    const { random, one } = pair(seed);
    const { one: other } = pair(seed);
    if (!one.played.process.isOpen || one.verdict(2, { overdue: 'now' }).verdict !== 'carried') continue;
    for (const each of [one, other]) each.migrate(2, { plan: { overdue: 'now' } });
    if (!other.played.process.isOpen || other.played.process.calls.open.length > 0) continue;
    one.notes();
    other.notes();
    other.played.continueAsNew();
    const future = random(1_000_000);
    for (const each of [one, other]) wander(numbers(future), each, 8);
    expect([seed, one.value, one.notes(), one.timers]).toEqual([
      seed,
      other.value,
      other.notes(),
      other.timers,
    ]);
  }
});
