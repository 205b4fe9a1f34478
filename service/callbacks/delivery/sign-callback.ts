// The headers that authenticate one attempt of a callback (assumptions: Callbacks). Keys come in; nothing is sent or stored here.
import { createHmac } from 'node:crypto';
import {
  type CallbackAuthType,
  callbackHeaders,
  standardWebhooksContent,
  standardWebhooksKey,
} from '../../../contract/index.ts';
import type { HmacSettings } from '../configuration/callback-settings.ts';

export interface KeysOfTenant {
  readonly authType: CallbackAuthType;
  /** The newest first. The others are of receivers that know only a former key: webhook-signature has one of each. */
  readonly signingKeys: readonly string[];
  readonly apiKey: string | undefined;
}

export interface SignedCallback {
  readonly id: string;
  readonly shipmentUid: string;
  readonly body: string;
}

export function signatureHeaders(
  { id, shipmentUid, body }: SignedCallback,
  { authType, signingKeys, apiKey }: KeysOfTenant,
  hmac: HmacSettings,
  timestampSeconds: number,
): Record<string, string> {
  const content = standardWebhooksContent(id, timestampSeconds, body);
  const [signingKey] = signingKeys;
  return {
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: String(timestampSeconds),
    ...(signingKeys.length > 0 && {
      [callbackHeaders.webhookSignature]: signingKeys
        .map((key) => `v1,${standardSignature(key, content)}`)
        .join(' '),
    }),
    ...(authType === 'HMAC' &&
      signingKey !== undefined && { [hmac.header]: uidHmac(signingKey, shipmentUid, hmac) }),
    ...(authType === 'ApiKey' && apiKey !== undefined && { [callbackHeaders.apiKey]: apiKey }),
  };
}

const standardSignature = (authKey: string, content: string): string =>
  createHmac('sha256', standardWebhooksKey(authKey)).update(content).digest('base64');

/** interface: message.shipmentUid is "the value that is hashed in the HMAC of the callback". */
const uidHmac = (authKey: string, shipmentUid: string, { algorithm, encoding }: HmacSettings): string =>
  createHmac(algorithm, authKey).update(shipmentUid).digest(encoding);
