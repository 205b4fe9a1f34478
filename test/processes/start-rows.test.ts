// Rows of a batch: what they may have is checked before any work, so that a request of 1 MB stays one.
import { expect, test } from 'vitest';
import { rowBounds, startsOfRows } from '../../processes/start-rows.ts';

const rowWords = (index: number) => `row ${index + 1}`;
const starts = (
  rows: readonly Record<string, unknown>[],
  input: Record<string, unknown> = {},
  key = 'k-{a}',
) => startsOfRows(rows, { key, input, schema: {} }, rowWords);

test('columns are bounded by their length, their names and how many there are, before any work', () => {
  expect(() => starts([{ a: 1 }, { ['a.'.repeat(20_000)]: 1 }])).toThrow(
    /row 2 has a column whose name has 40000 characters/,
  );
  expect(() => starts([{ a: 1, ['b.'.repeat(60)]: 1 }])).toThrow(
    /row 1 has a column of more than 16 names \(b\.b/,
  );
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`c${index}`, 1]));
  expect(() => starts([{ a: 1, ...wide }])).toThrow(/row 1 has 60001 columns, expected at most 200/);
});

test('words that name a long column have no half of a character', () => {
  const column = `${'c'.repeat(59)}${'\u{1f511}'.repeat(100)}`;
  const isWhole = expect.toSatisfy(({ message }: Error) => message.isWellFormed());
  expect(() => starts([{ a: 1, [column]: 1 }])).toThrow(isWhole);
});

test('the columns of all rows together are bounded, and those that a key names', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => ({
      a: row,
      ...Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`c${row}-${index}`, 1])),
    }));
  expect(starts(rows(10))).toHaveLength(10);
  expect(() => starts(rows(11))).toThrow(/row 11 comes to more than 1000 different columns/);
  expect(() => starts([{ a: '' }], {}, '{a}'.repeat(17))).toThrow(/names 17 columns, expected at most 16/);
});

test('what all rows have is bounded, also times the rows, and copied for a row only when it starts', () => {
  const kilobytes = (count: number) => ({
    request: { texts: Array.from({ length: count }, () => 'x'.repeat(1_000)) },
  });
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ a: index }));
  expect(() => starts(rows.slice(0, 60), kilobytes(400))).toThrow(
    /the input that all rows have has \d+ bytes, expected at most 131072/,
  );
  expect(() => starts(rows, kilobytes(100))).toThrow(
    /5000 rows with an input of \d+ bytes .* send fewer rows/,
  );
  const made = starts(rows, kilobytes(12));
  expect(made[7]?.input()).toMatchObject({ request: { a: 7 } });
  // Each call copies: none is held for the rows that wait.
  expect(made[7]?.input()).not.toBe(made[7]?.input());
});

test('a key is bounded while it is made, and made of texts, numbers, true and false only', () => {
  const template = `k-${'{a}'.repeat(16)}`;
  expect(() => starts([{ a: 'x'.repeat(900_000) }], {}, template)).toThrow(
    /row 1 makes a key of more than 1000 characters, k-xxx/,
  );
  for (const [cell, words] of [
    [{ toString: 1 }, 'an object'],
    [['b'], 'a list'],
    [null, 'null'],
  ] as const)
    expect(() => starts([{ a: cell }])).toThrow(
      `row 1 has ${words} for {a} of the key; expected a text, a number`,
    );
  expect(starts([{ a: true }, { a: 2 }, { a: 'b' }]).map(({ key }) => key)).toEqual(['k-true', 'k-2', 'k-b']);
  const wide = Object.fromEntries(
    Array.from({ length: rowBounds.columns }, (_, index) => [`column${index}`, 1]),
  );
  expect(() => starts([wide])).toThrow('column18, column19 and 180 more');
});
