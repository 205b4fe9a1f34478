// The lockers that a process does not know, as the service has them.
import { expect, test } from 'vitest';
import { withLockersOfService } from '../../../console/process/lockers-of-service.ts';
import { newProgress } from '../../support/progress.ts';

const adopted = {
  shipmentUid: 's-1',
  stateCode: 'ReadyForDropoff',
  stateStart: null,
  pupUid: null,
  lockerName: null,
  done: false,
};

const asked: string[] = [];
const record = { shipmentUid: 's-1', pupUid: 'pup-central', lockerName: '7' };
const parts = {
  service: {
    call: async (_name: string, { shipmentUid }: { readonly shipmentUid: string }) => {
      asked.push(shipmentUid);
      return { items: [record] };
    },
  },
  shared: { of: async (_name: string, _ms: number, read: () => unknown) => await read() },
} as unknown as Parameters<typeof withLockersOfService>[0];

test('a shipment that a person has chosen has the locker that the service has booked', async () => {
  const progress = newProgress({ shipments: { issue: adopted } });
  const located = await withLockersOfService(parts, { status: 'Running' }, progress);
  const expected = { issue: { ...adopted, pupUid: 'pup-central', lockerName: '7' } };
  expect(located?.bookings[0]?.shipments).toEqual(expected);
  expect(located).toMatchObject({ shipments: expected });
  expect(asked).toEqual(['s-1']);
});

test('the service is not asked about a locker that is known, or of what has ended', async () => {
  asked.length = 0;
  const known = newProgress({ shipments: { issue: { ...adopted, lockerName: '7' } } });
  expect(await withLockersOfService(parts, { status: 'Running' }, known)).toBe(known);
  const over = newProgress({ shipments: { issue: { ...adopted, stateCode: 'Cancelled' } } });
  expect(await withLockersOfService(parts, { status: 'Running' }, over)).toBe(over);
  const ended = newProgress({ shipments: { issue: adopted } });
  expect(await withLockersOfService(parts, { status: 'Completed' }, ended)).toBe(ended);
  expect(asked).toEqual([]);
});
