// Whether the bytes of a request are a callback from the service, and which. Pure: it sends and logs nothing.
import { type Callback, parseCallback } from '../../contract/wire/callback.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import {
  type AuthenticitySettings,
  type Headers,
  type SignatureFailure,
  signatureFailure,
} from './authenticity.ts';

type JudgedCallback = {
  /** Not to be relied on unless the callback is genuine. */
  readonly claimedShipmentUid: string | null;
} & (
  | { readonly kind: 'genuine'; readonly callback: Callback }
  /** malformed: it is signed as it should be, and is not a callback. */
  | ({ readonly kind: 'unauthentic' | 'malformed' } & SignatureFailure)
);

export function judgeCallback(
  authenticity: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
): JudgedCallback {
  const read = readCallback(body);
  const callback = 'messageType' in read ? read : null;
  const claimedShipmentUid = callback ? uidOf(callback) : null;
  const failure = authenticityFailure(authenticity, headers, body, callback);
  if (failure) return { kind: 'unauthentic', claimedShipmentUid, ...failure };
  if ('messageType' in read) return { kind: 'genuine', claimedShipmentUid, callback: read };
  return { kind: 'malformed', claimedShipmentUid, why: 'form', words: read.words };
}

const uidOf = (callback: Callback): string | null =>
  'message' in callback ? callback.message.shipmentUid : callback.shipmentUid;

/**
 * A message of an unknown type is authentic if its whole body is signed. If not strict, the HMAC of its shipmentUid is
 * enough too: a vendor may sign nothing else.
 */
function authenticityFailure(
  authenticity: AuthenticitySettings,
  headers: Headers,
  body: Uint8Array,
  callback: Callback | null,
): SignatureFailure | null {
  if (callback && callback.messageType !== 'Other')
    return signatureFailure(authenticity, headers, body, callback.message.shipmentUid);
  const ofWholeBody = signatureFailure(authenticity, headers, body, null);
  const uid = callback?.shipmentUid ?? null;
  if (!ofWholeBody || authenticity.strict || uid === null) return ofWholeBody;
  return signatureFailure(authenticity, headers, body, uid);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Or, in words, why it is not a callback. */
function readCallback(body: Uint8Array): Callback | { readonly words: string } {
  try {
    return parseCallback(JSON.parse(utf8.decode(body)));
  } catch (error) {
    if (error instanceof TypeError) return { words: 'the body is not UTF-8' };
    // What the parser says of JSON quotes the body.
    if (error instanceof SyntaxError) return { words: 'the body is not JSON' };
    if (error instanceof ContractError) return { words: `the body is not a callback: ${error.message}` };
    throw error;
  }
}
