// The body of a callback (interface: ShipmentStatusUpdate; assumptions: Callbacks, ShipmentAccess), from the stored event.
import type { CallbackMessageType, SentMessage, SentShipmentStatus } from '../../../contract/index.ts';
import { asRenamed, type Switches } from '../../switches/switches.ts';
import { withoutOffset } from '../../wire-time.ts';
import type { FrozenEvent } from '../queue/claim-callbacks.ts';

interface CallbackBody<Type extends CallbackMessageType> {
  readonly messageType: Type;
  readonly message: SentMessage<Type>;
}

type MessageOf<Type extends CallbackMessageType> = (
  event: FrozenEvent<Type>,
  status: SentShipmentStatus,
) => SentMessage<Type>;

const messages: { readonly [Type in CallbackMessageType]: MessageOf<Type> } = {
  ShipmentStatusUpdate: (_, status) => status,
  ShipmentAccess: ({ access_goal, accessed_at }, status) => ({
    ...status,
    accessGoal: access_goal,
    occurredAt: withoutOffset(accessed_at),
  }),
};

export function callbackBody<Type extends CallbackMessageType>(
  event: FrozenEvent<Type>,
  switches: Switches,
  extraFields: boolean,
): CallbackBody<Type> {
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
  return { messageType: event.message_type, message: messages[event.message_type](event, status) };
}
