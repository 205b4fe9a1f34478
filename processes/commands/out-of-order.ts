// The locker of a shipment is taken out of order while the shipment still has it, so that no other booking gets it in between.
import type { LockerApi } from '../../shared/locker-api/index.ts';

export async function takeLockerOutOfOrder(
  service: Pick<LockerApi, 'call'>,
  shipmentUid: string,
  why: string,
): Promise<void> {
  const { lockerUid } = await service.call('GetShipment', { shipmentUid });
  if (lockerUid) await service.call('SetLockerOutOfOrder', { lockerUid, outOfOrder: true }, { why });
}
