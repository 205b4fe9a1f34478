// Whether a callback is from the service: the HMAC over its shipmentUid, and the Standard Webhooks signature over all
// of it; and if not, why, for the receiver's log. Every comparison takes the same time, and no answer says why one failed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  callbackHeaders,
  type HmacAlgorithm,
  type HmacEncoding,
  standardWebhooksKey,
} from '../../contract/wire/callback.ts';
import { keyFingerprint } from '../../shared/settings/key-fingerprint.ts';

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

export interface SignatureFailure {
  /**
   * form: a header is missing or cannot be what it should be. clock: signed too long ago, or in the future. key: signed
   * with another key, or changed on its way.
   */
  readonly why: 'form' | 'clock' | 'key';
  /** For the log of the receiver, never for its answer. */
  readonly words: string;
}

/**
 * Null if it is from the service. `shipmentUid` is null for a message without one: then only the signature of the whole body
 * counts.
 */
export function signatureFailure(
  settings: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
  shipmentUid: string | null,
): SignatureFailure | null {
  const { authType, strict } = settings;
  if (authType === 'None') return null;
  if (authType === 'ApiKey')
    return (
      apiKeyFailure(settings, headers) ?? (strict ? webhookSignatureFailure(settings, headers, body) : null)
    );
  if (shipmentUid === null) return webhookSignatureFailure(settings, headers, body);
  return (
    hmacFailure(settings, headers, shipmentUid) ??
    (strict ? webhookSignatureFailure(settings, headers, body) : null)
  );
}

export const isAuthentic = (...given: Parameters<typeof signatureFailure>): boolean =>
  signatureFailure(...given) === null;

function apiKeyFailure({ keys }: AuthenticitySettings, headers: Headers): SignatureFailure | null {
  const header = one(headers, callbackHeaders.apiKey);
  if (keys.some((key) => isEqual(header, key))) return null;
  return header ? otherKey(callbackHeaders.apiKey, keys) : missing(callbackHeaders.apiKey, headers);
}

/** assumptions: Callbacks: the HMAC of message.shipmentUid, keyed with the bytes of authKey as text. */
function hmacFailure(
  { hmacHeader, hmacAlgorithm, hmacEncoding, keys }: AuthenticitySettings,
  headers: Headers,
  shipmentUid: string,
): SignatureFailure | null {
  const header = one(headers, hmacHeader);
  const text = hmacEncoding === 'hex' ? header?.toLowerCase() : header;
  const hmacs = keys.map((key) => createHmac(hmacAlgorithm, key).update(shipmentUid).digest(hmacEncoding));
  if (hmacs.some((hmac) => isEqual(text, hmac))) return null;
  if (!header) return missing(hmacHeader, headers);
  const length = hmacs[0]?.length;
  return header.length === length
    ? otherKey(hmacHeader, keys)
    : form(
        `${hmacHeader} has ${header.length} characters, expected the ${length} of ${hmacAlgorithm} in ${hmacEncoding}; set the algorithm and the encoding as the service has them`,
      );
}

/** Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id.timestamp.body; several, separated by blanks. */
function webhookSignatureFailure(
  { keys, toleranceSeconds }: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
): SignatureFailure | null {
  const { webhookId, webhookTimestamp, webhookSignature } = callbackHeaders;
  const [id, timestamp, signatures] = [webhookId, webhookTimestamp, webhookSignature].map((name) =>
    one(headers, name),
  );
  if (!id) return missing(webhookId, headers);
  if (!timestamp) return missing(webhookTimestamp, headers);
  if (!signatures) return missing(webhookSignature, headers);
  if (!/^\d{1,12}$/.test(timestamp)) return form(`${webhookTimestamp} is not a number of seconds since 1970`);
  const expected = keys.map((key) => {
    const hmac = createHmac('sha256', standardWebhooksKey(key)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  const isSigned = signatures
    .split(' ')
    .some((signature) => expected.some((right) => isEqual(signature, right)));
  if (!isSigned)
    return /(^| )v1,/.test(signatures)
      ? otherKey(webhookSignature, keys)
      : form(`${webhookSignature} has no signature that begins with v1,`);
  return timeFailure(Number(timestamp), toleranceSeconds);
}

/** @param seconds since 1970 */
function timeFailure(seconds: number, toleranceSeconds: number): SignatureFailure | null {
  const ahead = Math.round(seconds - Date.now() / 1_000);
  if (Math.abs(ahead) <= toleranceSeconds) return null;
  const message = `signed ${Math.abs(ahead)} s ${ahead < 0 ? 'before' : 'after'} the time of this machine's clock, allowed are ${toleranceSeconds} s; check the clocks of both machines`;
  return { why: 'clock', words: message };
}

const form = (message: string): SignatureFailure => ({ why: 'form', words: message });

const missing = (name: string, headers: Headers): SignatureFailure =>
  form(Array.isArray(headers[name]) ? `${name} is given twice` : `${name} is missing`);

function otherKey(header: string, keys: readonly string[]): SignatureFailure {
  const names = keys.map(keyFingerprint).join(', ');
  const message = `${header} is not by the key of this receiver (fingerprint ${names}), or the callback was changed on its way; give the receiver the authKey of ConfigureCallback`;
  return { why: 'key', words: message };
}

/** A header that is given twice counts as missing, because either value would be a guess. */
function one(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isEqual(actual: string | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(actual ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
