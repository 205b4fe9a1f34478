// The body of a callback (interface: ShipmentStatusUpdate; assumptions: Callbacks, ShipmentAccess), from the stored event.
import { ACCESS_MESSAGE_TYPE, CALLBACK_MESSAGE_TYPE } from '../../../contract/index.ts';
import type { SentShipmentAccess, SentShipmentStatus } from '../../../contract/wire/callback.ts';
import { asRenamed, type Switches } from '../../switches/switches.ts';
import { withoutOffset } from '../../wire-time.ts';
import type { FrozenEvent } from '../queue/claim-callbacks.ts';

type CallbackBody =
  | { readonly messageType: typeof CALLBACK_MESSAGE_TYPE; readonly message: SentShipmentStatus }
  | { readonly messageType: typeof ACCESS_MESSAGE_TYPE; readonly message: SentShipmentAccess };

export function callbackBody(event: FrozenEvent, switches: Switches, extraFields: boolean): CallbackBody {
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
  const message = extraFields && !switches.plainCallbacks ? { ...plain, ...extra } : plain;
  if (event.message_type === CALLBACK_MESSAGE_TYPE) return { messageType: CALLBACK_MESSAGE_TYPE, message };
  return {
    messageType: ACCESS_MESSAGE_TYPE,
    message: { ...message, accessGoal: event.access_goal, occurredAt: withoutOffset(event.accessed_at) },
  };
}
