// What no body may be is refused for every route: too deep, or with half a surrogate pair.
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
});
