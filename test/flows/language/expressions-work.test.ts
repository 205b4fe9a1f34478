// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// What the expressions of a step really do, and what their budget is charged for it. The work is counted in steps of the
// code, also in the data: each value that is looked at, and each name of a map that is listed, is a step.
import fc, { type GeneratorValue } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json } from '../../../flows/language/flow-file.ts';
import { CountedWork } from '../../support/counted-work.ts';
import { atSizes, eachSampled } from '../../support/suite.ts';

const work = new CountedWork();
afterAll(() => work[Symbol.dispose]());
const { Budget } = await import('../../../flows/language/expressions/cost.ts');
const { expressionProblem } = await import('../../../flows/language/expressions/expression.ts');
const { expressionFailureIn } = await import('../../../flows/language/expressions/failure.ts');
const { template } = await import('../../../flows/language/expressions/template.ts');

/** Steps for one unit. */
const WORST_RATIO = 130;
/** A tenth of the budget of a step, so that a test takes less time. */
const BUDGET = 20_000;

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const nested = (levels: number, inner: Json, wrap: (inner: Json, level: number) => Json): Json =>
  levels === 0 ? inner : wrap(nested(levels - 1, inner, wrap), levels);
const wide = (value: Json): Json =>
  Object.fromEntries(times(1_500, (index) => [`name-${index}`, value] as const));

const data: () => Record<string, Json> = () => ({
  list: times(1_500, (index) => index),
  other: times(1_500, (index) => index),
  texts: times(800, (index) => `text-${index}`),
  long: 'ab'.repeat(8_000),
  maps: times(300, (index) => ({ a: index, b: ['x', { c: 'y' }], d: 'z' })),
  same: times(300, (index) => ({ a: index, b: ['x', { c: 'y' }], d: 'z' })),
  wide: wide(1),
  wide2: wide(1),
  wides: times(20, () => wide('x')),
  deep: nested(90, 'x', (inner) => [inner]),
  deep2: nested(90, 'x', (inner) => [inner]),
  shapes: times(400, (shape) =>
    nested(30, 'x', (inner, level) => ((shape >> (level % 9)) & 1 ? { a: inner } : [inner])),
  ),
});

/** Names of maps that were listed: V8 does it by itself. */
let listed = 0;

/** Each look at the data runs code, which is counted. */
function watched<Value extends Json>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Array.isArray(value)
    ? value.map(watched)
    : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, watched(each as Json)]));
  return new Proxy(inner as object, {
    get: (target, name) => Reflect.get(target, name) as unknown,
    has: (target, name) => Reflect.has(target, name),
    ownKeys: (target) => {
      const names = Reflect.ownKeys(target);
      listed += names.length;
      return names;
    },
  }) as Value;
}

type Native = (...args: unknown[]) => unknown;
type Measure = (self: string & unknown[], args: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown) => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
const ofText: Measure = ({ length }) => length / 16;
const ofSearch: Measure = ({ length }, [searched]) => (length * Math.max(1, lengthOf(searched))) / 256;

/** What V8 does within one call of its own, in steps that take about as long as one of the code. */
const natives: readonly (readonly [prototype: object, name: string, measure: Measure])[] = [
  [String.prototype, 'includes', ofSearch],
  [String.prototype, 'indexOf', ofSearch],
  [String.prototype, 'lastIndexOf', ofSearch],
  [String.prototype, 'split', (self, args, result) => ofSearch(self, args, result) + lengthOf(result) / 2],
  [String.prototype, 'trim', ofText],
  [String.prototype, 'toLowerCase', ofText],
  [String.prototype, 'toUpperCase', ofText],
  [Array.prototype, 'join', ({ length }, _, result) => length + lengthOf(result) / 16],
];

function stepsOf(run: () => void): number {
  let native = 0;
  listed = 0;
  const originals = natives.map(([prototype, name]) => (prototype as Record<string, Native>)[name] as Native);
  for (const [index, [prototype, name, measure]] of natives.entries())
    (prototype as Record<string, Native>)[name] = function measured(this: string & unknown[], ...args) {
      const result = (originals[index] as Native).apply(this, args);
      native += measure(this, args, result);
      return result;
    };
  try {
    return work.stepsOf(run) + native + listed;
  } finally {
    for (const [index, [prototype, name]] of natives.entries())
      (prototype as Record<string, Native>)[name] = originals[index] as Native;
  }
}

const context = watched(data());

type Scope = Readonly<Record<string, unknown>>;

/** Why it stopped; undefined if it gave a value. */
function evaluated(source: string, scope: Scope, budget: InstanceType<typeof Budget>): string | undefined {
  try {
    template(`\${${source}}`, 'here')(scope, budget);
    return undefined;
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    return failure.code;
  }
}

/** The steps of an expression that has run before, and the units that it is charged for them. */
function judged(source: string) {
  const scope = { context, input: {}, event: {}, flow: {}, now: '2026-01-01T00:00:00.000Z' };
  const run = template(`\${${source}}`, 'here');
  const again = (budget: InstanceType<typeof Budget>) => {
    try {
      run(scope, budget);
    } catch (error) {
      if (!expressionFailureIn(error)) throw error;
    }
  };
  again(new Budget(BUDGET));
  const budget = new Budget(BUDGET);
  const steps = stepsOf(() => again(budget));
  return { steps, units: BUDGET - budget.left };
}

// A short expression does some work that is not charged: it begins and ends.
const ratioOf = ({ steps, units }: { readonly steps: number; readonly units: number }) =>
  steps / (units + 50);

const hostile = [
  'context.list == context.other',
  'context.maps == context.same',
  'context.list.map(x, context.maps == context.same).size()',
  'context.wide == context.wide2',
  'context.wides == context.wides.map(x, context.wides[1])',
  'context.deep == context.deep2',
  'context.maps.all(x, x in context.same)',
  '{"a": 299} in context.maps',
  'context.list.map(x, 7000 in context.list).size()',
  '"text-9000" in context.texts',
  'context.list.map(x, size(context.wide)).size()',
  'context.list.map(x, "none" in context.wide).size()',
  'context.list.map(x, context.wide.exists(y, true)).size()',
  'context.list.map(x, context.wide.map(y, y)).size()',
  'context.list.map(x, context.long.split("").size()).size()',
  'context.list.map(x, context.long.split("a", 2).size()).size()',
  'context.list.map(x, context.texts.join("").size()).size()',
  'context.list.all(x, context.list.join(context.long) != "" || true)',
  'context.list.all(x, [context.maps, context.deep] == [context.same, context.deep2] || true)',
  'context.list.map(x, context.list.map(y, "").join("").size()).size()',
  'context.list.map(x, context.long.size()).size()',
  'context.list.map(x, context.long.lowerAscii()).size()',
  'context.list.map(x, context.long.contains("bb")).size()',
  'context.list.map(x, context.long.lastIndexOf("abbb")).size()',
  'context.list.map(x, context.list + context.list).size()',
  `context.list.map(x, ${Array(60).fill('x').join(' - ')}).size()`,
  `context.list.map(x, [${Array(50).fill('context.maps[0].a').join()}]).size()`,
  `context.list.map(x, {${times(40, (index) => `"n${index}": x`).join()}}).size()`,
  `context.list.map(x, ${Array(30).fill('x > 1 ?').join(' ')} 1 ${Array(30).fill(': 2').join(' ')}).size()`,
  `context.list.map(x, ${'!'.repeat(30)}true).size()`,
  'context.list.map(x, later(now, "P1D")).size()',
  'context.list.map(x, context.list.sum()).size()',
  'context.list.map(x, context.list.max()).size()',
  'context.list.map(x, context.texts.min()).size()',
  'context.list.map(x, context.texts.sort()).size()',
  'context.list.map(x, context.maps.sort("a")).size()',
  'context.list.map(x, context.list.map(y, 0 - y).sort()).size()',
  'context.list.map(x, context.list.map(y, context.long).sort()).size()',
  'context.list.map(x, range(10000).size()).size()',
  'context.list.all(x, context.list.all(y, (y.z > 1) || true))',
  'context.list.exists(x, context.list.exists(y, y.z.a > 1))',
  'context.list.all(x, context.list.all(y, has(context.wide.none) || true))',
  'context.list.all(x, context.shapes.all(y, y == y))',
  'context.shapes.all(x, context.shapes.exists(y, y == x))',
  'context.shapes.map(x, size([x, x])).size()',
  // Lists that hold each other many times: larger than any memory, if they are compared as trees.
  `[1]${'.map(a, [a, a, a, a, a, a])'.repeat(9)} == [1]${'.map(a, [a, a, a, a, a, a])'.repeat(9)}`,
  `[1]${'.map(a, [a, a, a, a, a, a])'.repeat(9)} in [[1]${'.map(a, [a, a, a, a, a, a])'.repeat(9)}]`,
];

eachSampled(
  test,
  hostile,
  6,
)('%s is charged for what it does', (source) => {
  expect(expressionProblem(source)).toBeUndefined();
  expect(ratioOf(judged(source))).toBeLessThan(WORST_RATIO);
});

type Draw = GeneratorValue;
type Kind = 'list' | 'map' | 'text' | 'bool' | 'any';

/** An expression of a kind. `inner` makes one that is a level deeper. */
function drawn(draw: Draw, kind: Kind, depth: number, within: readonly string[]): string {
  const inner = (of: Kind, names = within) => drawn(draw, of, depth - 1, names);
  const loop = (turn: (name: string, names: readonly string[]) => string) => {
    const name = `v${within.length}`;
    return turn(name, [...within, name]);
  };
  const pick = (choices: readonly (() => string)[]) =>
    (choices[draw(fc.nat, { max: choices.length - 1 })] as () => string)();
  const named = (...names: string[]) => names.map((name) => () => `context.${name}`);
  const leaves: Record<Kind, readonly (() => string)[]> = {
    list: [
      ...named('list', 'other', 'texts', 'maps', 'same', 'wides', 'deep', 'deep2', 'shapes'),
      () => '[]',
    ],
    map: named('wide', 'wide2'),
    text: [...named('long'), () => '"a"', () => '""', () => '"text-9"', () => 'string(1)'],
    bool: [() => 'true', () => 'false'],
    any: [...within.map((name) => () => name), () => '1', () => '1.5', ...named('list', 'wide', 'long')],
  };
  const larger: Record<Kind, readonly (() => string)[]> = {
    list: [
      () => loop((name, names) => `${inner('list')}.map(${name}, ${inner('any', names)})`),
      () => loop((name, names) => `${inner('list')}.filter(${name}, ${inner('bool', names)})`),
      () => loop((name, names) => `${inner('map')}.map(${name}, ${inner('any', names)})`),
      () => `${inner('list')} + ${inner('list')}`,
      () => `[${times(draw(fc.nat, { max: 6 }), () => inner('any')).join()}]`,
      () => `${inner('text')}.split(${inner('text')})`,
      () => `${inner('list')}.sort()`,
      () => `context.maps.sort("a")`,
      () => `range(${draw(fc.nat, { max: 2_000 })})`,
    ],
    map: [
      () => `{"a": ${inner('any')}, "b": ${inner('any')}}`,
      () => `context.wides[${draw(fc.nat, { max: 19 })}]`,
    ],
    text: [
      () => `(${inner('text')} + ${inner('text')})`,
      () => `${inner('text')}.lowerAscii()`,
      () => `${inner('list')}.join(${inner('text')})`,
      () => `${inner('text')}.trim()`,
    ],
    bool: [
      () => `${inner('any')} == ${inner('any')}`,
      () => `${inner('list')} == ${inner('list')}`,
      () => `${inner('map')} != ${inner('map')}`,
      () => `${inner('any')} in ${inner('list')}`,
      () => `${inner('text')} in ${inner('map')}`,
      () => `${inner('text')}.contains(${inner('text')})`,
      () => loop((name, names) => `${inner('list')}.all(${name}, ${inner('bool', names)})`),
      () => loop((name, names) => `${inner('list')}.exists(${name}, ${inner('bool', names)})`),
      () => loop((name, names) => `${inner('map')}.exists(${name}, ${inner('bool', names)})`),
      () => loop((name, names) => `${inner('list')}.exists_one(${name}, ${inner('bool', names)})`),
      () => `(${inner('bool')} || ${inner('bool')})`,
      () => `(${inner('bool')} && ${inner('any')}.z)`,
      () => `has(${inner('map')}.a)`,
    ],
    any: [
      () => inner('list'),
      () => inner('map'),
      () => inner('text'),
      () => inner('bool'),
      () => `size(${inner('list')})`,
      () => `${inner('list')}.sum()`,
      () => `${inner('list')}.max()`,
      () => `size(${inner('map')})`,
      () => `size(${inner('text')})`,
      () => `(${inner('any')} + ${inner('any')})`,
      () => `(${inner('bool')} ? ${inner('any')} : ${inner('any')})`,
      () => `${inner('any')}.?z.orValue(1)`,
      () => `${inner('text')}.lastIndexOf(${inner('text')})`,
    ],
  };
  return pick(depth === 0 ? leaves[kind] : larger[kind]);
}

atSizes({ short: 10, long: 5_000 }, (numRuns, seed) =>
  test('generated expressions are charged for what they do', { timeout: 1_800_000 }, () => {
    fc.assert(
      fc.property(fc.gen(), fc.integer({ min: 1, max: 5 }), (draw, depth) => {
        // A list with many turns, so that the work counts.
        const kind = draw(fc.constantFrom<Kind[]>, 'list', 'bool', 'any', 'any');
        const source = `context.list.map(v, ${drawn(draw, kind, depth, ['v'])})${draw(fc.boolean) ? '.size()' : ''}`;
        fc.pre(source.length <= 1_000 && expressionProblem(source) === undefined);
        expect(ratioOf(judged(source)), source).toBeLessThan(WORST_RATIO);
      }),
      { seed, numRuns, endOnFailure: true },
    );
  }),
);

test('values of many different shapes leave no trace in the library', () => {
  const shaped = (shape: number) =>
    nested(20, 'x', (inner, level) => (level > 12 || (shape >> level) & 1 ? [inner] : { a: inner }));
  const shapes = times(600, shaped);
  const run = template('${event.map(x, size([x, x])).size()}', 'here');
  const once = (event: Json) => stepsOf(() => run({ event }, new Budget()));
  once(shapes.slice(0, 1));
  // A value that has been read before is not looked at again.
  const fresh = () => structuredClone(shapes);
  // The first time is as fast as the second: nothing is kept of a shape.
  const [first, second] = [once(fresh()), once(fresh())];
  expect(first).toBeLessThan(second * 1.2);
});

test('values that are too deep to be compared or kept are refused, whatever the stack can hold', () => {
  const deep = (levels: number) => ({
    one: nested(levels, 1, (inner) => [inner]),
    other: nested(levels, 1, (inner) => [inner]),
  });
  const codeOf = (source: string, levels: number) => evaluated(source, { event: deep(levels) }, new Budget());
  expect(codeOf('event.one == event.other', 60)).toBeUndefined();
  expect(codeOf('event.one == event.other', 100)).toBe('TooMuchWork');
  expect(codeOf('event.one in [event.other]', 3_000)).toBe('TooMuchWork');
  expect(codeOf('event.one', 30)).toBeUndefined();
  expect(codeOf('event.one', 40)).toBe('ValueTooLarge');
  expect(codeOf('event.one', 5_000)).toBe('ValueTooLarge');
  expect(codeOf('size(event.one)', 5_000)).toBeUndefined();
});
