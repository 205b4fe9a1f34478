// How much happened since a moment: Home and the line above Work say the same of the same log.
import { expect, test } from 'vitest';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const COUNTS = '../../console/page/log/format-counts.ts';
const { formatCounts } = (await import(COUNTS)) as {
  formatCounts(log: { readonly entries: readonly object[]; readonly atWalls: readonly object[] }): string;
};

test('what was done is counted with who did how much, and what came to be late and the walls are counted, too', () => {
  const command = (by: string) => ({ kind: 'command', by, onBehalfOf: null });
  expect(
    formatCounts({
      entries: [
        ...[command('noor'), command('noor'), command('bram'), { kind: 'note' }],
        ...[{ kind: 'failure' }, { kind: 'failure' }, { kind: 'late' }],
      ],
      atWalls: [{}],
    }),
  ).toBe('1 note, 3 actions (noor 2, bram 1), 2 failures, 1 or more came to be late, 1 thing at the walls');
  expect(formatCounts({ entries: [], atWalls: [] })).toBe('');
});
