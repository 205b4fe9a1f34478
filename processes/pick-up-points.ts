// The names of pick up points, as the locker service has them.
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';
import { unlessUnknown } from './locker-service.ts';

export interface PickUpPoint {
  readonly name: string;
  readonly timeZone: string | null;
}

type Service = Pick<LockerApi, 'call'>;

/** The uid where the service does not tell the name. */
export async function pickUpPointOf(service: Service, pupUid: string): Promise<PickUpPoint> {
  const page = await unlessUnknown(() => service.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid }));
  const found = page?.items.find((each) => each.pupUid === pupUid);
  return { name: found?.name ?? pupUid, timeZone: found?.timeZone ?? null };
}

/** By pupUid; also while the service does not answer: then each keeps its uid. */
export async function pickUpPointNames(
  service: Service,
  pupUids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(pupUids)].map(async (pupUid): Promise<[string, string]> => {
    try {
      return [pupUid, (await pickUpPointOf(service, pupUid)).name];
    } catch (error) {
      if (error instanceof LockerApiError) return [pupUid, pupUid];
      throw error;
    }
  });
  return new Map(await Promise.all(named));
}
