// Whatever the schema and the request, the check of a start does a limited amount of work. It is counted in steps of the
// code, which are the same on a busy machine.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../flows/language/flow-file.ts';
import { CountedWork } from '../../support/counted-work.ts';
import { bySuite, freshSeed, spreadOf } from '../../support/suite.ts';
import { namesForTests } from './names.ts';

const work = new CountedWork();
afterAll(() => work[Symbol.dispose]());
const { CompiledSchemas, inputIssues, schemaFindings } = await import(
  '../../../flows/language/reading/input-schema.ts'
);
const { Report } = await import('../../../flows/language/reading/report.ts');

/** Ajv's own code for the largest schema takes 1 million; the slowest patterns take the most of it. */
const MAX_STEPS = 20_000_000;

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const matched = (pattern: string): JsonObject => ({ type: 'string', maxLength: 1_000, pattern });
const mixed = times(1_000, (index) => 'aab'[(index * index + (index >> 3)) % 3]).join('');
/** Each has other characters, in no order. */
const mixedText = (seed: number) => {
  const bits = createHash('shake256', { outputLength: 125 }).update(String(seed)).digest();
  return times(1_000, (index) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1 ? 'a' : 'b')).join('');
};

/** Schemas that a file may have, each with the request that costs it the most. */
const hostile: readonly (readonly [title: string, schema: JsonObject, request: Json])[] = [
  [
    'alternatives that a RegExp tries in turn',
    { items: matched(`^${'(a|a)'.repeat(38)}$`) },
    times(30, () => `${'a'.repeat(999)}b`),
  ],
  [
    'groups that repeat within a group',
    { items: matched('^((a+)+)+$') },
    times(30, () => `${'a'.repeat(999)}b`),
  ],
  [
    'many optional parts',
    { items: matched(`^(?:${'a?'.repeat(20)}){48}$`) },
    times(30, () => 'a'.repeat(1_000)),
  ],
  [
    'a new state for each character',
    { items: matched('^(?:(?:a|b)*a(?:a|b){60})*[cd]$') },
    times(30, () => mixed),
  ],
  [
    'many instructions for many texts, each with new states',
    { items: matched('^(?:(?:a|b)*a(?:a|b){900})*[cd]$') },
    times(32, mixedText),
  ],
  ['large classes', { items: matched('^[\\p{L}\\p{N}\\p{S}]{980}$') }, times(30, () => 'ä'.repeat(999))],
  [
    'many patterns for one text',
    { items: { allOf: times(90, () => matched('^(?:a|b)*a(?:a|b){12}[cd]$')) } },
    times(30, () => mixed),
  ],
  [
    'a list that is too long for its patterns',
    { items: matched('^(a|ab|b)*$'), maxItems: 3 },
    times(3_000, () => 'abab'),
  ],
  ['a list of many unique items', { uniqueItems: true, maxItems: 9 }, times(5_400, (index) => index)],
  [
    'unique maps in many parts',
    { allOf: times(400, () => ({ uniqueItems: true, maxItems: 1_000 })) },
    times(900, (index) => ({ a: index })),
  ],
  [
    'unique lists of many values in many parts',
    { allOf: times(490, () => ({ uniqueItems: true, maxItems: 1_000 })) },
    times(1_000, (index) => [...String(index).padStart(14, '0')].map(Number)),
  ],
  ['a value among many', { items: { enum: times(5_000, (index) => index) } }, times(16_000, () => 7)],
  [
    'many rules for many items',
    { items: { allOf: times(490, () => ({ type: 'string' })) } },
    times(16_000, () => 1),
  ],
  [
    'many alternatives for many items',
    { items: { anyOf: times(490, () => ({ type: 'string' })) } },
    times(8_000, () => 1),
  ],
  [
    'names that nothing has evaluated',
    {
      allOf: times(160, (index) => ({ if: { required: [`a${index}`] }, else: {} })),
      unevaluatedProperties: false,
    },
    Object.fromEntries(times(500, (index) => [`name-${index}`, 1])),
  ],
];

function isTaken(schema: JsonObject): boolean {
  const report = new Report(namesForTests, () => undefined);
  schemaFindings(schema, ['input'], report);
  return report.findings.length === 0;
}

const stepsOfCheck = (schema: JsonObject, request: Json, schemas = new CompiledSchemas()) =>
  work.stepsOf(() => inputIssues(schema, request, schemas));

// Before all others: on that engine they would take hours.
beforeAll(function noTextOfARequestReachesThePatternsOfJavaScript() {
  const { exec } = RegExp.prototype;
  const text = `${'a'.repeat(20)}b`;
  const tried: string[] = [];
  RegExp.prototype.exec = function spied(this: RegExp, given: string) {
    if (given === text) tried.push(this.source);
    return exec.call(this, given);
  };
  try {
    const schema = { items: matched(`^${'(a|a)'.repeat(20)}$`) };
    expect(inputIssues(schema, [text])).toMatchObject([{ field: 'request.0' }]);
  } finally {
    RegExp.prototype.exec = exec;
  }
  expect(tried, "patterns that run on JavaScript's own engine").toEqual([]);
});

test.each(spreadOf(hostile, 3))('%s: the work is limited', (_, schema, request) => {
  expect(isTaken(schema)).toBe(true);
  expect(stepsOfCheck(schema, request)).toBeLessThan(MAX_STEPS);
});

test('a schema that is checked again is not compiled again, with whatever request', () => {
  const schemaRead = (): JsonObject => ({ oneOf: times(100, (index) => ({ minProperties: index + 2 })) });
  const schemas = new CompiledSchemas();
  const first = stepsOfCheck(schemaRead(), { a: 1 }, schemas);
  expect(stepsOfCheck(schemaRead(), { b: 1 }, schemas)).toBeLessThan(first / 10);
  // A schema that others have been used after, more than are kept, is compiled again.
  for (const each of times(200, (index): JsonObject => ({ minProperties: index })))
    inputIssues(each, {}, schemas);
  expect(stepsOfCheck(schemaRead(), { a: 1 }, schemas)).toBeGreaterThan(first / 2);
});

test('a check leaves nothing of its patterns and its request to the next one', () => {
  const slow = { items: matched('^(?:a?b?){200}$') };
  const long = times(4, () => 'ab'.repeat(200));
  const schemas = new CompiledSchemas();
  for (const _ of times(4, Number)) expect(inputIssues(slow, long, schemas)).toEqual([]);
});

const parts = fc.constantFrom<JsonObject>(
  matched('^(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)$'),
  matched('^(a*)*(b*)*(a|b|ab)*$'),
  matched('(a|b|aa|bb|ab)*c'),
  matched('^(?:a?b?){50}$'),
  { enum: times(200, (index) => `a${index}`) },
  { uniqueItems: true, maxItems: 1_000 },
  { type: 'string', minLength: 3, format: 'email' },
  { items: { type: ['string', 'number'] }, minItems: 2 },
  { contains: { const: 'b' } },
  { propertyNames: matched('^[a-z]*$') },
);
const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    parts,
    fc
      .record({
        keyword: fc.constantFrom('allOf', 'anyOf', 'oneOf'),
        of: fc.array(tie('schema'), { minLength: 1, maxLength: 12 }),
      })
      .map(({ keyword, of }) => ({ [keyword]: of })),
    tie('schema').map((items) => ({ items })),
    tie('schema').map((additionalProperties) => ({ additionalProperties })),
  ),
})).schema;
const values = fc.constantFrom<Json>(
  'a',
  'b',
  'ab'.repeat(300),
  'a'.repeat(999),
  'x@y',
  7,
  null,
  {},
  [],
  ['a'],
);
const requests = fc.oneof(
  fc.tuple(values, fc.integer({ min: 1, max: 4_000 })).map(([value, count]) => times(count, () => value)),
  fc.array(fc.array(values, { maxLength: 20 }), { maxLength: 60 }),
  fc
    .tuple(values, fc.integer({ min: 1, max: 1_500 }))
    .map(([value, count]) => Object.fromEntries(times(count, (index) => [`a${index}`, value]))),
);

test('with generated schemas and requests the work is limited', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(schemas, requests, (schema, request) => {
      fc.pre(isTaken(schema));
      return stepsOfCheck(schema, request) < MAX_STEPS;
    }),
    { seed: freshSeed, numRuns: bySuite({ short: 10, long: 1_000 }) },
  );
});
