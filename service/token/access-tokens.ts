// Access tokens: short-lived JWTs that name the API client (RFC 9068's claims), issued and verified.
import { hash, randomUUID } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import { BoundedMap } from '../../limits/bounded-map.ts';
import { SIGNING_ALGORITHM } from './signing-key-rotation.ts';
import type { SigningKeys } from './signing-keys.ts';

const TOKEN_TYPE = 'at+jwt';
// Checking a signature takes some 0.2 ms, a look-up some 2 µs. An entry has some 300 bytes.
const MAXIMUM_REMEMBERED = 10_000;

/** What a token is for; its audience is the same word. */
export type TokenScope = typeof TOKEN_SCOPE | typeof WALL_SCOPE;

interface VerifiedToken {
  readonly clientId: string;
  readonly scope: TokenScope;
  readonly keyId: string;
  readonly expiresAt: number;
}

export interface AccessTokenOptions {
  readonly keys: SigningKeys;
  readonly issuer: () => string;
  readonly lifetimeSeconds: number;
  /** How long after its expiry a token is taken. */
  readonly clockSkewSeconds: number;
}

export class AccessTokens {
  readonly lifetimeSeconds: number;
  readonly #keys: SigningKeys;
  readonly #issuer: () => string;
  readonly #clockSkewSeconds: number;
  readonly #verified = new BoundedMap<string, VerifiedToken>(MAXIMUM_REMEMBERED);

  constructor({ keys, issuer, lifetimeSeconds, clockSkewSeconds }: AccessTokenOptions) {
    this.lifetimeSeconds = lifetimeSeconds;
    this.#keys = keys;
    this.#issuer = issuer;
    this.#clockSkewSeconds = clockSkewSeconds;
  }

  async issue(clientId: string, scope: TokenScope): Promise<string> {
    const { keyId, privateKey } = await this.#keys.current();
    return new SignJWT({ client_id: clientId, scope })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keyId, typ: TOKEN_TYPE })
      .setIssuer(this.#issuer())
      .setAudience(scope)
      .setSubject(clientId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${this.lifetimeSeconds}s`)
      .sign(privateKey);
  }

  /** The client id of a valid token of the scope; undefined for any other token. */
  async clientOf(token: string, scope: TokenScope): Promise<string | undefined> {
    const name = hash('sha256', token, 'base64');
    const known = this.#verified.get(name);
    const verified = known ?? (await this.#verify(token));
    if (!verified) return undefined;
    if (verified.expiresAt <= Date.now() || !(await this.#keys.find(verified.keyId))) {
      this.#verified.delete(name);
      return undefined;
    }
    if (!known) this.#verified.set(name, verified);
    return verified.scope === scope ? verified.clientId : undefined;
  }

  async #verify(token: string): Promise<VerifiedToken | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await this.#keys.find(kid);
          if (!key) throw new joseErrors.JWKSNoMatchingKey();
          return key.publicKey;
        },
        {
          algorithms: [SIGNING_ALGORITHM],
          audience: [TOKEN_SCOPE, WALL_SCOPE],
          issuer: this.#issuer(),
          typ: TOKEN_TYPE,
          clockTolerance: this.#clockSkewSeconds,
          requiredClaims: ['exp', 'sub'],
        },
      );
      const { sub, exp, aud } = payload;
      const scope = ([TOKEN_SCOPE, WALL_SCOPE] as const).find((each) => each === payload.scope);
      const { kid } = protectedHeader;
      if (sub === undefined || exp === undefined || kid === undefined || scope === undefined)
        return undefined;
      if (aud !== scope) return undefined;
      return { clientId: sub, scope, keyId: kid, expiresAt: (exp + this.#clockSkewSeconds) * 1_000 };
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return undefined;
      throw error;
    }
  }
}
