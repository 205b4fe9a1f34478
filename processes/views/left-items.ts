// The items that ended processes have left in lockers, as the locker service knows them: the list says where they are.
import type { Request } from '../../contract/operations/operations.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';

/** As many as the service gives at a time. */
const MAX_LOCKERS = 500;

/** One that is out of order may have an item in it, too. */
export const MAY_HOLD_ITEMS: Request<'GetLockers'> = {
  pageNo: 1,
  pageSize: MAX_LOCKERS,
  lockerState: ['ToBeEmptied', 'OutOfOrder'],
};

export interface LeftItem {
  readonly lockerUid: string | null;
  readonly lockerName: string | null;
  readonly pupUid: string | null;
}

export type LeftItems = ReadonlyMap<string, LeftItem>;

/** By shipment. */
export async function leftItems(
  service: Pick<LockerApi, 'call'>,
  at: { readonly pupUid?: string } = {},
): Promise<LeftItems> {
  const { items } = await service.call('GetLockers', { ...MAY_HOLD_ITEMS, ...at });
  return new Map(
    items.flatMap(({ toBeEmptied, leftShipmentUid, lockerUid, lockerName, pupUid }) =>
      toBeEmptied && leftShipmentUid ? [[leftShipmentUid, { lockerUid, lockerName, pupUid }] as const] : [],
    ),
  );
}
