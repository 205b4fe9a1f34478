// What happened in a case, with what happened at its doors: what programs read stands with the doors alone, and is never lost.
import { expect, test } from 'vitest';
import { filters, merged } from '../../../console/page/process/happened-rows.ts';
import { doorRows } from '../../../console/process/door-rows.ts';

const read = {
  kind: 'Requested',
  operation: 'GetShipmentAccessCode',
  outcome: 'Success',
  stateCode: null,
  accessGoal: null,
  changedAt: null,
  clientId: 'shop',
  why: null,
  occurredAt: '2031-05-01T12:00:00.000',
} as const;
const shipment = { shipmentUid: 'a', lockerName: '7', to: null, from: null };
const readBy = (onBehalfOf: string | null) =>
  doorRows([{ ...read, onBehalfOf }] as unknown as Parameters<typeof doorRows>[0], shipment);

const shownIn = (filter: keyof typeof filters, onBehalfOf: string | null) =>
  merged([], { items: readBy(onBehalfOf), unread: null })
    .filter(filters[filter].isShown)
    .map(({ words }) => words);

test('codes that a person saw are shown everywhere', () => {
  for (const filter of ['all', 'people', 'doors'] as const)
    expect(shownIn(filter, 'mila'), filter).toEqual(['Mila saw the codes of locker 7.']);
});

test.each([
  [null, 'The program shop read the codes of locker 7.'],
  ['comparison with a message', 'A message was compared with the codes of locker 7: nobody saw them.'],
])('codes that a program read, for %s, are no news, and stand at the doors', (onBehalfOf, words) => {
  expect(shownIn('all', onBehalfOf)).toEqual([]);
  expect(shownIn('people', onBehalfOf)).toEqual([]);
  expect(shownIn('doors', onBehalfOf)).toEqual([words]);
});
