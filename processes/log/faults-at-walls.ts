// What is wrong at walls by itself, as it is now: walls that are offline, doors that stayed shut, and doors that were left open.
import { t } from '../../shared/texts/text.ts';
import { forgottenOpen } from '../inbox/open-doors.ts';
import { isBehindOfflineWall, offlineSince } from '../views/offline-wall.ts';
import { sentence } from '../views/readable.ts';
import { formatReason, shutDoors } from '../views/shut-doors.ts';
import type { NameOf, Service, WallLogEntry } from './wall-log-entry.ts';

const byItself = { by: null, why: null, key: null, isBad: true } as const;

export async function faultsAt(service: Service, nameOf: NameOf): Promise<WallLogEntry[]> {
  const shut = await shutDoors({ service });
  const cutOff = shut.filter(isBehindOfflineWall);
  const offline = [...new Set(cutOff.map(({ pupUid }) => pupUid ?? ''))];
  const walls = offline.map(async (pupUid): Promise<WallLogEntry[]> => {
    const at = offlineSince(cutOff.filter((door) => door.pupUid === pupUid));
    if (at === null) return [];
    const words = sentence(t`${await nameOf(pupUid)} went offline, and still is`);
    return [{ ...byItself, id: `offline ${pupUid}`, at, kind: 'offline', pupUid, lockerName: null, words }];
  });
  const doors = shut.map(async (door): Promise<WallLogEntry[]> => {
    const { pupUid, lockerUid, lockerName, doorFailure } = door;
    if (isBehindOfflineWall(door) || doorFailure.occurredAt === null) return [];
    const where = await nameOf(pupUid ?? '');
    const words = sentence(
      t`the door of locker ${lockerName} of ${where} stayed shut: ${formatReason(doorFailure.reason)}`,
    );
    const at = `${doorFailure.occurredAt}Z`;
    return [{ ...byItself, id: `shut ${lockerUid}`, at, kind: 'stayedShut', pupUid, lockerName, words }];
  });
  return (await Promise.all([...walls, ...doors])).flat();
}

export async function openAt(service: Service, nameOf: NameOf): Promise<WallLogEntry[]> {
  const { open } = await forgottenOpen({ service } as Parameters<typeof forgottenOpen>[0]);
  return await Promise.all(
    open.map(async ({ pupUid, lockerUid, lockerName, doorOpenSince }): Promise<WallLogEntry> => {
      const where = await nameOf(pupUid ?? '');
      const words = sentence(t`the door of locker ${lockerName} of ${where} was left open, and still is`);
      const at = `${doorOpenSince}Z`;
      return { ...byItself, id: `open ${lockerUid}`, at, kind: 'openDoor', pupUid, lockerName, words };
    }),
  );
}
