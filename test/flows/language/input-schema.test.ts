// The input of a flow file: what its JSON Schema may have, and how a request that starts a process is checked against it.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../flows/language/flow-file.ts';
import { CountedWork } from '../../support/counted-work.ts';
import { atSizes } from '../../support/suite.ts';
import { namesForTests } from './names.ts';

const work = new CountedWork();
afterAll(() => work[Symbol.dispose]());
const { schemaIssues } = await import('../../../flows/language/schema.ts');
const { inputIssues, schemaFindings } = await import('../../../flows/language/reading/input-schema.ts');
const { Report } = await import('../../../flows/language/reading/report.ts');

function findingsOf(schema: Json) {
  const report = new Report(namesForTests, () => undefined);
  schemaFindings(schema, ['input'], report);
  return report.findings.map(({ code, path }) => `${code} ${path}`);
}

test.each<[string, Json, string]>([
  ['a text', 'string', 'TypeWrong input'],
  ['a reference', { properties: { a: { $ref: '#' } } }, 'SchemaInvalid input.properties.a.$ref'],
  ['an unknown keyword', { typ: 'string' }, 'SchemaInvalid input.typ'],
  ['a keyword that is not checked', { items: { pattern: '^a+$' } }, 'SchemaInvalid input.items.pattern'],
  ['patterns of names', { patternProperties: { '^a': {} } }, 'SchemaInvalid input.patternProperties'],
  ['an unknown type', { type: 'text' }, 'SchemaInvalid input.type'],
  ['an unknown format', { type: 'string', format: 'colour' }, 'SchemaInvalid input.format'],
  ['a mark that is no yes or no', { item: 'yes' }, 'SchemaInvalid input.item'],
  ['a bound that is a text', { minimum: '3' }, 'SchemaInvalid input.minimum'],
  ['a length below zero', { minLength: -1 }, 'SchemaInvalid input.minLength'],
  ['names that are no texts', { required: [1] }, 'SchemaInvalid input.required'],
  ['no alternatives', { anyOf: [] }, 'SchemaInvalid input.anyOf'],
  ['a wrong alternative', { anyOf: [{}, { type: 1 }] }, 'SchemaInvalid input.anyOf.1.type'],
  ['an alternative that is no schema', { anyOf: [3] }, 'TypeWrong input.anyOf.0'],
])('%s is no schema', (_, schema, finding) => {
  expect(findingsOf(schema)).toEqual([finding]);
});

test('a property may have the name of a keyword, and a schema may be true or false', () => {
  const properties = { pattern: { type: 'string' }, $id: { const: { pattern: 1 } }, items: false };
  expect(findingsOf({ properties, additionalProperties: false, items: true })).toEqual([]);
});

const schema = {
  type: 'object',
  required: ['item'],
  properties: {
    item: { type: 'string', minLength: 3, maxLength: 40 },
    due: { type: 'string', format: 'date-time' },
    state: { enum: ['whole', 'broken'] },
    pieces: { type: 'integer', maximum: 5 },
    parts: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] }, minItems: 1 },
  },
  additionalProperties: false,
};

test.each(['2026-02-30', '2026-13-01', '26-1-1'])('%s is not a day', (text) => {
  expect(inputIssues({ format: 'date' }, text)).toHaveLength(1);
  expect(inputIssues({ format: 'date' }, '2028-02-29')).toEqual([]);
});

test('every error of a request is reported with its field', () => {
  const right = { item: 'item-1', due: '2026-11-21T12:00:00Z', state: 'whole', pieces: 5, parts: [null] };
  expect(inputIssues(schema, right)).toEqual([]);
  const wrong = { due: 'tomorrow', state: 'lost', user: 'x', pieces: 6, parts: ['a', 1] };
  expect(inputIssues(schema, wrong)).toEqual([
    { field: 'request.item', message: 'is required' },
    { field: 'request.due', message: 'must be a date-time, not "tomorrow"' },
    { field: 'request.state', message: 'must be "whole" or "broken", not "lost"' },
    { field: 'request.user', message: 'is not known' },
    { field: 'request.pieces', message: 'must be at most 5, not 6' },
    { field: 'request.parts.1', message: 'must be string, not 1' },
  ]);
  expect(inputIssues(schema, { item: 'a', parts: [] })).toEqual([
    { field: 'request.item', message: 'must have a length of at least 3, not 1' },
    { field: 'request.parts', message: 'must have a length of at least 1, not 0' },
  ]);
  expect(inputIssues(schema, 'item-1')).toEqual([
    { field: 'request', message: 'must be object, not "item-1"' },
  ]);
});

test.each([
  ['date', '2026-02-03', '2026-13-03'],
  ['duration', 'P2DT3H', '2 days'],
  ['email', 'anna@example.com', 'anna'],
  ['account', 'user-anna', ' '],
  ['uuid', '3f0a4a5e-0000-4000-8000-00000000000a', '3f0a4a5e'],
])('the format %s takes %s, and not %s', (format, taken, refused) => {
  expect(findingsOf({ format })).toEqual([]);
  expect(inputIssues({ format }, taken)).toEqual([]);
  expect(inputIssues({ format }, refused)).toHaveLength(1);
});

test('what every object inherits is no field of a request', () => {
  const inherited = {
    type: 'object',
    properties: { toString: { type: 'string' } },
    additionalProperties: false,
  };
  expect(inputIssues(inherited, {})).toEqual([]);
  expect(inputIssues(inherited, { toString: 1 })).toMatchObject([{ field: 'request.toString' }]);
  expect(inputIssues({ ...inherited, required: ['toString', 'valueOf'] }, {})).toEqual([
    { field: 'request.toString', message: 'is required' },
    { field: 'request.valueOf', message: 'is required' },
  ]);
});

test('the size of a request is limited, with any schema, and so is what is checked', () => {
  expect(inputIssues(undefined, { text: 'x'.repeat(40_000) })).toEqual([
    { field: 'request', message: 'is 40011 bytes long, expected at most 32768' },
  ]);
  const nested = JSON.parse(`${'['.repeat(16_000)}${']'.repeat(16_000)}`) as Json;
  expect(inputIssues(undefined, nested)).toEqual([
    { field: 'request', message: 'has 16000 levels of maps and lists, expected at most 32' },
  ]);
  const many = { items: { enum: Array.from({ length: 1_000 }, (_, index) => index) } };
  expect(inputIssues(many, Array(10_000).fill(1))).toMatchObject([
    { message: expect.stringContaining('has too many values') },
  ]);
  expect(inputIssues({ items: false }, Array(10_000).fill(1))).toHaveLength(50);
});

const parts = fc.constantFrom<JsonObject>(
  { enum: Array.from({ length: 200 }, (_, index) => ({ a: index })) },
  { type: 'string', minLength: 3, format: 'email' },
  { items: { type: ['string', 'number'] }, minItems: 2 },
  { type: 'null' },
);
const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 12, withCrossShrink: true },
    parts,
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie('schema').map((items) => ({ items })),
    tie('schema').map((additionalProperties) => ({ additionalProperties })),
  ),
})).schema;
const requests = fc
  .tuple(fc.constantFrom<Json>('a', 'x@y', 7, null, {}, [], ['a']), fc.integer({ min: 1, max: 4_000 }))
  .map(([value, count]) => Array.from({ length: count }, () => value));

/** In steps of the code, which are the same on a busy machine. */
const MAX_STEPS = 30_000_000;

atSizes({ short: 20, long: 1_000 }, (numRuns, seed) =>
  test('whatever the schema and the request, the work is limited', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(
        schemas,
        requests,
        (given, request) => work.stepsOf(() => inputIssues(given, request)) < MAX_STEPS,
      ),
      { seed, numRuns },
    );
    // Alternatives within alternatives are looked at once each.
    let nested: JsonObject = { type: 'null' };
    for (let level = 0; level < 15; level++) nested = { anyOf: [nested, { type: 'boolean' }] };
    expect(work.stepsOf(() => inputIssues(nested, 'a'))).toBeLessThan(10_000);
  }),
);

test.each([
  [7, 'must be at most 5, not 7'],
  ['', 'must have a length of at least 1, not 0'],
])('of several alternatives the one of the same kind was meant: %j', (value, message) => {
  const anyOf = [
    { type: 'boolean' },
    { type: 'object' },
    { type: 'number', maximum: 5 },
    { type: 'string', minLength: 1 },
  ];
  expect([...schemaIssues(value, { anyOf }, [])]).toEqual([{ at: [], message }]);
});
