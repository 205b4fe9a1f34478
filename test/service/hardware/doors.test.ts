// Doors by themselves: how many open at a time, and what becomes of one that never answers.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Door, LockerHardware } from '../../../service/hardware/doors.ts';
import { doorsOf } from '../../../service/hardware/doors.ts';
import { WALL_LOST_SECONDS } from '../../../service/hardware/wall-commands.ts';
import { Refusal } from '../../../service/refusal.ts';

const door: Door = { pupUid: 'pup-1', lockerId: 1, lockerUid: 'pup-1-7', lockerName: '7' };

class Hanging implements LockerHardware {
  readonly asked: PromiseWithResolvers<void>[] = [];

  openDoor(): Promise<void> {
    const opening = Promise.withResolvers<void>();
    this.asked.push(opening);
    return opening.promise;
  }

  async close() {}
}

test('a door that does not answer in time is UnlockFailed, and says which door', async () => {
  const access = doorsOf(new Hanging(), 1, 10);
  const refusal = await access((openDoor) => openDoor(door)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: 'UnlockFailed', message: expect.stringContaining('locker 7') });
});

test('any error of the hardware is UnlockFailed, with its details in the log only', async () => {
  const detail = new Error('bus 3 reset');
  const broken = { openDoor: () => Promise.reject(detail), close: async () => {} };
  const refusal = await doorsOf(broken, 1)((openDoor) => openDoor(door)).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'UnlockFailed', cause: detail });
  expect(String(refusal)).not.toContain('bus 3');
});

test('no more doors open at a time than allowed; the others take their turn, also after failures', async () => {
  const hardware = new Hanging();
  const access = doorsOf(hardware, 2);
  const openings = Array.from({ length: 4 }, () =>
    access((openDoor) => openDoor(door)).then(
      () => 'open',
      () => 'shut',
    ),
  );
  await Promise.resolve();
  expect(hardware.asked).toHaveLength(2);
  hardware.asked[0]?.reject(new Error('stuck'));
  hardware.asked[1]?.resolve();
  expect(await Promise.all(openings.slice(0, 2))).toEqual(['shut', 'open']);
  expect(hardware.asked).toHaveLength(4);
  for (const opening of hardware.asked.slice(2)) opening.resolve();
  expect(await Promise.all(openings)).toEqual(['shut', 'open', 'open', 'open']);
});

test('an opening and a list of walls hold a wall for lost after the same time', async () => {
  const sql = await readFile(
    new URL('../../../service/storage/functions/chain.sql', import.meta.url),
    'utf8',
  );
  const [, opening = ''] = sql.split('FUNCTION opening_of_locker');
  expect(opening).toContain(`w.seen_at > clock_timestamp() - interval '${WALL_LOST_SECONDS} seconds'`);
});
