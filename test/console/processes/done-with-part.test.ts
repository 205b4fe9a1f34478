import { expect, test } from 'vitest';
import { wholesFirst } from '../../../processes/bulk.ts';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const DONE_WITH_PART = '../../../console/page/processes/done-with-part.ts';
const { doneWithPart } = (await import(DONE_WITH_PART)) as {
  doneWithPart(outcome: object, parts: readonly string[]): { readonly words: string };
};

test('a dry run says of a case that it is done with the part that takes it, or with the one that has started that part', () => {
  const outcome = { key: 'PD-503', words: '1 → 2', consequence: { of: 'PD-503/parcel/locker' } };
  expect(doneWithPart(outcome, ['PD-503/parcel'])).toMatchObject({ words: 'done with PD-503/parcel' });
  expect(doneWithPart(outcome, ['PD-503/letter'])).toBe(outcome);
  expect(doneWithPart({ ...outcome, consequence: null }, ['PD-503/parcel'])).toMatchObject({
    words: '1 → 2',
  });
});

test('of many, those that have parts among them come first', () => {
  const keys = ['PD-1/parcel', 'PD-10', 'PD-1', 'PD-2/parcel'];
  expect(wholesFirst(keys)).toEqual([['PD-1'], ['PD-1/parcel', 'PD-10', 'PD-2/parcel']]);
});
