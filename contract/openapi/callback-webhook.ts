// The callback of the OpenAPI document (interface: Events; assumptions: Callbacks for its headers).

import { callbackExample } from '../operations/examples.ts';
import { CALLBACK_MESSAGE_TYPE, callbackHeaders, shipmentStatusUpdate } from '../wire/callback.ts';
import { messageSchemas, reference } from './schemas.ts';

export const callbackSchemas = messageSchemas(CALLBACK_MESSAGE_TYPE, shipmentStatusUpdate);

const callbackHeaderMeanings: Readonly<Record<keyof typeof callbackHeaders, string>> = {
  hmac: 'With authType HMAC: base64 of HMAC-SHA256(authKey, message.shipmentUid). Name, algorithm and encoding are settings',
  apiKey: 'With authType ApiKey: the authKey, which signs nothing',
  webhookId: 'Standard Webhooks: the same over all attempts at one event',
  webhookTimestamp: 'Standard Webhooks: seconds since 1970 of this attempt',
  webhookSignature: 'Standard Webhooks: v1, and base64 of HMAC-SHA256 over id.timestamp.body',
};

export const callbackOperation = {
  operationId: CALLBACK_MESSAGE_TYPE,
  tags: ['Callbacks'],
  summary: 'Tells the tenant that the stateCode of a shipment has changed',
  description:
    'Source: interface: Events. Sent to the address set with ConfigureCallback, at least once, and repeated until it is accepted; callbacks of one shipment come in order.',
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
    content: { 'application/json': { schema: reference(CALLBACK_MESSAGE_TYPE), example: callbackExample } },
  },
  responses: {
    '2XX': { description: 'Accepted' },
    default: { description: 'Not accepted: sent again later, at most 10 minutes after the last attempt' },
  },
};
