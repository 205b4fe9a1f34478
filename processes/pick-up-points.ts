// The names of pick up points, as the locker service has them.
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import { readShared, type SharedReads } from './kept-reads.ts';
import { unlessUnknown } from './locker-service.ts';

export interface PickUpPoint {
  readonly name: string;
  readonly timeZone: string | null;
}

/** Names of pick up points seldom change. */
const NAMES_MS = 60_000;

type Service = Pick<LockerApi, 'call'>;

/** The uid, if the service does not know the name. */
export async function pickUpPointOf(service: Service, pupUid: string): Promise<PickUpPoint> {
  const page = await unlessUnknown(() => service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid }));
  const found = page?.items.find((each) => each.pupUid === pupUid);
  return { name: found?.name ?? pupUid, timeZone: found?.timeZone ?? null };
}

/** By pupUid. While the service does not answer, the name is the uid. */
export async function pickUpPointNames(
  { service, shared }: { readonly service: Service; readonly shared?: SharedReads | undefined },
  pupUids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(pupUids)].map(async (pupUid): Promise<[string, string]> => {
    const read = () => pickUpPointOf(service, pupUid);
    try {
      return [pupUid, (await readShared(shared, `pick up point ${pupUid}`, NAMES_MS, read)).name];
    } catch (error) {
      if (error instanceof LockerApiError) return [pupUid, pupUid];
      throw error;
    }
  });
  return new Map(await Promise.all(named));
}
