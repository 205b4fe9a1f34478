// Who may ask the codec server: a program that sends the secret as its bearer token, and a person's browser that has signed in
// with it. The cookie holds no secret; it changes with it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const COOKIE = 'lockerflow-codec';
/** A working day. */
const SIGNED_IN_SECONDS = 12 * 3_600;

export class SignIn {
  readonly #secret: string;
  readonly #session: string;

  constructor(secret: string) {
    this.#secret = secret;
    this.#session = createHmac('sha256', secret).update('signed in to the codec server').digest('base64url');
  }

  isKnown({ authorization, cookie }: { readonly authorization?: string; readonly cookie?: string }): boolean {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
    if (token !== undefined && this.isSecret(token)) return true;
    const cookies = (cookie ?? '').split(/; */);
    return cookies.some((each) => isSame(each, `${COOKIE}=${this.#session}`));
  }

  isSecret(text: string): boolean {
    return isSame(text, this.#secret);
  }

  /** For the Web UI on the same host, or below the same domain: a browser sends it to no other site's requests. */
  cookie(isSecure: boolean): string {
    const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${SIGNED_IN_SECONDS}`];
    return [`${COOKIE}=${this.#session}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
  }
}

/** In constant time, whatever their lengths. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export const SIGN_IN_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>lockerflow codec server</title>
<form method="post" action="/sign-in"><label>Secret of the codec server
<input name="secret" type="password" autocomplete="current-password" required></label> <button>Sign in</button></form></html>`;
