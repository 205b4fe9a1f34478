// Rows of a batch: what they may have is checked before any work, so that a request of 1 MB stays one.
import { expect, test } from 'vitest';
import { rowBounds, startsOfRows } from '../../processes/start-rows.ts';

const rowWords = (index: number) => `row ${index + 1}`;
const starts = (
  rows: readonly Record<string, unknown>[],
  input: Record<string, unknown> = {},
  key = 'k-{a}',
) => startsOfRows(rows, { key, input, schema: {} }, rowWords);

/** On a busy machine too; without the bounds it takes seconds. */
function refusedAtOnce(act: () => unknown, words: RegExp): void {
  const began = performance.now();
  expect(act).toThrow(words);
  expect(performance.now() - began).toBeLessThan(1_000);
}

test('columns are bounded by their length, their names and how many there are, before any work', () => {
  refusedAtOnce(
    () => starts([{ a: 1 }, { ['a.'.repeat(20_000)]: 1 }]),
    /row 2 has a column whose name has 40000 characters/,
  );
  refusedAtOnce(
    () => starts([{ a: 1, ['b.'.repeat(60)]: 1 }]),
    /row 1 has a column of more than 16 names \(b\.b/,
  );
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`c${index}`, 1]));
  refusedAtOnce(() => starts([{ a: 1, ...wide }]), /row 1 has 60001 columns, expected at most 200/);
});

test('what all rows have is bounded, also times the rows, and copied for a row only when it starts', () => {
  const kilobytes = (count: number) => ({
    request: { texts: Array.from({ length: count }, () => 'x'.repeat(1_000)) },
  });
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ a: index }));
  refusedAtOnce(
    () => starts(rows.slice(0, 60), kilobytes(400)),
    /the input that all rows have has \d+ bytes, expected at most 131072/,
  );
  refusedAtOnce(
    () => starts(rows, kilobytes(100)),
    /5000 rows with an input of \d+ bytes .* send fewer rows/,
  );
  const before = process.memoryUsage().heapUsed;
  const made = starts(rows, kilobytes(12));
  // Eager copies: 60 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
  expect(made[7]?.input()).toMatchObject({ request: { a: 7 } });
  expect(made[7]?.input()).not.toBe(made[8]?.input());
});

test('a key is bounded while it is made, and made of texts, numbers, true and false only', () => {
  const template = `k-${'{a}'.repeat(160)}`;
  refusedAtOnce(
    () => starts([{ a: 'x'.repeat(900_000) }], {}, template),
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
