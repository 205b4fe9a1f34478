import { expect, test } from 'vitest';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const COUNT = '../../../console/page/processes/count-short.ts';
const { countShort } = (await import(COUNT)) as {
  countShort(outcomes: readonly object[], total: number): string[];
};

test('those that wait for a locker and those that failed again are counted, as far as they are read', () => {
  const of = (short: string | null) => ({ now: { short } });
  const outcomes = [of(null), of('waiting for a locker'), of('failed again'), of('failed again'), {}];
  expect(countShort(outcomes, 5)).toEqual(['1 waiting for a locker', '2 failed again']);
  expect(countShort(outcomes, 300)).toEqual(['1+ waiting for a locker', '2+ failed again']);
  expect(countShort([{ now: null }], 1)).toEqual([]);
});
