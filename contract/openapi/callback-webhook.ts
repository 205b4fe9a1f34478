// The callbacks of the OpenAPI document (interface: Events; assumptions: Callbacks for their headers, and ShipmentAccess).

import { accessExample, callbackExample } from '../operations/examples.ts';
import {
  ACCESS_MESSAGE_TYPE,
  CALLBACK_MESSAGE_TYPE,
  callbackHeaders,
  sentShipmentAccess,
  sentShipmentStatus,
  shipmentAccessMessage,
  shipmentStatusUpdate,
} from '../wire/callback.ts';
import { callbackCheck } from './callback-check.ts';
import { messageSchemas, reference } from './schemas.ts';

export const callbackSchemas = [
  messageSchemas(CALLBACK_MESSAGE_TYPE, shipmentStatusUpdate.extend({ message: sentShipmentStatus })),
  messageSchemas(ACCESS_MESSAGE_TYPE, shipmentAccessMessage.extend({ message: sentShipmentAccess })),
];

const callbackHeaderMeanings: Readonly<Record<keyof typeof callbackHeaders, string>> = {
  hmac: 'With authType HMAC: base64 of HMAC-SHA256 over message.shipmentUid; the key is the authKey as text. The operator of the service can change the name of the header, the algorithm and the encoding',
  apiKey: 'With authType ApiKey: the authKey as it is. It is not a signature',
  webhookId: 'Standard Webhooks: id of the event. Every attempt to deliver it has the same id',
  webhookTimestamp: 'Standard Webhooks: time of this attempt, in seconds since 1970',
  webhookSignature:
    'Standard Webhooks: "v1," and the base64 of HMAC-SHA256 over id.timestamp.body; several signatures are separated by spaces',
};

const sent =
  'The service sends it to the address set with ConfigureCallback, at least once, and repeats it until the address accepts it. The callbacks of one shipment come in order. The message has pupUid, fromUserUid and toUserUid only if the tenant has asked for them (ConfigureCallback, extraFields).';

const webhook = (messageType: string, example: object, summary: string, description: string) => ({
  post: {
    operationId: messageType,
    tags: ['Callbacks'],
    summary,
    description,
    security: [],
    parameters: Object.entries(callbackHeaders).map(([header, name]) => ({
      name,
      in: 'header',
      required: name.startsWith('webhook-'),
      description: callbackHeaderMeanings[header as keyof typeof callbackHeaders],
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference(messageType), example } },
    },
    responses: {
      '2XX': { description: 'Accepted' },
      default: {
        description: 'Not accepted: the service sends it again, at most 10 minutes after the last attempt',
      },
    },
  },
});

export const webhooks = {
  [CALLBACK_MESSAGE_TYPE]: webhook(
    CALLBACK_MESSAGE_TYPE,
    callbackExample,
    'Tells the tenant that the stateCode of a shipment has changed',
    `${sent}\n\n${callbackCheck}`,
  ),
  [ACCESS_MESSAGE_TYPE]: webhook(
    ACCESS_MESSAGE_TYPE,
    accessExample,
    'Tells the tenant that a shipment was picked up and its stateCode has not changed',
    `Not in the published interface; only for a tenant that asks for it (accessMessages of ConfigureCallback). A shipment that was booked with KeepBookedAfterPickUp stays in ReadyForPickup when it is picked up. ${sent} It is checked like ${CALLBACK_MESSAGE_TYPE}.`,
  ),
};
