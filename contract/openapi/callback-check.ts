// How a receiver checks a callback, as text for its programmer: which key, decoded how, over what, with values to try.
// Pure; a test computes the values again.
import { CALLBACK_MESSAGE_TYPE } from '../wire/callback.ts';

/** A callback whose signatures a reader can compute again. */
export const checkExample = {
  authKey: 'whsec_bG9ja2VyZmxvdyBleGFtcGxlIGtleQ==',
  shipmentUid: 'S-100001',
  hmac: 'E4ZabKgwXq69Iq/M6TPVEBxWPHWALcmF/eSzei0jO6E=',
  webhookId: 'msg_S-100001_7',
  webhookTimestamp: '1772442900',
  body: `{"messageType":"${CALLBACK_MESSAGE_TYPE}","message":{"shipmentUid":"S-100001","stateCode":"ReadyForPickup"}}`,
  webhookSignature: 'v1,HKOM+ZgMlEklohanLcNdUsI5n3ATC65iUMrTkMTkWOU=',
} as const;

const { authKey, shipmentUid, hmac, webhookId, webhookTimestamp, body, webhookSignature } = checkExample;

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
