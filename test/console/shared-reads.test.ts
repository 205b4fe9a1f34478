// What pages ask the locker service again and again: once for all who look, and only where it can matter.
import { expect, test, vi } from 'vitest';
import { beingPutIn } from '../../console/process/at-lockers.ts';
import { SharedAnswers } from '../../console/shared-answers.ts';
import { takenOutAmong } from '../../processes/inbox/out-of-order.ts';
import { pickUpPointNames } from '../../processes/pick-up-points.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';

const door = { pupUid: 'pup-a', lockerName: '7', door: 'Open', doorOpenSince: '2031-05-01T08:00:02' };
const answers: Readonly<Record<string, object>> = {
  GetAuditLog: {
    items: [{ onBehalfOf: 'anna', clientId: 'desk', occurredAt: '2031-05-01T08:00:00', why: null }],
  },
  GetPickUpPoints: { items: [{ pupUid: 'pup-a', name: 'Central', timeZone: null }] },
  GetLockers: {
    items: [{ ...door, lastAccess: { accessGoal: 'DropOff', occurredAt: '2031-05-01T08:00:00' } }],
    totalItems: 1,
  },
};

function partsThat(call = async (operation: string): Promise<unknown> => answers[operation]) {
  const asked = vi.fn(call);
  const parts = { service: { call: asked } as never, shared: new SharedAnswers() };
  return { asked, parts };
}

test('who has taken a locker out of order is asked once, and only of one that is', async () => {
  const { asked, parts } = partsThat();
  const lockers = [
    { lockerUid: 'a', outOfOrder: true },
    { lockerUid: 'b', outOfOrder: false },
  ];
  const wall = await takenOutAmong(parts, lockers);
  expect([...wall]).toEqual([['a', { by: 'anna', at: '2031-05-01T08:00:00Z', why: null }]]);
  expect(await takenOutAmong(parts, lockers)).toEqual(wall);
  expect(asked).toHaveBeenCalledTimes(1);
  // Somebody has changed something.
  parts.shared.forget();
  await takenOutAmong(parts, lockers);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a service without an audit log is not asked again at once', async () => {
  const { asked, parts } = partsThat(() => Promise.reject(unknownOperation()));
  const lockers = [{ lockerUid: 'a', outOfOrder: true }];
  expect((await takenOutAmong(parts, lockers)).size).toBe(0);
  await takenOutAmong(parts, lockers);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a name of a pick up point is asked once; without an answer it is the uid, and asked again', async () => {
  const { asked, parts } = partsThat();
  for (const _ of [1, 2])
    expect([...(await pickUpPointNames(parts, ['pup-a', 'pup-a']))]).toEqual([['pup-a', 'Central']]);
  expect(asked).toHaveBeenCalledTimes(1);
  const away = partsThat(() => Promise.reject(unknownOperation(true)));
  for (const _ of [1, 2])
    expect([...(await pickUpPointNames(away.parts, ['pup-a']))]).toEqual([['pup-a', 'pup-a']]);
  expect(away.asked).toHaveBeenCalledTimes(2);
});

test('what is being put in is asked only where something is inside', async () => {
  const { asked, parts } = partsThat();
  const at = { pupUid: 'pup-a', lockerName: '7' };
  expect((await beingPutIn(parts, [{ stateCode: 'Completed' }, { stateCode: 'ReadyForDropoff' }]))(at)).toBe(
    false,
  );
  expect(asked).not.toHaveBeenCalled();
  expect((await beingPutIn(parts, [{ stateCode: 'ReadyForPickup' }]))(at)).toBe(true);
});

const unknownOperation = (retryable = false) =>
  new LockerApiError({
    ...{ operation: 'GetAuditLog', code: 'UnknownOperation', message: 'it has none', retryable },
    mayHaveReachedService: 'no',
  });
