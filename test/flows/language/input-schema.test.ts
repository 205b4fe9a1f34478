// The input of a flow file: what its JSON Schema may have, and how a request that starts a process is checked against it.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../flows/language/flow-file.ts';
import { schemaProblems, unknownField } from '../../../flows/language/lint/schema-check.ts';
import { inputIssues, schemaFindings } from '../../../flows/language/reading/input-schema.ts';
import { Report } from '../../../flows/language/reading/report.ts';
import { namesForTests } from './names.ts';

function findingsOf(schema: Json) {
  const report = new Report(namesForTests, () => undefined);
  schemaFindings(schema, ['input'], report);
  return report.findings.map(({ code, path }) => `${code} ${path}`);
}

const listed = (count: number): string[] => Array.from({ length: count }, (_, index) => `name-${index}`);
const named = (count: number, part: () => Json): JsonObject =>
  Object.fromEntries(listed(count).map((name) => [name, part()]));

const matched = (pattern: string): JsonObject => ({ type: 'string', pattern, maxLength: 10 });

describe('refused', () => {
  test.each<[string, Json, string]>([
    ['a text', 'string', 'TypeWrong input'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'SchemaInvalid input.$ref'],
    ['a reference to itself', { properties: { a: { $ref: '#' } } }, 'SchemaInvalid input.properties.a.$ref'],
    ['an unknown keyword', { typ: 'string' }, 'SchemaInvalid input'],
    ['an unknown type', { type: 'text' }, 'SchemaInvalid input'],
    ['an unknown format', { type: 'string', format: 'colour' }, 'SchemaInvalid input'],
    ['a pattern for texts of any length', { pattern: '^a+$' }, 'SchemaInvalid input.pattern'],
    ['patterns that are too large', matched(`^${'a{900}'.repeat(3)}`), 'SchemaInvalid input'],
    ['a pattern that is no pattern', matched('^(a'), 'SchemaInvalid input.pattern'],
    ['a pattern that only RE2 knows', matched('^a\\z'), 'SchemaInvalid input.pattern'],
    ['a pattern that only JavaScript knows', matched('^\\p{Script=Greek}'), 'SchemaInvalid input.pattern'],
    ['patterns of names', { patternProperties: { '^a': {} } }, 'SchemaInvalid input.patternProperties'],
    ['unique items without a bound', { uniqueItems: true }, 'SchemaInvalid input.uniqueItems'],
    ['too many parts', { allOf: Array(500).fill({}) }, 'SchemaInvalid input'],
    ['too many parts that are true or false', { anyOf: Array(500).fill(false) }, 'SchemaInvalid input'],
    ['too many names that are true or false', { properties: named(500, () => true) }, 'SchemaInvalid input'],
    [
      'too many names that depend on others',
      { dependentRequired: named(250, () => ['a']) },
      'SchemaInvalid input',
    ],
    ['too many dependencies', { dependencies: named(250, () => ['a']) }, 'SchemaInvalid input'],
    [
      'too many names that depend on one',
      { dependentRequired: { a: listed(101) } },
      'SchemaInvalid input.dependentRequired.a',
    ],
    [
      'too many dependencies of one',
      { dependencies: { a: listed(101) } },
      'SchemaInvalid input.dependencies.a',
    ],
  ])('%s', (_, schema, finding) => {
    expect(findingsOf(schema)).toContain(finding);
  });
});

test.each([
  ['^(a)\\1$', 'a pattern without back references'],
  ['^(?<a>x)\\k<a>$', 'a pattern without back references'],
  [`^${'(a)'.repeat(9)}\\9$`, 'a pattern without back references'],
  ['^(?=a)', 'a pattern without lookahead and lookbehind'],
  ['^(?!a)', 'a pattern without lookahead and lookbehind'],
  ['a(?<=a)$', 'a pattern without lookahead and lookbehind'],
  ['a(?<!b)$', 'a pattern without lookahead and lookbehind'],
])('a pattern that an engine of linear time does not know is refused: %s', (pattern, expected) => {
  const report = new Report(namesForTests, () => undefined);
  schemaFindings({ properties: { item: matched(pattern) } }, ['input'], report);
  expect(report.findings).toEqual([
    {
      code: 'SchemaInvalid',
      path: 'input.properties.item.pattern',
      what: JSON.stringify(pattern),
      expected,
    },
  ]);
});

test.each<[pattern: string, taken: string, refused: string]>([
  ['^(a|a)(a|a)$', 'aa', 'ab'],
  ['^(a+)+$', 'aaa', 'aab'],
  ['^a*a*a*$', 'aaaa', 'ab'],
  ['b', 'abc', 'ac'],
  ['^[\\]\\\\1(?!]$', '(', 'a'],
  ['^\\\\1$', '\\1', '1'],
  ['^(?<year>\\d{4})/\\u00e9$', '2026/é', '2026/e'],
  ['^\\p{L}+$', 'é', '1'],
])('the pattern %s means what it means in JavaScript', (pattern, taken, refused) => {
  expect(findingsOf(matched(pattern))).toEqual([]);
  expect(new RegExp(pattern, 'u').test(taken)).toBe(true);
  expect(new RegExp(pattern, 'u').test(refused)).toBe(false);
  expect(inputIssues(matched(pattern), taken)).toEqual([]);
  expect(inputIssues(matched(pattern), refused)).toEqual([
    { field: 'request', message: `must match pattern "${pattern}"` },
  ]);
});

test('a text or a list that is too long is only that', () => {
  const unique = { uniqueItems: true, maxItems: 2 };
  expect(findingsOf({ properties: { item: matched('^a$'), list: unique } })).toEqual([]);
  expect(inputIssues(matched('^a$'), 'bbbbbbbbbbb')).toEqual([
    { field: 'request', message: 'must NOT have more than 10 characters' },
  ]);
  // Ten characters of two UTF-16 units each.
  expect(inputIssues(matched('^(?:😀)*$'), '😀'.repeat(10))).toEqual([]);
  expect(inputIssues(unique, [1, 1, 1])).toEqual([
    { field: 'request', message: 'must NOT have more than 2 items' },
  ]);
});

test('items are the same whatever the order of their fields', () => {
  const unique = { uniqueItems: true, maxItems: 9 };
  expect(inputIssues(unique, [{ a: 1, b: [2] }, { a: 1, b: [3] }, '1', 1])).toEqual([]);
  expect(
    inputIssues(unique, [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]),
  ).toEqual([{ field: 'request', message: 'must not have the same item twice' }]);
});

test('a property may have the name of a keyword', () => {
  const schema = { properties: { pattern: { type: 'string' }, $id: { const: { pattern: 1 } } } };
  expect(findingsOf(schema)).toEqual([]);
});

test.each(
  ['properties', 'dependentSchemas', 'dependencies', 'definitions'].flatMap((keyword) =>
    ['enum', 'const', 'default', 'examples', 'properties', 'definitions'].map((name) => [keyword, name]),
  ),
)('a schema within %s is checked like any other, also by the name %s', (keyword, name) => {
  const at = `input.${keyword}.${name}`;
  const named = (part: Json) => findingsOf({ [keyword]: { [name]: part } });
  expect(named({ patternProperties: { '^(a|a)*$': {} } })).toContain(`SchemaInvalid ${at}.patternProperties`);
  expect(named({ $ref: '#' })).toContain(`SchemaInvalid ${at}.$ref`);
  expect(named({ pattern: '^(a)\\1$', maxLength: 10 })).toContain(`SchemaInvalid ${at}.pattern`);
  expect(named({ uniqueItems: true })).toContain(`SchemaInvalid ${at}.uniqueItems`);
  expect(named({ allOf: Array(500).fill({}) })).toContain('SchemaInvalid input');
});

test.each<[string, JsonObject]>([
  ['patterns of names', { patternProperties: { '^(a|a)*$': {} } }],
  ['a reference to itself', { additionalProperties: { $ref: '#' } }],
  ['a reference by the place of the check', { additionalProperties: { $dynamicRef: '#' } }],
])('a schema that nobody has checked is not run with %s', (_, unchecked) => {
  expect(inputIssues(unchecked, { [`${'a'.repeat(30)}!`]: {} })).toEqual([
    { field: 'request', message: expect.stringMatching(/^cannot be checked by its schema/) },
  ]);
});

const schema = {
  type: 'object',
  required: ['item'],
  properties: {
    item: { type: 'string', pattern: '^[a-z]+-\\d{1,8}$', maxLength: 40 },
    due: { type: 'string', format: 'date-time' },
    state: { enum: ['whole', 'broken'] },
  },
  additionalProperties: false,
};

test('long lists of required names, values and dependent names are taken', () => {
  const long = {
    type: 'object',
    required: listed(2_000),
    properties: { state: { enum: listed(2_000) } },
    dependentRequired: { spare: listed(100), pattern: ['item'] },
  };
  expect(findingsOf(long)).toEqual([]);
  expect(inputIssues({ dependentRequired: long.dependentRequired }, { pattern: 1 })).toEqual([
    { field: 'request.item', message: 'is required' },
  ]);
});

test('every error of a request is reported with its field', () => {
  expect(inputIssues(schema, { item: 'item-1', due: '2026-11-21T12:00:00Z', state: 'whole' })).toEqual([]);
  expect(inputIssues(schema, { due: 'tomorrow', state: 'lost', user: 'x' })).toEqual([
    { field: 'request.item', message: 'is required' },
    { field: 'request.user', message: 'is not known' },
    { field: 'request.due', message: 'must match format "date-time"' },
    { field: 'request.state', message: 'must be equal to one of the allowed values: ["whole","broken"]' },
  ]);
});

test('what every object inherits is no field of a request', () => {
  const inherited = {
    type: 'object',
    properties: { toString: { type: 'string' } },
    additionalProperties: false,
  };
  expect(inputIssues(inherited, {})).toEqual([]);
  expect(inputIssues(inherited, { toString: 1 })).toEqual([
    { field: 'request.toString', message: 'must be string' },
  ]);
  expect(inputIssues({ ...inherited, required: ['toString', 'valueOf'] }, {})).toEqual([
    { field: 'request.toString', message: 'is required' },
    { field: 'request.valueOf', message: 'is required' },
  ]);
});

test('the size of a request is limited, with any schema', () => {
  expect(inputIssues(undefined, { text: 'x'.repeat(40_000) })).toEqual([
    { field: 'request', message: 'is 40011 bytes long, expected at most 32768' },
  ]);
});

test('the levels, values and texts that a request may have are limited', () => {
  const nested = JSON.parse(`${'['.repeat(16_000)}${']'.repeat(16_000)}`) as Json;
  expect(inputIssues(undefined, nested)).toEqual([
    { field: 'request', message: 'has 16000 levels of maps and lists, expected at most 32' },
  ]);
  const many = { items: { enum: Array.from({ length: 1_000 }, (_, index) => index) } };
  expect(inputIssues(many, Array(10_000).fill(1))).toMatchObject([
    { message: expect.stringContaining('has too many values') },
  ]);
  const slow = { items: { type: 'string', pattern: '^(?:a?b?){200}$', maxLength: 1_000 } };
  expect(inputIssues(slow, Array(20).fill('a'.repeat(900)))).toMatchObject([
    { message: expect.stringContaining('has too much text') },
  ]);
});

test('a schema of an earlier version that cannot be used any more is named', () => {
  expect(inputIssues({ type: 'string', pattern: '^\\p{Script=Greek}' }, 'x')).toEqual([
    {
      field: 'request',
      message: expect.stringMatching(/^cannot be checked by its schema .* publish it again$/),
    },
  ]);
});

const own = { $defs: {}, hasOwnPatterns: true };

test.each([
  [7, 'expected at most 5'],
  ['', 'expected at least 1 characters'],
])('of several alternatives the one of the same kind was meant: %j', (value, because) => {
  const anyOf = [
    { type: 'boolean' },
    { type: 'object' },
    { type: 'number', maximum: 5 },
    { type: 'string', minLength: 1 },
  ];
  expect(schemaProblems(value, { anyOf }, [], own)).toMatchObject([{ because }]);
});

test('what every object inherits is no field of a schema', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  expect(unknownField(['toString'], schema, {})).toEqual({ name: 'toString', known: ['name'] });
});
