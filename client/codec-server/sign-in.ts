// Who may ask the codec server: a program that sends the secret as its bearer token, and the browser of a person who
// has signed in with it. The cookie does not have the secret, but changes with it. It expires by itself, and so does
// every copy.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const COOKIE = 'lockerflow-codec';
/** A working day. */
const SIGNED_IN_SECONDS = 12 * 3_600;

export class SignIn {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  isKnown({ authorization, cookie }: IncomingHttpHeaders): boolean {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
    if (token !== undefined && this.isSecret(token)) return true;
    return (cookie ?? '').split(/; */).some((each) => this.#isSession(each));
  }

  isSecret(text: string): boolean {
    return isSame(text, this.#secret);
  }

  /** For the Web UI on the same host, or below the same domain: a browser sends it to no other site's requests. */
  cookie(isSecure: boolean): string {
    const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${SIGNED_IN_SECONDS}`];
    const session = this.#sessionUntil(now() + SIGNED_IN_SECONDS);
    return [session, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
  }

  /** A browser deletes it in time, but a copy may be anywhere. So the signature covers the expiry. */
  #sessionUntil(second: number): string {
    const signature = createHmac('sha256', this.#secret).update(
      `signed in to the codec server until ${second}`,
    );
    return `${COOKIE}=${second}.${signature.digest('base64url')}`;
  }

  #isSession(cookie: string): boolean {
    const [, until] = /^[\w-]+=(\d{1,12})\./.exec(cookie) ?? [];
    return until !== undefined && Number(until) > now() && isSame(cookie, this.#sessionUntil(Number(until)));
  }
}

/** Seconds since the epoch. */
const now = (): number => Math.floor(Date.now() / 1_000);

/** In constant time, for any lengths. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export const SIGN_IN_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>lockerflow codec server</title>
<form method="post" action="/sign-in"><label>Secret of the codec server
<input name="secret" type="password" autocomplete="current-password" required></label> <button>Sign in</button></form></html>`;
