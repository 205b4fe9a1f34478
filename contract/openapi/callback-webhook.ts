// The callbacks of the OpenAPI document (interface: Events; assumptions: Callbacks for their headers, and ShipmentAccess), its
// token request (interface: Authentication; RFC 6749), and its failing answers.

import { callbackExample } from '../operations/examples.ts';
import { callbackHeaders } from '../wire/callback.ts';
import { type CallbackMessageType, callbackTypes, STATUS_MESSAGE_TYPE } from '../wire/callback-types.ts';
import { TOKEN_SCOPE, tokenErrors, tokenRequest, tokenResponse } from '../wire/token.ts';
import { messageSchemas, reference, requestSchemas } from './schemas.ts';

/** A callback whose signatures a reader can compute again. */
export const checkExample = {
  authKey: 'whsec_bG9ja2VyZmxvdyBleGFtcGxlIGtleQ==',
  shipmentUid: 'S-100001',
  hmac: 'E4ZabKgwXq69Iq/M6TPVEBxWPHWALcmF/eSzei0jO6E=',
  webhookId: 'msg_S-100001_7',
  webhookTimestamp: '1772442900',
  body: `{"messageType":"${STATUS_MESSAGE_TYPE}","message":{"shipmentUid":"S-100001","stateCode":"ReadyForPickup"}}`,
  webhookSignature: 'v1,HKOM+ZgMlEklohanLcNdUsI5n3ATC65iUMrTkMTkWOU=',
} as const;

const { authKey, shipmentUid, hmac, webhookId, webhookTimestamp, body, webhookSignature } = checkExample;

/** How a receiver checks a callback, for its programmer: which key, decoded how, over what, with values to try. */
export const callbackCheck = `**To check a callback**, take the key that ConfigureCallback was given as \`authKey\`, or that it made. One key, two checks:

1. \`x-callback-hmac\` (authType HMAC) is base64 of HMAC-SHA256. The key of the HMAC is the whole \`authKey\` as text in UTF-8, also the \`whsec_\` at its beginning: nothing is decoded. The hashed text is \`message.shipmentUid\` alone. So this check says nothing of the other fields.
2. \`webhook-signature\` covers the whole body (Standard Webhooks). It has one or more signatures, separated by spaces; each is \`v1,\` and base64 of HMAC-SHA256, and one that matches is enough. The key of the HMAC: if \`authKey\` begins with \`whsec_\`, the bytes that the base64 after it decodes to; else the whole \`authKey\` as text in UTF-8. The hashed text is \`webhook-id\`, a dot, \`webhook-timestamp\`, a dot, and the body exactly as it came, byte for byte. Read the raw body, before any JSON parser.

Compare in constant time. Refuse a callback whose \`webhook-timestamp\` is more than 5 minutes from your clock: it may be a repeated old one. With authType ApiKey, \`x-api-key\` is the \`authKey\`; then the key of \`webhook-signature\` is the \`signingKey\` that ConfigureCallback gave. While a key is changed, \`webhook-signature\` has a signature by the new key and by each former one; \`x-callback-hmac\` is by the new key.

To try your own code:

| what | value |
|---|---|
| authKey | \`${authKey}\` |
| message.shipmentUid | \`${shipmentUid}\` |
| x-callback-hmac | \`${hmac}\` |
| webhook-id | \`${webhookId}\` |
| webhook-timestamp | \`${webhookTimestamp}\` |
| body | \`${body}\` |
| webhook-signature | \`${webhookSignature}\` |

Answer with any 2xx when you have the callback in a safe place, 401 if a check fails. Callbacks come at least once: count on repeated ones (\`webhook-id\` stays the same).`;

export const callbackSchemas = Object.entries(callbackTypes).map(([type, { sent }]) =>
  messageSchemas(type, sent),
);

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

/** The published type also says how every callback is checked. */
const descriptionOf = (meaning: string | null): string =>
  meaning === null
    ? `${sent}\n\n${callbackCheck}`
    : `Not in the published interface; ${meaning} ${sent} It is checked like ${STATUS_MESSAGE_TYPE}.`;

const webhook = (messageType: CallbackMessageType) => ({
  post: {
    operationId: messageType,
    tags: ['Callbacks'],
    summary: callbackTypes[messageType].summary,
    description: descriptionOf(callbackTypes[messageType].meaning),
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
      content: {
        'application/json': { schema: reference(messageType), example: callbackExample(messageType) },
      },
    },
    responses: {
      '2XX': { description: 'Accepted' },
      default: {
        description: 'Not accepted: the service sends it again, at most 10 minutes after the last attempt',
      },
    },
  },
});

export const webhooks = Object.fromEntries(
  Object.keys(callbackTypes).map((type) => [type, webhook(type as CallbackMessageType)]),
);

const tokenFailure = {
  type: 'object',
  required: ['error'],
  properties: { error: { enum: Object.keys(tokenErrors) }, error_description: { type: 'string' } },
};

export const tokenSchemas = {
  ...requestSchemas('TokenRequest', tokenRequest),
  ...messageSchemas('TokenAnswer', tokenResponse),
  TokenFailure: tokenFailure,
};

const tokenFailureResponse = (description: string, error: keyof typeof tokenErrors) => ({
  description,
  content: { 'application/json': { schema: reference('TokenFailure'), example: { error } } },
});

export const tokenOperation = {
  operationId: 'GetToken',
  tags: ['Authentication'],
  summary: 'Gives an access token for client credentials',
  description:
    'OAuth 2.0 client credentials (RFC 6749, section 4.4). The credentials come in the form or in HTTP Basic.',
  security: [{}, { clientSecret: [] }],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: reference('TokenRequest'),
        example: {
          grant_type: 'client_credentials',
          scope: TOKEN_SCOPE,
          client_id: 'demo',
          client_secret: 'demo-secret',
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The token. Caches must not store it',
      headers: { 'Cache-Control': { description: 'no-store', schema: { const: 'no-store' } } },
      content: {
        'application/json': {
          schema: reference('TokenAnswer'),
          example: { access_token: 'a-signed-token', token_type: 'bearer', expires_in: 300 },
        },
      },
    },
    400: tokenFailureResponse(
      'The request is not a valid token request with client credentials',
      'invalid_request',
    ),
    401: tokenFailureResponse('The client is unknown or its secret is wrong', 'invalid_client'),
  },
};
