// The items that ended processes have left in lockers, as the locker service knows them: the list says where they are.
import type { LockerApi } from '../../shared/locker-api/index.ts';

/** As many as the service gives at a time. */
const MAX_LOCKERS = 500;

export interface LeftItem {
  readonly lockerName: string | null;
  readonly pupUid: string | null;
}

export type LeftItems = ReadonlyMap<string, LeftItem>;

/** By shipment. */
export async function leftItems(service: Pick<LockerApi, 'call'>): Promise<LeftItems> {
  // One that is out of order may have an item in it, too.
  const { items } = await service.call('GetLockers', {
    pageNo: 1,
    pageSize: MAX_LOCKERS,
    lockerState: ['ToBeEmptied', 'OutOfOrder'],
  });
  return new Map(
    items.flatMap(({ toBeEmptied, leftShipmentUid, lockerName, pupUid }) =>
      toBeEmptied && leftShipmentUid ? [[leftShipmentUid, { lockerName, pupUid }] as const] : [],
    ),
  );
}
