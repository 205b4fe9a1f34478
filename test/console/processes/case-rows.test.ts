// Which rows of a list are one case, and where a case stands that only waits for the end of another process.
import { expect, test } from 'vitest';
import { caseRows } from '../../../console/page/processes/case-rows.ts';
import type { ProcessRow } from '../../../console/processes/processes-view.ts';

type Summary = NonNullable<ProcessRow['summary']>;

const next = (words: string, more: Partial<NonNullable<Summary['next']>> = {}): Summary['next'] => ({
  words,
  code: null,
  step: null,
  since: null,
  until: null,
  isOverdue: false,
  isForUs: false,
  ...more,
});

const row = (key: string, parent: string | null, summary: Partial<Summary>, phase: string | null = 'Open') =>
  ({
    key,
    parent,
    phase,
    pickUpPoint: parent && 'pup-harbour',
    summary: { where: null, ...summary },
  }) as ProcessRow;

const where = { words: 'Locker 1', pupUid: 'pup-harbour' };
const parcel = row('PD-1', null, { next: next('“Delivery” comes to its end') });
const delivery = row('PD-1/parcel', 'PD-1', { where, next: next('Pick up', { step: 'pickUp' }) });

test('a case that waits for the end of one process alone stands where that one stands', () => {
  const [shown] = caseRows([delivery, parcel]);
  expect(shown).toMatchObject({
    row: { key: 'PD-1', pickUpPoint: 'pup-harbour', summary: { where, next: { words: 'Pick up' } } },
    parts: [{ key: 'PD-1/parcel' }],
  });
});

test('one that somebody here must see to, that has a locker itself, or several parts, says what is its own', () => {
  const asking = row('PD-1', null, { next: next('The desk answers', { isForUs: true }) });
  const placed = row('PD-1', null, { where: { words: 'Locker 9', pupUid: null }, next: next('It waits') });
  const second = row('PD-1/other', 'PD-1', { where, next: next('Pick up') });
  for (const rows of [
    [asking, delivery],
    [placed, delivery],
    [parcel, delivery, second],
    [parcel, row('PD-1/parcel', 'PD-1', { where }, null)],
  ])
    expect(caseRows(rows)[0]?.row).toBe(rows[0]);
});
