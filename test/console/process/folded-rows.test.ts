// What happened, without what repeats itself: nothing that says more than the line before is lost.
import { expect, test } from 'vitest';
import { foldedOf } from '../../../console/page/process/folded-rows.ts';
import type { HappenedRow } from '../../../console/process/process-view.ts';

const row = (words: string, more: Partial<HappenedRow> = {}): HappenedRow => ({
  at: '2031-05-01T12:00:00Z',
  words,
  did: [],
  by: null,
  why: null,
  isByPeople: false,
  isBad: false,
  undo: null,
  runId: 'run',
  eventId: words,
  ...more,
});
const SEEN = 'The program demo read the codes of locker 21.';
const counts = (...rows: HappenedRow[]) => foldedOf(rows).map(({ count }) => count);

test('the same three times is one line with its count', () => {
  expect(foldedOf([row(SEEN), row(SEEN), row(SEEN), row('It is booked.')])).toMatchObject([
    { row: { words: SEEN }, count: 3 },
    { row: { words: 'It is booked.' }, count: 1 },
  ]);
});

test('what says more, is of another flow, day or moment between stands by itself', () => {
  expect(counts(row(SEEN), row('It is booked.'), row(SEEN))).toEqual([1, 1, 1]);
  expect(counts(row(SEEN), row(SEEN, { why: 'she called' }))).toEqual([1, 1]);
  expect(counts(row(SEEN), row(SEEN, { did: ['It is overdue now.'] }))).toEqual([1, 1]);
  expect(counts(row(SEEN), row(SEEN, { of: { key: 'a/loan', title: 'Loan' } }))).toEqual([1, 1]);
  expect(counts(row(SEEN), row(SEEN, { at: '2031-05-03T12:00:00Z' }))).toEqual([1, 1]);
});
