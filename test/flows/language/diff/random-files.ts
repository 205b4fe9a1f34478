// Random flow files, and random changes to them, from one seed: events, delays, questions, calls, regions, `always`, context.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import type { Random } from '../../../support/random.ts';

/** A state as the generator writes it, for an edit to change. */
interface Part {
  was?: string;
  type?: 'parallel' | 'final';
  initial?: string;
  on: Record<string, object>;
  after?: Record<string, object>;
  always?: object;
  entry?: object;
  exit?: object;
  invoke?: { id: string; src: string; was?: string; input: object; onDone: object; onError: object };
  states?: Record<string, Part>;
}

export interface Chart {
  readonly context: Record<string, unknown>;
  readonly states: Record<string, Part>;
}

export const events = ['e0', 'e1', 'e2', 'e3'];

const target = (random: Random): { target: string } => ({ target: `#t${random(4)}` });

const delayOf = (random: Random): string =>
  ['P1D', 'P2D', 'P3D', 'P5D', 'P9D', '${context.wait}', '${context.n > 2 ? "P4D" : "P6D"}'][
    random(7)
  ] as string;

const count = { type: 'assign', params: { n: '${context.n + 1}' } };

/** It fails wherever it is done. */
const fails = { type: 'assign', params: { n: '${context.none + 1}' } };

const invokeOf = (random: Random, id: string): NonNullable<Part['invoke']> => {
  const isAsked = random(2) === 0;
  const input = isAsked
    ? { of: 'desk', question: 'There?', fields: { there: { type: 'yesNo' } } }
    : { connector: 'shop', method: 'POST', path: '/orders' };
  return { id, src: isAsked ? 'ask' : 'call', input, onDone: target(random), onError: target(random) };
};

const failing = {
  src: 'call',
  input: { connector: 'shop', method: 'POST', path: '/orders/${string(context.none + 1)}' },
};

function part(random: Random, path: string, depth: number): Part {
  const made: Part = { on: {} };
  for (const event of events)
    if (random(3) === 0) made.on[event] = random(4) === 0 ? { actions: count } : target(random);
  if (random(2) === 0)
    made.after = { [delayOf(random)]: random(4) === 0 ? { actions: count } : target(random) };
  if (random(4) === 0) made.invoke = invokeOf(random, `i-${path}`);
  if (random(6) === 0) made.entry = count;
  if (random(6) === 0) made.exit = { type: 'emit', params: { type: 'parcel.left' } };
  if (random(9) === 0) made.always = { guard: '${context.n > 6}', ...target(random) };
  // Small, so that an edit is where a process is.
  if (depth < 1 + random(2) && random(3) > 0) {
    const isParallel = random(3) === 0;
    const keys = ['a', 'b', 'c'].slice(0, 2 + random(2));
    const inner = keys.map((key): [string, Part] => [key, part(random, `${path}-${key}`, depth + 1)]);
    // Else nobody would ever be in the states beside the initial one.
    if (!isParallel)
      for (const [index, [, each]] of inner.entries())
        each.on[`e${random(4)}`] = { target: keys[(index + 1) % keys.length] };
    made.states = Object.fromEntries(inner);
    if (isParallel) made.type = 'parallel';
    else made.initial = keys[random(keys.length)] as string;
  }
  return made;
}

export const chart = (random: Random): Chart => ({
  context: { n: 0, wait: 'P6D', none: null },
  states: Object.fromEntries([0, 1, 2, 3].map((key) => [`s${key}`, part(random, `s${key}`, 0)])),
});

export const fileOf = ({ context, states }: Chart): FlowFile =>
  ({
    name: 'Random',
    meaning: 'Is random.',
    context,
    initial: Object.keys(states)[0],
    states: Object.fromEntries(
      Object.entries(states).map(([key, each], index) => [key, { id: `t${index}`, ...each }]),
    ),
  }) as unknown as FlowFile;

const partsAt = (states: Record<string, Part>, around = ''): [path: string, part: Part][] =>
  Object.entries(states).flatMap(([key, each]) => [
    [around + key, each],
    ...partsAt(each.states ?? {}, `${around}${key}.`),
  ]);

const partsOf = (states: Record<string, Part>): Part[] => partsAt(states).map(([, part]) => part);

/** With another key, at the same place. */
function renamed(states: Record<string, Part>, key: string, now: string, was: string): Record<string, Part> {
  return Object.fromEntries(
    Object.entries(states).map(([each, inner]) => (each === key ? [now, { ...inner, was }] : [each, inner])),
  );
}

/**
 * Some of the ways in which a file is changed, one after the other.
 * @param occupied the paths of states in which processes are: most edits change these
 */
export function edited(random: Random, before: Chart, occupied: ReadonlySet<string>): Chart {
  let { context, states } = structuredClone(before);
  const isOccupied = (path: string) => [...occupied].some((each) => `${each}.`.startsWith(`${path}.`));
  const near = new Set(partsAt(states).flatMap(([path, part]) => (isOccupied(path) ? [part] : [])));
  for (let left = 1 + random(random(3) === 0 ? 8 : 2); left > 0; left--) {
    const all = partsOf(states);
    const close = all.filter((part) => near.has(part));
    const some = close.length > 0 && random(4) > 0 ? close : all;
    const each = some[random(some.length)] as Part;
    const edits: (() => void)[] = [
      () => {
        each.after = { [delayOf(random)]: target(random) };
      },
      () => {
        delete each.after;
      },
      () => {
        delete each.on[`e${random(4)}`];
      },
      () => {
        each.on[`e${random(4)}`] = target(random);
      },
      () => {
        delete each.invoke;
      },
      () => {
        if (!each.invoke) each.invoke = invokeOf(random, `new${random(1_000)}`);
        else if (!each.invoke.was)
          each.invoke = { ...each.invoke, id: `${each.invoke.id}x`, was: each.invoke.id };
      },
      () => {
        if (each.invoke) each.invoke = { ...invokeOf(random, each.invoke.id) };
      },
      // One that begins with an input that fails.
      () => {
        each.invoke ??= { ...invokeOf(random, `failing${random(1_000)}`), ...failing };
      },
      () => {
        if (each.type === 'parallel' && each.states)
          each.states[`n${random(9)}`] = {
            on: { e0: target(random) },
            after: { P7D: target(random) },
            ...(random(2) === 0 && { entry: random(2) === 0 ? count : fails }),
          };
      },
      () => {
        if (each.type === 'parallel' && each.states) delete each.states.c;
      },
      ...[1, 2].map(() => () => {
        const compounds = all.filter(({ initial }) => initial !== undefined);
        const around = compounds[random(compounds.length)];
        const [key] = Object.keys(around?.states ?? {}).filter((inner) => inner !== around?.initial);
        if (!around?.states || !key) return;
        delete around.states[key];
        for (const { on } of Object.values(around.states))
          for (const [event, to] of Object.entries(on))
            if ((to as { target?: string }).target === key) on[event] = { target: around.initial };
      }),
      () => {
        if (each.states || each.initial) return;
        // Nothing leaves it any more but what is around it.
        each.on = {};
        delete each.after;
        delete each.invoke;
        delete each.always;
      },
      () => {
        if (each.states || random(2) === 0) return;
        each.states = { x: { on: {}, ...(random(2) === 0 && { entry: fails }) }, y: { on: {} } };
        each.initial = 'x';
      },
      () => {
        context = { ...context, more: random(4) > 0 ? 0 : '${context.n}' };
      },
      () => {
        if (random(4) === 0) context = { ...context, wait: random(2) === 0 ? 'P8D' : 4 };
      },
      ...[1, 2].map(() => () => {
        each.entry = random(2) === 0 ? count : fails;
      }),
      ...[1, 2, 3].map(() => () => {
        const timed = some.filter(({ after }) => after);
        const one = timed[random(timed.length || 1)];
        const [to] = Object.values(one?.after ?? {});
        if (one && to) one.after = { [delayOf(random)]: to };
      }),
      () => {
        each.always = { guard: '${context.n > 1}', ...target(random) };
      },
      () => {
        const key = `s${random(4)}`;
        if (Object.hasOwn(states, key)) states = renamed(states, key, `${key}now`, key);
      },
    ];
    (edits[random(edits.length)] as () => void)();
  }
  return { context, states };
}
