// What the service tells the tenant's callback address (interface: Events) and how it is signed.
// ASSUMPTION: assumptions: Callbacks for the headers, the HMAC and the three uids beside the interface's fields.
import { z } from 'zod';
import { check } from './check.ts';
import { ContractError } from './contract-error.ts';
import { answerText, answerUid } from './fields.ts';

export const CALLBACK_MESSAGE_TYPE = 'ShipmentStatusUpdate';

export const hmacAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const;
export type HmacAlgorithm = (typeof hmacAlgorithms)[number];
export const hmacEncodings = ['base64', 'hex'] as const;
export type HmacEncoding = (typeof hmacEncodings)[number];

/** Header names in lower case, as HTTP compares them; the HMAC's is a setting on both sides. */
export const callbackHeaders = {
  hmac: 'x-callback-hmac',
  apiKey: 'x-api-key',
  webhookId: 'webhook-id',
  webhookTimestamp: 'webhook-timestamp',
  webhookSignature: 'webhook-signature',
} as const;

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';

/**
 * The key of webhook-signature, from the authKey. One that begins with whsec_ is base64 behind it, as Standard Webhooks
 * writes keys; of any other the key is its text in UTF-8. The HMAC header's key is always the whole authKey in UTF-8.
 */
export function standardWebhooksKey(authKey: string): Uint8Array {
  const base64 = authKey.startsWith(STANDARD_WEBHOOKS_PREFIX)
    ? authKey.slice(STANDARD_WEBHOOKS_PREFIX.length)
    : undefined;
  if (base64 && /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2,3}={0,2})?$/.test(base64))
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextEncoder().encode(authKey);
}

/** What webhook-signature signs: each signature is v1, and the base64 of HMAC-SHA256 over it, several apart by spaces. */
export const standardWebhooksContent = (id: string, timestampSeconds: number, body: string): string =>
  `${id}.${timestampSeconds}.${body}`;

export const shipmentStatus = z.object({
  shipmentUid: answerUid,
  stateCode: z.string().min(1),
  stateStart: answerText,
  shipmentType: answerText,
  referenceNo: answerText,
  referenceCaseNo: answerText,
  description: answerText,
  pupUid: answerText,
  fromUserUid: answerText,
  toUserUid: answerText,
});
export type ShipmentStatus = z.infer<typeof shipmentStatus>;

export const shipmentStatusUpdate = z.object({
  messageType: z.literal(CALLBACK_MESSAGE_TYPE),
  message: shipmentStatus,
});

const anyCallback = z.object({ messageType: z.string().min(1), message: z.unknown() });

export type Callback =
  | { readonly messageType: typeof CALLBACK_MESSAGE_TYPE; readonly message: ShipmentStatus }
  | { readonly messageType: 'Other'; readonly name: string; readonly body: unknown };

/** A callback's JSON body; types that nobody has heard of are kept whole (assumptions: Callbacks). Throws ContractError. */
export function parseCallback(body: unknown): Callback {
  const any = checked(anyCallback, body);
  if (any.messageType !== CALLBACK_MESSAGE_TYPE) return { messageType: 'Other', name: any.messageType, body };
  // One uid under two names is refused: the HMAC covers one of them, and which is signed would be a guess.
  return checked(shipmentStatusUpdate, body);
}

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, issues } = check(schema, body);
  if (!data) throw new ContractError('InvalidRequest', issues);
  return data;
}
