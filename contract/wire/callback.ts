// The callback that the service sends to the tenant's callback address (interface: Events), and how it is signed.
// ASSUMPTION: assumptions: Callbacks for the headers and the HMAC.
import { z } from 'zod';
import {
  type CallbackMessageType,
  callbackTypes,
  type ReadMessage,
  STATUS_MESSAGE_TYPE,
} from './callback-types.ts';
import { check } from './check.ts';
import { ContractError } from './contract-error.ts';
import { answerUid, filledText, TEXT_LENGTH } from './fields.ts';
import { ILL_FORMED_MESSAGE, illFormedPlace, isStorable, STORABLE_MESSAGE, storableSchema } from './text.ts';

export const hmacAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512'] as const;
export type HmacAlgorithm = (typeof hmacAlgorithms)[number];
export const hmacEncodings = ['base64', 'hex'] as const;
export type HmacEncoding = (typeof hmacEncodings)[number];

/** Header names in lower case, as HTTP compares them. The name of the HMAC header is a setting on both sides. */
export const callbackHeaders = {
  hmac: 'x-callback-hmac',
  apiKey: 'x-api-key',
  webhookId: 'webhook-id',
  webhookTimestamp: 'webhook-timestamp',
  webhookSignature: 'webhook-signature',
} as const;

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';
/** With or without padding, and at least one byte. */
const BASE64 = '(?=..)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?';
const standardWebhooksForm = new RegExp(`^${STANDARD_WEBHOOKS_PREFIX}(${BASE64})$`);
export const NOT_BASE64 = `a key that begins with ${STANDARD_WEBHOOKS_PREFIX} must have base64 after it`;

/** Whether the key can sign callbacks. Any text can, except that only base64 may stand after whsec_. */
export const isCallbackKey = (authKey: string): boolean =>
  !authKey.startsWith(STANDARD_WEBHOOKS_PREFIX) || standardWebhooksForm.test(authKey);

/** A key as input: a field of a request, or a setting. */
export const callbackKey = filledText.refine(isCallbackKey, NOT_BASE64).meta({
  ...storableSchema,
  minLength: 1,
  maxLength: TEXT_LENGTH,
  pattern: `^(?!${STANDARD_WEBHOOKS_PREFIX})[^\\x00]+$|${standardWebhooksForm.source}`,
});

/**
 * The key of webhook-signature, made from the authKey: the decoded bytes after whsec_, as Standard Webhooks writes keys, or
 * the text of any other key in UTF-8. The key of the HMAC header is always the whole authKey in UTF-8. Throws TypeError for
 * a key that isCallbackKey refuses.
 */
export function standardWebhooksKey(authKey: string): Uint8Array {
  if (!authKey.startsWith(STANDARD_WEBHOOKS_PREFIX)) return new TextEncoder().encode(authKey);
  const [, base64] = standardWebhooksForm.exec(authKey) ?? [];
  if (base64 === undefined) throw new TypeError(NOT_BASE64);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * The text that webhook-signature signs. Each signature is "v1," and the base64 of HMAC-SHA256 over this text; spaces
 * separate several signatures.
 */
export const standardWebhooksContent = (id: string, timestampSeconds: number, body: string): string =>
  `${id}.${timestampSeconds}.${body}`;

/** A callback of a type that we know. */
export type KnownCallback<Type extends CallbackMessageType = CallbackMessageType> = {
  readonly [Each in Type]: { readonly messageType: Each; readonly message: ReadMessage<Each> };
}[Type];

const anyCallback = z.object({ messageType: z.string().min(1), message: z.unknown() });

const anyShipmentMessage = z.object({ message: z.object({ shipmentUid: answerUid }) });

export type Callback =
  | KnownCallback
  | {
      readonly messageType: 'Other';
      readonly name: string;
      readonly body: unknown;
      /** The HMAC covers it. Null unless the body names exactly one. */
      readonly shipmentUid: string | null;
    };

/**
 * Reads a callback's JSON body. A callback of an unknown type keeps its whole body (assumptions: Callbacks). Throws
 * ContractError.
 */
export function parseCallback(body: unknown): Callback {
  const place = illFormedPlace(body);
  if (place !== undefined)
    throw new ContractError('InvalidRequest', [{ field: place, message: ILL_FORMED_MESSAGE }]);
  const callback = readCallback(body);
  // It may be the workflow id of a flow, which Temporal looks for in Postgres; other names that are odd are hashed.
  if (callback.messageType !== 'Other' && !isStorable(callback.message.referenceCaseNo ?? ''))
    throw new ContractError('InvalidRequest', [
      { field: 'message.referenceCaseNo', message: STORABLE_MESSAGE },
    ]);
  return callback;
}

function readCallback(body: unknown): Callback {
  const any = checked(anyCallback, body);
  // A body that gives the uid under two names is refused: the HMAC covers one of them, and we would have to guess which.
  if (any.messageType === STATUS_MESSAGE_TYPE) return checked(callbackTypes[STATUS_MESSAGE_TYPE].read, body);
  if (isDeeper(body, MAX_LEVELS))
    throw new ContractError('InvalidRequest', [
      { field: 'message', message: `must not be nested deeper than ${MAX_LEVELS} levels` },
    ]);
  // The name is ours: the message of another service that has the name too may say something else.
  const ours = isKnownType(any.messageType) && check(callbackTypes[any.messageType].read, body).data;
  if (ours) return ours;
  const shipmentUid = check(anyShipmentMessage, body).data?.message.shipmentUid ?? null;
  return { messageType: 'Other', name: any.messageType, body, shipmentUid };
}

const isKnownType = (name: string): name is CallbackMessageType => Object.hasOwn(callbackTypes, name);

/** A kept body is written as JSON again, which overflows the stack from some 5,000 levels on. */
const MAX_LEVELS = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, issues } = check(schema, body);
  if (!data) throw new ContractError('InvalidRequest', issues);
  return data;
}
