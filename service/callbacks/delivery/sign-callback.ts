// The headers that authenticate one attempt of a callback (assumptions: Callbacks). Keys come in; nothing is sent or stored here.
import { createHmac } from 'node:crypto';
import {
  type CallbackAuthType,
  callbackHeaders,
  standardWebhooksContent,
  standardWebhooksKey,
} from '../../../contract/index.ts';
import type { HmacSettings } from '../configuration/callback-settings.ts';

export interface SigningKeysOfTenant {
  readonly authType: CallbackAuthType;
  readonly authKey: string | null;
  /** While a changed key is taken over: receivers that know only this one go on verifying webhook-signature. */
  readonly formerAuthKey: string | null;
}

export interface SignedCallback {
  readonly id: string;
  readonly shipmentUid: string;
  readonly body: string;
}

export function signatureHeaders(
  { id, shipmentUid, body }: SignedCallback,
  { authType, authKey, formerAuthKey }: SigningKeysOfTenant,
  hmac: HmacSettings,
  timestampSeconds: number,
): Record<string, string> {
  const content = standardWebhooksContent(id, timestampSeconds, body);
  const keys = [authKey, formerAuthKey].filter((key) => key !== null);
  return {
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: String(timestampSeconds),
    ...(keys.length > 0 && {
      [callbackHeaders.webhookSignature]: keys
        .map((key) => `v1,${standardSignature(key, content)}`)
        .join(' '),
    }),
    ...(authType === 'HMAC' && authKey !== null && { [hmac.header]: uidHmac(authKey, shipmentUid, hmac) }),
    ...(authType === 'ApiKey' && authKey !== null && { [callbackHeaders.apiKey]: authKey }),
  };
}

const standardSignature = (authKey: string, content: string): string =>
  createHmac('sha256', standardWebhooksKey(authKey)).update(content).digest('base64');

/** interface: message.shipmentUid is "the value that is hashed in the HMAC of the callback". */
const uidHmac = (authKey: string, shipmentUid: string, { algorithm, encoding }: HmacSettings): string =>
  createHmac(algorithm, authKey).update(shipmentUid).digest(encoding);
