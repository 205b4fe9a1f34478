// The updates setReceiver and removeReceiver: whether they are possible now, and the change that they make.
import type { ChangeReceiverInput } from '../../activities/flow-activities.ts';
import type { MessageEvent } from '../../driver/definition.ts';
import type { Declaration } from '../../flows/declaration.ts';
import { shipmentWithRole } from './evidence.ts';
import type { Knowledge, ReceiverChange } from './knowledge.ts';
import { isInactive, stateOf } from './legs-now.ts';
import { fieldsOf, noSuchRole, roleIn, textOf } from './payload.ts';

/** Why it is not possible, or null. interface: SetShipmentReceiver; who has a receiver only the service knows. */
export function receiverRefusal(
  flow: Declaration,
  known: Knowledge,
  { type, payload }: MessageEvent,
): string | null {
  const fields = fieldsOf(payload);
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  if (type === 'setReceiver' && !textOf(fields.toUserUid)) return 'toUserUid is missing';
  if (known.receiverChange) return 'another change of a receiver is under way';
  const shipment = shipmentWithRole(flow, known, role);
  if (!shipment) return `it is not known yet which shipment is ${role}`;
  const state = stateOf(flow, known, shipment);
  if (isInactive(shipment)) return `${role} has ended (${state})`;
  if (state === 'ReadyForPickup') return `the receiver of ${role} cannot be changed in ReadyForPickup`;
  return null;
}

export function withReceiverChange(
  flow: Declaration,
  known: Knowledge,
  { type, payload, updateId = '' }: MessageEvent,
): Knowledge {
  const fields = fieldsOf(payload);
  const role = roleIn(flow, fields.role);
  const shipment = role && shipmentWithRole(flow, known, role);
  if (!shipment) return known;
  const isSet = type === 'setReceiver';
  const receiverChange: ReceiverChange = {
    updateId,
    role,
    shipmentUid: shipment.shipmentUid,
    toUserUid: isSet ? textOf(fields.toUserUid) : null,
    caseReferenceNew: isSet ? textOf(fields.caseReferenceNew) : null,
  };
  return { ...known, receiverChange };
}

export function changeReceiverInput({ receiverChange }: Knowledge): ChangeReceiverInput {
  if (!receiverChange) throw new TypeError('no change of a receiver is under way');
  const { shipmentUid, toUserUid, caseReferenceNew } = receiverChange;
  return { shipmentUid, toUserUid, caseReferenceNew };
}
