// The body of a callback (interface: ShipmentStatusUpdate; assumptions: Callbacks), from the stored event.
import { CALLBACK_MESSAGE_TYPE } from '../../../contract/index.ts';
import type { SentShipmentStatus } from '../../../contract/wire/callback.ts';
import { asRenamed, type Switches } from '../../switches/switches.ts';
import { withoutOffset } from '../../wire-time.ts';
import type { FrozenEvent } from '../queue/claim-callbacks.ts';

export interface CallbackBody {
  readonly messageType: typeof CALLBACK_MESSAGE_TYPE;
  readonly message: SentShipmentStatus;
}

export function callbackBody(event: FrozenEvent, switches: Switches, extraFields: boolean): CallbackBody {
  const message = {
    shipmentUid: event.shipment_uid,
    stateCode: asRenamed(switches, event.state_code),
    stateStart: withoutOffset(event.state_start),
    shipmentType: event.shipment_type,
    referenceNo: event.reference_no,
    referenceCaseNo: event.reference_case_no,
    description: event.description,
  };
  const extra = { pupUid: event.pup_uid, fromUserUid: event.from_user_uid, toUserUid: event.to_user_uid };
  return {
    messageType: CALLBACK_MESSAGE_TYPE,
    message: extraFields && !switches.plainCallbacks ? { ...message, ...extra } : message,
  };
}
