// Reading what a signal carries: whoever sent it may have sent anything, and a process must not stop at it.
import type { ShipmentReport, Superseded } from '../../contract/flows/flow-messages.ts';
import { type Fields, fieldsOf, textOf } from './payload.ts';

/** Null when it tells no state of any shipment. What else is missing is null, as from a peer that does not say it. */
export function reportIn(payload: unknown): ShipmentReport | null {
  const fields = fieldsOf(payload);
  const shipmentUid = textOf(fields.shipmentUid);
  const stateCode = textOf(fields.stateCode);
  if (!shipmentUid || !stateCode) return null;
  return {
    shipmentUid,
    stateCode,
    receivedAt: textOf(fields.receivedAt) ?? new Date().toISOString(),
    source: fields.source === 'reconciler' ? 'reconciler' : 'callback',
    ...texts(fields),
  };
}

function texts(fields: Fields) {
  return {
    stateStart: textOf(fields.stateStart),
    shipmentType: textOf(fields.shipmentType),
    referenceNo: textOf(fields.referenceNo),
    referenceCaseNo: textOf(fields.referenceCaseNo),
    description: textOf(fields.description),
    pupUid: textOf(fields.pupUid),
    fromUserUid: textOf(fields.fromUserUid),
    toUserUid: textOf(fields.toUserUid),
  };
}

export function supersededIn(payload: unknown): Pick<Superseded, 'shipmentUid'> | null {
  const shipmentUid = textOf(fieldsOf(payload).shipmentUid);
  return shipmentUid ? { shipmentUid } : null;
}
