// Access tokens: short-lived JWTs that name the API client (RFC 9068's claims) and the secret that they came from, issued
// and verified. A token is no better than its secret: with each use, the caller checks that too (isOfValidSecret).
import { hash, randomUUID } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { TENANT_CLAIM, TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import type { ApiClient, TokenGrant, TokenScope } from './api-clients.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

const TOKEN_TYPE = 'at+jwt';
const SECRET_ID_CLAIM = 'client_secret_id';
/** By which another instance may be ahead that has issued a token. */
const CLOCKS_DIFFER_SECONDS = 5;
// Checking a signature takes some 0.2 ms, a look-up some 2 µs. An entry has some 300 bytes.
const MAXIMUM_REMEMBERED = 10_000;

export interface VerifiedToken {
  readonly clientId: string;
  readonly scope: TokenScope;
  readonly secretId: string;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** False once the token's secret was retired. */
export const isOfValidSecret = (
  { secretId }: Pick<VerifiedToken, 'secretId'>,
  { secrets }: ApiClient,
): boolean => secrets.some((secret) => secret.secretId === secretId);

interface AccessTokenOptions {
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
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: MAXIMUM_REMEMBERED });

  constructor({ keys, issuer, lifetimeSeconds, clockSkewSeconds }: AccessTokenOptions) {
    this.lifetimeSeconds = lifetimeSeconds;
    this.#keys = keys;
    this.#issuer = issuer;
    this.#clockSkewSeconds = clockSkewSeconds;
  }

  /** The tenant is for those who show one tenant alone, like the console; this service asks the client for its own. */
  async issue({
    clientId,
    secretId,
    tenantUid,
    audience,
    scopes,
  }: Pick<VerifiedToken, 'clientId' | 'secretId'> &
    Pick<ApiClient, 'tenantUid'> &
    TokenGrant): Promise<string> {
    const { keyId, privateKey } = await this.#keys.current();
    return new SignJWT({
      client_id: clientId,
      scope: scopes.join(' '),
      [SECRET_ID_CLAIM]: secretId,
      [TENANT_CLAIM]: tenantUid,
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keyId, typ: TOKEN_TYPE })
      .setIssuer(this.#issuer())
      .setAudience(audience)
      .setSubject(clientId)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${this.lifetimeSeconds}s`)
      .sign(privateKey);
  }

  /** What a valid token of the scope says; undefined for any other token. */
  async verified(token: string, scope: TokenScope): Promise<VerifiedToken | undefined> {
    const name = hash('sha256', token, 'base64');
    const known = this.#verified.get(name);
    const verified = known ?? (await this.#verify(token));
    if (!verified) return undefined;
    if (verified.expiresAt <= Date.now() || !(await this.#keys.find(verified.keyId))) {
      this.#verified.delete(name);
      return undefined;
    }
    if (!known) this.#verified.set(name, verified);
    return verified.scope === scope ? verified : undefined;
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
      const { sub, exp, aud, iat = 0 } = payload;
      const scope = ([TOKEN_SCOPE, WALL_SCOPE] as const).find((each) => each === payload.scope);
      const { kid } = protectedHeader;
      if (sub === undefined || exp === undefined || kid === undefined || scope === undefined)
        return undefined;
      if (aud !== scope || iat > Date.now() / 1_000 + CLOCKS_DIFFER_SECONDS) return undefined;
      const secretId = payload[SECRET_ID_CLAIM];
      if (typeof secretId !== 'string') return undefined;
      return {
        clientId: sub,
        scope,
        secretId,
        keyId: kid,
        expiresAt: (exp + this.#clockSkewSeconds) * 1_000,
      };
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) return undefined;
      throw error;
    }
  }
}
