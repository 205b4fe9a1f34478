// What no body may be is refused for every route: too deep, too wide, or with half a surrogate pair.
import { expect, test } from 'vitest';
import { checkBody } from '../../console/request-body.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

test('a body is at most 64 levels deep', () => {
  expect(() => checkBody({ rows: nested(60) })).not.toThrow();
  expect(() => checkBody({ rows: nested(400_000) })).toThrow(
    /^Wrong request: rows\.0\.0.* is nested too deeply; expected at most 64 levels/,
  );
});

test('no text and no name has half a surrogate pair', () => {
  expect(() => checkBody({ key: '\u{1f511}', rows: [{ a: 'b' }] })).not.toThrow();
  expect(() => checkBody({ rows: [{ a: 'b' }, { a: '\ud83d' }] })).toThrow(
    'rows.1.a has half a surrogate pair',
  );
  expect(() => checkBody({ rows: [{ '\udd11': 1 }] })).toThrow(
    'rows.0 has a name with half a surrogate pair',
  );
  const isWhole = expect.toSatisfy(({ message }: Error) => message.isWellFormed());
  expect(() => checkBody({ [`${'n'.repeat(199)}\u{1f511}`]: '\ud83d' })).toThrow(isWhole);
});

test('one list, and one object, has at most 10,000 parts: each that is wrong would have words of its own', () => {
  const rows = (count: number) => ({ rows: Array.from({ length: count }, () => 1) });
  expect(() => checkBody(rows(10_000))).not.toThrow();
  expect(() => checkBody(rows(10_001))).toThrow(
    'Wrong request: rows has 10001 parts; expected at most 10000 in one list or object.',
  );
  const fields = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, 1]));
  expect(() => checkBody({ input: { request: fields } })).toThrow('input.request has 10001 parts');
});
