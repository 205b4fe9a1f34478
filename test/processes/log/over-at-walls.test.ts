// What the log says of what is over at walls.
import { expect, test } from 'vitest';
import { overAt } from '../../../processes/log/over-at-walls.ts';

const entry = { clientId: 'wall', onBehalfOf: null, why: null, outcome: 'Success' };
const audited = {
  WallOnline: [
    {
      ...entry,
      operation: 'WallOnline',
      uids: ['pup-station'],
      requestId: 'a',
      occurredAt: '2026-11-28T11:53:20.000',
      lastedSince: '2026-11-28T11:18:00.000',
    },
  ],
  DoorShut: ['pup-central-9', 'pup-central-removed'].map((lockerUid) => ({
    ...entry,
    operation: 'DoorShut',
    uids: [lockerUid, 'pup-central'],
    requestId: lockerUid,
    occurredAt: '2026-11-28T10:12:30.000',
    lastedSince: '2026-11-28T10:00:00.000',
  })),
};

test('a wall is online again and a door is shut again, after so long', async () => {
  const service = {
    call: async (name: string, { operation, lockerUid }: { operation?: string; lockerUid?: string }) => {
      if (name === 'GetAuditLog')
        return { items: audited[operation as keyof typeof audited], nextCursor: null };
      const known = { lockerUid: 'pup-central-9', lockerName: '9', pupUid: 'pup-central', outOfOrder: false };
      return { items: name === 'GetLockers' && lockerUid === known.lockerUid ? [known] : [] };
    },
  };
  const nameOf = async (pupUid: string) => (pupUid === 'pup-station' ? 'Station' : 'Central');
  const parts = { service, nameOf } as unknown as Parameters<typeof overAt>[0];
  const unread: string[] = [];
  const entries = await overAt(parts, { since: '2026-11-28T08:00:00.000Z' }, unread);
  expect(entries.map(({ kind, words, lockerName, isBad }) => ({ kind, words, lockerName, isBad }))).toEqual([
    { kind: 'online', words: 'Station is online again, after 35 min.', lockerName: null, isBad: false },
    {
      kind: 'doorShut',
      words: 'The door of locker 9 of Central is shut again, after 12 min.',
      lockerName: '9',
      isBad: false,
    },
    {
      kind: 'doorShut',
      words: 'A door of Central is shut again, after 12 min.',
      lockerName: null,
      isBad: false,
    },
  ]);
  expect(entries[0]).toMatchObject({ at: '2026-11-28T11:53:20.000Z', pupUid: 'pup-station', by: null });
  expect(unread).toEqual([]);
});
