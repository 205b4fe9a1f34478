// A locker as people know it: by its name and its pick up point.
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import { pickUpPointOf } from '../pick-up-points.ts';

/** As in "Locker 7 of Central"; its uid where the service does not tell. */
export async function formatLocker(service: Pick<LockerApi, 'call'>, lockerUid: string): Promise<string> {
  try {
    const { items } = await service.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid });
    const locker = items.find((each) => each.lockerUid === lockerUid);
    if (!locker?.lockerName || !locker.pupUid) return lockerUid;
    return t`Locker ${locker.lockerName} of ${(await pickUpPointOf(service, locker.pupUid)).name}`;
  } catch (error) {
    if (error instanceof LockerApiError) return lockerUid;
    throw error;
  }
}
