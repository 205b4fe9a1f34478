// The body of a callback, and the headers that authenticate one attempt (assumptions: Callbacks). It gets the keys; it sends and
// stores nothing.
import { createHmac } from 'node:crypto';
import {
  type CallbackAuthType,
  callbackHeaders,
  isCallbackKey,
  standardWebhooksContent,
  standardWebhooksKey,
} from '../../../contract/index.ts';

export interface KeysOfTenant {
  readonly authType: CallbackAuthType;
  /**
   * The newest first. Former keys are for receivers that do not know the new one: webhook-signature has one
   * signature for each key.
   */
  readonly signingKeys: readonly string[];
  readonly apiKey: string | undefined;
}

interface CallbackToSign {
  readonly id: string;
  readonly shipmentUid: string;
  readonly body: string;
  /** Whether it gets the headers of Standard Webhooks, too. */
  readonly standardWebhooks: boolean;
}

export function signatureHeaders(
  callback: CallbackToSign,
  { authType, signingKeys, apiKey }: KeysOfTenant,
  timestampSeconds: number,
): Record<string, string> {
  const { shipmentUid, standardWebhooks } = callback;
  const [signingKey] = signingKeys;
  return {
    ...(standardWebhooks && standardWebhooksHeaders(callback, signingKeys, timestampSeconds)),
    ...(authType === 'HMAC' &&
      signingKey !== undefined && { [callbackHeaders.hmac]: uidHmac(signingKey, shipmentUid) }),
    ...(authType === 'ApiKey' && apiKey !== undefined && { [callbackHeaders.apiKey]: apiKey }),
  };
}

function standardWebhooksHeaders(
  { id, body }: CallbackToSign,
  [signingKey, ...formerKeys]: readonly string[],
  timestampSeconds: number,
): Record<string, string> {
  const headers = {
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: String(timestampSeconds),
  };
  if (signingKey === undefined) return headers;
  const content = standardWebhooksContent(id, timestampSeconds, body);
  // A former key that cannot sign must not keep the new one from signing.
  const keys = [signingKey, ...formerKeys.filter(isCallbackKey)];
  const signatures = keys.map((key) => `v1,${standardSignature(key, content)}`);
  return { ...headers, [callbackHeaders.webhookSignature]: signatures.join(' ') };
}

const standardSignature = (authKey: string, content: string): string =>
  createHmac('sha256', standardWebhooksKey(authKey)).update(content).digest('base64');

/** interface: message.shipmentUid is "the value that is hashed in the HMAC of the callback". */
const uidHmac = (authKey: string, shipmentUid: string): string =>
  createHmac('sha256', authKey).update(shipmentUid).digest('base64');
