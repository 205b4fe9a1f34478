// Whether a callback is from the service: the HMAC over its shipmentUid, and the Standard Webhooks signature over all
// of it. Every comparison takes the same time, and no answer says why one failed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  callbackHeaders,
  type HmacAlgorithm,
  type HmacEncoding,
  standardWebhooksKey,
} from '../../contract/wire/callback.ts';

export interface AuthenticitySettings {
  readonly authType: 'HMAC' | 'ApiKey' | 'None';
  /** All are valid, so that a key can be changed without losing a callback. */
  readonly keys: readonly string[];
  /** In lower case. */
  readonly hmacHeader: string;
  readonly hmacAlgorithm: HmacAlgorithm;
  readonly hmacEncoding: HmacEncoding;
  /**
   * The HMAC covers the uid alone, so an attacker can change a captured request: strict needs a signature of the
   * whole body.
   */
  readonly strict: boolean;
  /** Seconds that the signed time of the attempt may differ from now; older requests are replays. */
  readonly toleranceSeconds: number;
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** `shipmentUid` is null for a message without one: then only the signature of the whole body counts. */
export function isAuthentic(
  settings: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
  shipmentUid: string | null,
): boolean {
  const { authType, keys } = settings;
  if (authType === 'None') return true;
  const isSigned = keys.some((key) => hasSignature(settings, headers, body, key));
  if (authType === 'ApiKey') {
    const isKeyed = keys.some((key) => isEqual(one(headers, callbackHeaders.apiKey), key));
    return isKeyed && (isSigned || !settings.strict);
  }
  const isHashed = shipmentUid !== null && keys.some((key) => hasHmac(settings, headers, shipmentUid, key));
  if (shipmentUid === null) return isSigned;
  return isHashed && (isSigned || !settings.strict);
}

/** assumptions: Callbacks: the HMAC of message.shipmentUid, keyed with the bytes of authKey as text. */
function hasHmac(
  settings: AuthenticitySettings,
  headers: Headers,
  shipmentUid: string,
  key: string,
): boolean {
  const { hmacHeader, hmacAlgorithm, hmacEncoding } = settings;
  const expected = createHmac(hmacAlgorithm, key).update(shipmentUid).digest(hmacEncoding);
  const given = one(headers, hmacHeader);
  return isEqual(hmacEncoding === 'hex' ? given?.toLowerCase() : given, expected);
}

/** Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id.timestamp.body; several, separated by blanks. */
function hasSignature(
  settings: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
  key: string,
): boolean {
  const id = one(headers, callbackHeaders.webhookId);
  const timestamp = one(headers, callbackHeaders.webhookTimestamp);
  const signatures = one(headers, callbackHeaders.webhookSignature);
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > settings.toleranceSeconds) return false;
  const hmac = createHmac('sha256', standardWebhooksKey(key)).update(`${id}.${timestamp}.`).update(body);
  const expected = `v1,${hmac.digest('base64')}`;
  return signatures.split(' ').some((signature) => isEqual(signature, expected));
}

/** A header that is given twice counts as missing, because either value would be a guess. */
function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isEqual(given: string | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
