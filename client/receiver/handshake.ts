// Answers senders that check the address before they send: by their own scheme, only for a hook that declares it, and only as far
// as that scheme proves who asks. What is echoed is text that no browser runs.
import type { Json } from '../../flow-files/flow-file.ts';
import type { Handshake } from '../../runtime/settings/hooks.ts';
import { isEqual } from './authenticity.ts';
import type { CallbackAnswer } from './receive-callback.ts';

/** What is known of a request before its body is read. */
export interface Asked {
  readonly method: string;
  readonly query: URLSearchParams;
}

/** Null: it is no handshake. 'unproved': it is one, but whoever asks does not prove itself. */
export type Shaken = CallbackAnswer | 'unproved' | null;

// More than any sender gives: nobody may have us send back what they like.
const LONGEST_CHALLENGE = 1_000;
const CHALLENGE = new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_CHALLENGE}}$`);

/** By the address alone. */
export function handshakeOfAddress(handshake: Handshake | null, { method, query }: Asked): Shaken {
  if (handshake?.kind === 'meta' && method === 'GET') {
    const [mode, token, challenge] = ['hub.mode', 'hub.verify_token', 'hub.challenge'].map((name) => {
      const [value, another] = query.getAll(name);
      return another === undefined ? value : undefined;
    });
    const isProved = handshake.tokens.filter((each) => isEqual(token, each)).length > 0;
    return mode === 'subscribe' && isProved ? echo(challenge) : 'unproved';
  }
  // Microsoft Graph proves nothing here: it only looks whether the address answers. Such a request never becomes an event.
  const isGraph = handshake?.kind === 'microsoftGraph' && method === 'POST';
  return isGraph && query.has('validationToken') ? echo(query.get('validationToken')) : null;
}

/** By the body, once its sender has proved itself. */
export function handshakeOfBody(handshake: Handshake | null, body: Json): Shaken {
  if (handshake?.kind !== 'slack' || typeof body !== 'object' || body === null) return null;
  return 'type' in body && body.type === 'url_verification' ? echo(body.challenge) : null;
}

function echo(challenge: unknown): CallbackAnswer | 'unproved' {
  if (typeof challenge !== 'string' || !CHALLENGE.test(challenge)) return 'unproved';
  return {
    status: 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    },
    text: challenge,
  };
}
