// GetShipmentAccessCode (assumptions: Reading): both codes of a shipment, null where it has none (any more).
import type { Handler } from '../handler.ts';
import { unknownShipment } from './lock-chain.ts';

export const getShipmentAccessCode: Handler<'GetShipmentAccessCode'> = async ({ shipmentUid }, context) => {
  const codes = await context.database
    .selectFrom('shipments')
    .select(['shipment_uid as shipmentUid', 'pick_up_code as pickUpCode', 'delivery_code as deliveryCode'])
    .where('shipment_uid', '=', shipmentUid)
    .where('tenant_id', '=', context.tenantId)
    .executeTakeFirst();
  if (!codes) throw unknownShipment(shipmentUid);
  return codes;
};
