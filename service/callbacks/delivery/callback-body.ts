// The body of a callback (interface: ShipmentStatusUpdate; assumptions: Callbacks, ShipmentAccess), from the stored event.
import type { CallbackMessageType, OwnFields, SentShipmentStatus } from '../../../contract/index.ts';
import { asRenamed, type Switches } from '../../switches/switches.ts';
import { withoutOffset } from '../../wire-time.ts';
import type { FrozenEvent } from '../queue/claim-callbacks.ts';

/** What its message says beside the shipment. */
const ownFields: { readonly [Type in CallbackMessageType]: (event: FrozenEvent) => OwnFields<Type> } = {
  ShipmentStatusUpdate: () => ({}),
  ShipmentAccess: ({ accessed_at }) => ({
    accessGoal: 'PickUp',
    occurredAt: accessed_at && withoutOffset(accessed_at),
  }),
};

export function callbackBody(
  event: FrozenEvent,
  switches: Switches,
  extraFields: boolean,
): { readonly messageType: CallbackMessageType; readonly message: SentShipmentStatus } {
  const plain = {
    shipmentUid: event.shipment_uid,
    stateCode: asRenamed(switches, event.state_code),
    stateStart: withoutOffset(event.state_start),
    shipmentType: event.shipment_type,
    referenceNo: event.reference_no,
    referenceCaseNo: event.reference_case_no,
    description: event.description,
  };
  const extra = { pupUid: event.pup_uid, fromUserUid: event.from_user_uid, toUserUid: event.to_user_uid };
  const status = extraFields && !switches.plainCallbacks ? { ...plain, ...extra } : plain;
  return { messageType: event.message_type, message: { ...status, ...ownFields[event.message_type](event) } };
}
