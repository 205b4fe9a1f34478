// Bearer tokens of programs (RFC 6750, RFC 9068): JWTs of one issuer, checked by its published keys. Any OAuth 2 server may be
// the issuer; `npm start` and the cluster take the locker service's own token endpoint.
import { createRemoteJWKSet, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { z } from 'zod';
import { ConsoleRefusal } from '../refusal.ts';
import { claimIn } from './claim-in.ts';
import { type Caller, programCaller } from './rights.ts';
import { bearerIn, type ProgramClaim, scopesIn } from './token-bearer.ts';

export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Whose processes are here: the tokens of no other tenant are taken, though the issuer has many. */
  readonly tenant: { readonly claim: string; readonly value: string };
  /** Where its keys are; undefined: its metadata say that. */
  readonly jwksUrl: string | undefined;
  /** By which it tells programs; undefined: as the issuers do that token-bearer.ts knows. */
  readonly programClaim?: ProgramClaim | undefined;
}

// Public keys only: with a symmetric one, whoever can check a token could also make one.
const ALGORITHMS = [
  ...['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
];
// RFC 9068 asks for at+jwt, and many issuers write JWT. Other types, like that of a logout token, are no access tokens.
const TYPES: ReadonlySet<string | undefined> = new Set(['at+jwt', 'application/at+jwt', 'jwt', undefined]);
/** Clocks differ: a token is taken for so long after its expiry, and before it was issued. */
const CLOCK_SKEW_SECONDS = 5;
const ANSWER_WITHIN_MS = 5_000;
/** An issuer that does not answer is not asked more often than this. */
const RETRY_AFTER_MS = 2_000;
/** Beside this: unknown key ids make jose look for new keys, at most once in 30 s. */
const KEYS_FRESH_MS = 600_000;
const LONGEST_LIST = 80;

// RFC 8414 and OpenID Connect Discovery.
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

type Keys = ReturnType<typeof createRemoteJWKSet>;

export class AccessTokens {
  readonly #settings: IssuerSettings;
  #keys: Promise<Keys> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: IssuerSettings) {
    this.#settings = settings;
  }

  /**
   * Throws ConsoleRefusal: 401 for a token that is not valid here, 403 for one of another tenant, 503 where the issuer does not
   * answer.
   */
  async callerOf(token: string): Promise<Caller> {
    const { issuer, audience, tenant, programClaim } = this.#settings;
    const keys = await this.#keysOfIssuer();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ['exp', 'sub'],
      });
      if (!TYPES.has(protectedHeader.typ?.toLowerCase())) throw new joseErrors.JWTInvalid('no access token');
      if (Number(payload.iat ?? 0) > Date.now() / 1_000 + CLOCK_SKEW_SECONDS)
        throw new joseErrors.JWTInvalid('issued in the future');
      requireTenant(payload, tenant);
      return programCaller(bearerIn(payload, programClaim), scopesIn(payload), Number(payload.exp) * 1_000);
    } catch (error) {
      if (error instanceof ConsoleRefusal) throw error;
      if (error instanceof joseErrors.JWKSTimeout || !(error instanceof joseErrors.JOSEError))
        throw unreachable(issuer, error);
      throw invalidToken(issuer, audience, error);
    }
  }

  async #keysOfIssuer(): Promise<Keys> {
    if (this.#keys === undefined) {
      if (Date.now() - this.#failedAt < RETRY_AFTER_MS) throw unreachable(this.#settings.issuer);
      this.#keys = this.#findKeys();
      this.#keys.catch(() => {
        this.#keys = undefined;
        this.#failedAt = Date.now();
      });
    }
    return await this.#keys;
  }

  async #findKeys(): Promise<Keys> {
    const { issuer, jwksUrl } = this.#settings;
    const url = jwksUrl ?? (await jwksUrlOf(issuer));
    return createRemoteJWKSet(new URL(url), {
      timeoutDuration: ANSWER_WITHIN_MS,
      cacheMaxAge: KEYS_FRESH_MS,
    });
  }
}

async function jwksUrlOf(issuer: string): Promise<string> {
  let problem: unknown;
  for (const path of METADATA)
    try {
      const answer = await fetch(issuer.replace(/\/$/, '') + path, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const { data } = metadata.safeParse(answer.ok ? await answer.json() : null);
      // RFC 8414 section 3.3: metadata of another issuer must not be used.
      if (data?.issuer === issuer) return data.jwks_uri;
      problem = new Error(
        data ? `${path} is of the issuer ${data.issuer}` : `${path} answers with status ${answer.status}`,
      );
    } catch (error) {
      problem = error;
    }
  throw unreachable(issuer, problem);
}

const unreachable = (issuer: string, cause?: unknown): ConsoleRefusal =>
  Object.assign(
    new ConsoleRefusal(
      503,
      'IssuerUnreachable',
      `The issuer of access tokens, ${issuer}, does not give its keys now, so no token can be checked. Try again in a moment.`,
      undefined,
      RETRY_AFTER_MS,
    ),
    { cause },
  );

const invalidToken = (issuer: string, audience: string, { code }: joseErrors.JOSEError): ConsoleRefusal =>
  new ConsoleRefusal(
    401,
    'InvalidToken',
    code === 'ERR_JWT_EXPIRED'
      ? `The access token has expired. Get a new one from ${issuer}.`
      : `The access token is not valid here; expected one of ${issuer} for the audience ${audience}.`,
  );

/** Throws ConsoleRefusal. A token of several tenants has a list of them. */
function requireTenant(payload: JWTPayload, { claim, value }: IssuerSettings['tenant']): void {
  const given = [claimIn(payload, claim)].flat();
  if (given.includes(value)) return;
  const names = given.filter((each) => typeof each === 'string').map((each) => JSON.stringify(each));
  throw new ConsoleRefusal(
    403,
    'WrongTenant',
    names.length === 0
      ? `The access token names no tenant in its claim ${claim}; this console takes only tokens of the tenant ${value}.`
      : `The access token is of the tenant ${names.join(', ').slice(0, LONGEST_LIST)}; this console takes only tokens of the tenant ${value}.`,
  );
}

/** The token of a request; undefined where it has none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
