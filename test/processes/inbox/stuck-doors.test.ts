// Since when an entry of a door that stays shut says that it does: another try in vain does not begin it anew.
import { expect, test } from 'vitest';
import { doors } from '../../../processes/inbox/stuck-doors.ts';

const FIRST = '2031-05-01T10:00:00.000';
const LAST = '2031-05-01T11:18:00.000';

async function sinceOf(doorFailure: object) {
  const named = { lockerUid: 'central-7', lockerName: '7', pupUid: 'central' };
  const locker = { ...named, leftShipmentUid: null, shipments: [], doorFailure };
  const service = { call: async () => ({ items: [locker], totalItems: 1 }) };
  const { entries } = await doors.read({ service, serviceClock: { aheadMs: async () => 0 } } as never);
  return entries.map(({ since }) => since);
}

test('an entry begins with the first try that failed', async () => {
  const failure = { occurredAt: LAST, reason: 'jammed', wallOffline: false };
  expect(await sinceOf({ ...failure, failingSince: FIRST })).toEqual([`${FIRST}Z`]);
  // Other services tell only the last one.
  expect(await sinceOf({ ...failure, failingSince: null })).toEqual([`${LAST}Z`]);
});
