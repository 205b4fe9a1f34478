// The types of callback that the service sends (interface: Events; assumptions: Callbacks, ShipmentAccess): a row says all that
// the contract, its OpenAPI document and lists of callbacks have of a type.
import { z } from 'zod';
import { answerText, answerUid } from './fields.ts';

export const STATUS_MESSAGE_TYPE = 'ShipmentStatusUpdate';
/** Ours: a pick-up that left the shipment's state as it was, as of a kept-booked one. Only for tenants that ask for it. */
export const ACCESS_MESSAGE_TYPE = 'ShipmentAccess';

export const shipmentStatus = z.object({
  shipmentUid: answerUid,
  stateCode: z.string().min(1),
  stateStart: answerText,
  shipmentType: answerText,
  referenceNo: answerText,
  referenceCaseNo: answerText,
  description: answerText,
  pupUid: answerText,
  fromUserUid: answerText,
  toUserUid: answerText,
});
export type ShipmentStatus = z.infer<typeof shipmentStatus>;

/** As it is sent: the three uids only where the tenant has asked for them (ConfigureCallback, extraFields). */
export const sentShipmentStatus = shipmentStatus.partial({
  pupUid: true,
  fromUserUid: true,
  toUserUid: true,
});
export type SentShipmentStatus = z.infer<typeof sentShipmentStatus>;

interface CallbackType<Own extends z.ZodRawShape> {
  /** What its message has beside the shipment, as it stood then. */
  readonly own: z.ZodObject<Own>;
  /** Where its example differs from the one of a status. */
  readonly example: Partial<SentShipmentStatus> & z.output<z.ZodObject<Own>>;
  readonly summary: string;
  /** Who gets it, and what it tells; null for a type of the published interface. */
  readonly meaning: string | null;
  /** In a list of callbacks, in place of the state. */
  readonly title: string | null;
}

const bodyOf = <Type extends string, Message extends z.ZodObject>(messageType: Type, message: Message) =>
  z.object({ messageType: z.literal(messageType), message });

const callbackType = <Type extends string, Own extends z.ZodRawShape>(
  messageType: Type,
  row: CallbackType<Own>,
) => ({
  ...row,
  read: bodyOf(messageType, shipmentStatus.extend(row.own.shape)),
  sent: bodyOf(messageType, sentShipmentStatus.extend(row.own.shape)),
});

/** The body of each is `read` whole; `sent` may lack fields that only some tenants ask for. */
export const callbackTypes = {
  [STATUS_MESSAGE_TYPE]: callbackType(STATUS_MESSAGE_TYPE, {
    own: z.object({}),
    example: {},
    summary: 'Tells the tenant that the stateCode of a shipment has changed',
    meaning: null,
    title: null,
  }),
  [ACCESS_MESSAGE_TYPE]: callbackType(ACCESS_MESSAGE_TYPE, {
    own: z.object({ accessGoal: z.literal('PickUp'), occurredAt: answerText }),
    example: {
      shipmentType: 'CollectOnlyShipment',
      accessGoal: 'PickUp',
      occurredAt: '2026-03-02T17:40:12.000',
    },
    summary: 'Tells the tenant that a shipment was picked up and its stateCode has not changed',
    meaning:
      'only for a tenant that asks for it (accessMessages of ConfigureCallback). A shipment that was booked with KeepBookedAfterPickUp stays in ReadyForPickup when it is picked up.',
    title: 'picked up, kept booked',
  }),
};
export type CallbackMessageType = keyof typeof callbackTypes;

export const shipmentAccess = callbackTypes.ShipmentAccess.read.shape.message;
export const sentShipmentAccess = callbackTypes.ShipmentAccess.sent.shape.message;

type Types = typeof callbackTypes;
/** What the message of a type has beside the shipment. */
export type OwnFields<Type extends CallbackMessageType> = z.infer<Types[Type]['own']>;
export type SentMessage<Type extends CallbackMessageType> = z.infer<Types[Type]['sent']>['message'];
export type ReadMessage<Type extends CallbackMessageType> = z.infer<Types[Type]['read']>['message'];
