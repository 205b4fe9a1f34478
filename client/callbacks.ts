// The published entry lockerflow/callbacks: checks callbacks in any receiver. It needs neither Temporal nor a server.
import {
  type Callback,
  callbackHeaders,
  type HmacAlgorithm,
  type HmacEncoding,
} from '../contract/wire/callback.ts';
import type { Headers, SignatureFailure } from './receiver/authenticity.ts';
import { judgeCallback } from './receiver/judge-callback.ts';

export type { Callback } from '../contract/wire/callback.ts';

export interface CallbackRequest {
  /** Those of node:http, of a fetch Request, or any object with a header per property. */
  readonly headers: Headers | { get(name: string): string | null };
  /** The body as it came, before any parser: the signature covers its bytes. */
  readonly body: Uint8Array | string;
}

export interface CallbackCheck {
  /**
   * The authKey of ConfigureCallback; while a key is changed, the former key too. With authType ApiKey the authKey and the
   * signingKey.
   */
  readonly keys: string | readonly string[];
  /** HMAC if not given. */
  readonly authType?: 'HMAC' | 'ApiKey';
  /** Whether the whole body must be signed; true if not given. False: only for a service that cannot. */
  readonly strict?: boolean;
  /** Seconds that the signed time may differ from now; 300 if not given. */
  readonly toleranceSeconds?: number;
  /** x-callback-hmac if not given. */
  readonly hmacHeader?: string;
  /** sha256 if not given. */
  readonly hmacAlgorithm?: HmacAlgorithm;
  /** base64 if not given. */
  readonly hmacEncoding?: HmacEncoding;
}

export type VerifiedCallback =
  | { readonly verified: true; readonly callback: Callback }
  | ({
      readonly verified: false;
      /** What to answer: 401 if the service did not sign it, 400 if it is no callback. */
      readonly status: 401 | 400;
    } & SignatureFailure);

/**
 * Whether a request is a callback from the service, and which. `words` is for your log: an answer must not tell it. Throws
 * TypeError when no key is given.
 */
export function verifyCallback({ headers, body }: CallbackRequest, check: CallbackCheck): VerifiedCallback {
  const keys = typeof check.keys === 'string' ? [check.keys] : check.keys;
  if (keys.length === 0 || keys.some((key) => key === ''))
    throw new TypeError('keys: expected the authKey of ConfigureCallback, got none');
  const hmacHeader = (check.hmacHeader ?? callbackHeaders.hmac).toLowerCase();
  const judged = judgeCallback(
    {
      authType: check.authType ?? 'HMAC',
      keys,
      hmacHeader,
      hmacAlgorithm: check.hmacAlgorithm ?? 'sha256',
      hmacEncoding: check.hmacEncoding ?? 'base64',
      strict: check.strict ?? true,
      toleranceSeconds: check.toleranceSeconds ?? 300,
    },
    inLowerCase(headers, hmacHeader),
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  );
  if (judged.kind === 'genuine') return { verified: true, callback: judged.callback };
  const { why, words } = judged;
  return { verified: false, status: judged.kind === 'unauthentic' ? 401 : 400, why, words };
}

function inLowerCase(headers: CallbackRequest['headers'], hmacHeader: string): Headers {
  if (isFetchHeaders(headers)) {
    const names = [...Object.values(callbackHeaders), hmacHeader];
    return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]));
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const isFetchHeaders = (
  headers: CallbackRequest['headers'],
): headers is { get(name: string): string | null } => typeof headers.get === 'function';
