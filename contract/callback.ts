// What the service tells the tenant's callback address (interface: Events) and how it is signed.
// ASSUMPTION: decisions §7 for the headers, the HMAC and the three uids beside the interface's fields.
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

/** A callback's JSON body; types that nobody has heard of are kept whole (decisions §7). Throws ContractError. */
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
