// What the OpenAPI document says of how to check a callback: its values are what the service signs with that key.
import { expect, test } from 'vitest';
import { callbackCheck, checkExample } from '../../../contract/openapi/callback-check.ts';
import { openApiDocument } from '../../../contract/openapi/openapi.ts';
import { signatureHeaders } from '../../../service/callbacks/delivery/sign-callback.ts';

test('the values to try are those that the service signs with', () => {
  const { authKey, shipmentUid, body, webhookId: id, webhookTimestamp } = checkExample;
  const headers = signatureHeaders(
    { id, shipmentUid, body, standardWebhooks: true },
    { authType: 'HMAC', signingKeys: [authKey], apiKey: undefined },
    { header: 'x-callback-hmac', algorithm: 'sha256', encoding: 'base64' },
    Number(webhookTimestamp),
  );
  expect(headers).toEqual({
    'x-callback-hmac': checkExample.hmac,
    'webhook-id': id,
    'webhook-timestamp': webhookTimestamp,
    'webhook-signature': checkExample.webhookSignature,
  });
});

test('the description of the callback has them', () => {
  expect(openApiDocument()).toMatchObject({
    webhooks: { ShipmentStatusUpdate: { post: { description: expect.stringContaining(callbackCheck) } } },
  });
});
