// Signing in by an OpenID provider: the authorization code flow with PKCE. What the answer must fit (state, nonce, the code's
// verifier) is in a cookie of the browser that began, which only this process can read or make: strangers who begin again and again
// fill no memory and push nobody out. It is used once.
import { createHash, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { type ConsoleRights, isUserName, USER_NAME_RULE } from '../../shared/settings/console-rights.ts';
import { t } from '../../shared/texts/text.ts';
import { claimIn } from '../access/claim-in.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { providerIsAway, refusalOf, refused } from './open-id-refusals.ts';
import type { AtProvider } from './sessions.ts';

export const CALLBACK_PATH = '/api/sign-in/provider/callback';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  /** The scopes that are asked for. */
  readonly scope: string;
  /** The claim with the person's name, as processes keep it. */
  readonly nameClaim: string;
  readonly groupsClaim: string;
  /** What the people of each group may. */
  readonly groups: ReadonlyMap<string, ConsoleRights>;
}

export interface OpenIdPerson {
  readonly name: string;
  readonly provider: AtProvider;
}

/** A sign-in that has begun and waits for the provider's answer: the content of the browser's cookie. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wanted to go. */
  readonly to: string;
}

/** Time for a second factor, or a new password. */
export const BEGUN_SECONDS = 600;
/** Characters: browsers drop a cookie of more than 4,096. */
const LONGEST_TO = 2_000;
/** States and refusals kept. A forgotten state could be used again, but the provider accepts each code only once. */
const MAX_REMEMBERED = 10_000;
const REFUSAL_SHOWN_MS = 60_000;
const WITHIN_SECONDS = 10;
/** The provider's keys and addresses are read again after so long; what failed, soon. */
const KNOWN_MS = 3_600_000;
const FAILED_MS = 3_000;
const KEY_BYTES = 32;

export class OpenId {
  readonly #settings: OpenIdSettings;
  readonly #consoleUrl: string;
  readonly #key = randomBytes(KEY_BYTES);
  /** By their states. */
  readonly #used = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: BEGUN_SECONDS * 1_000 });
  readonly #refused = new LRUCache<string, ConsoleRefusal>({ max: MAX_REMEMBERED, ttl: REFUSAL_SHOWN_MS });
  #provider: Promise<openid.Configuration> | undefined;
  #knownUntil = 0;

  /** @param consoleUrl by which browsers call the console, and by which the provider knows it */
  constructor(settings: OpenIdSettings, consoleUrl: string) {
    this.#settings = settings;
    this.#consoleUrl = consoleUrl.replace(/\/+$/, '');
  }

  /** For the button. */
  get name(): string {
    return new URL(this.#settings.issuer).host;
  }

  /** Where the browser goes, and the secret that it must bring back. Throws ConsoleRefusal. */
  async begin(to: string | undefined): Promise<{ readonly url: string; readonly secret: string }> {
    const provider = await this.#known();
    const begun: PendingSignIn = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
      to: ownPath(to),
    };
    const url = openid.buildAuthorizationUrl(provider, {
      redirect_uri: `${this.#consoleUrl}${CALLBACK_PATH}`,
      scope: this.#settings.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge_method: 'S256',
      code_challenge: await openid.calculatePKCECodeChallenge(begun.verifier),
    });
    const secret = await new EncryptJWT({ ...begun })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(`${BEGUN_SECONDS}s`)
      .encrypt(this.#key);
    return { url: url.href, secret };
  }

  /**
   * The person, once for each sign-in that has begun. Throws ConsoleRefusal.
   * @param query of the address to which the provider has sent the browser
   * @param secrets of which the browser got one when it began
   */
  async end(query: string, secrets: readonly string[]): Promise<OpenIdPerson & { readonly to: string }> {
    const state = new URLSearchParams(query).get('state');
    const all = (await Promise.all(secrets.map((secret) => this.#begunIn(secret)))).flatMap(
      (each) => each ?? [],
    );
    const begun = all.find((each) => each.state === state && !this.#used.has(each.state));
    for (const each of all) this.#used.set(each.state, true);
    if (!begun) throw refused('SignInNotBegun');
    const provider = await this.#known();
    const claims = await this.#claims(provider, query, begun);
    return { ...this.#personIn(claims), to: begun.to };
  }

  /** Undefined: it is of another process, too old, or no such secret. */
  async #begunIn(secret: string): Promise<PendingSignIn | undefined> {
    try {
      const { payload } = await jwtDecrypt<PendingSignIn>(secret, this.#key);
      return payload;
    } catch {
      return undefined;
    }
  }

  /** The browser's next page shows it. */
  keepRefusal(secret: string, refusal: ConsoleRefusal): void {
    this.#refused.set(hashOf(secret), refusal);
  }

  refusalFor(secret: string): ConsoleRefusal | undefined {
    return this.#refused.get(hashOf(secret));
  }

  /** What these groups may now; undefined: nothing, or the person has come from another provider. */
  rightsOf({ issuer, groups }: AtProvider): readonly ConsoleRights[] | undefined {
    if (issuer !== this.#settings.issuer) return undefined;
    const each = groups.flatMap((group) => this.#settings.groups.get(group) ?? []);
    return each.length > 0 ? each : undefined;
  }

  /** Where the browser signs out of the provider too; undefined where it has no such address, or does not answer. */
  async signOutUrl(): Promise<string | undefined> {
    try {
      const provider = await this.#known();
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      const url = openid.buildEndSessionUrl(provider, {
        client_id: this.#settings.clientId,
        post_logout_redirect_uri: `${this.#consoleUrl}/`,
      });
      return /^https?:$/.test(url.protocol) ? url.href : undefined;
    } catch {
      return undefined;
    }
  }

  async #claims(
    provider: openid.Configuration,
    query: string,
    { state, nonce, verifier }: PendingSignIn,
  ): Promise<openid.UserInfoResponse> {
    const { nameClaim, groupsClaim } = this.#settings;
    try {
      const tokens = await openid.authorizationCodeGrant(
        provider,
        new URL(`${this.#consoleUrl}${CALLBACK_PATH}?${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      );
      const claims = tokens.claims();
      if (!claims) throw refused('SignInNotValid', t`it has sent no ID token`);
      const wanted = [nameClaim, groupsClaim, ...(nameClaim === 'email' ? ['email_verified'] : [])];
      const isWhole = wanted.every((name) => claimIn(claims, name) !== undefined);
      if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers give groups only here.
      return { ...(await openid.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  #personIn(claims: openid.UserInfoResponse): OpenIdPerson {
    const { issuer, nameClaim, groupsClaim, groups: known } = this.#settings;
    const name = claimIn(claims, nameClaim);
    if (typeof name !== 'string' || !isUserName(name))
      throw refused(
        'SignInWithoutName',
        t`the claim ${nameClaim} ${name === undefined ? t`is absent` : USER_NAME_RULE}`,
      );
    // A missing email_verified counts as unverified. Cognito sends it as a string.
    if (nameClaim === 'email' && String(claims.email_verified) !== 'true')
      throw refused(
        'SignInWithoutName',
        t`it does not say that it has verified the email address (email_verified)`,
      );
    const given = [claimIn(claims, groupsClaim)].flat().filter((each) => typeof each === 'string');
    const groups = given.filter((group) => known.has(group));
    if (groups.length > 0) return { name, provider: { issuer, groups } };
    throw new ConsoleRefusal(
      403,
      'NoGroup',
      t`${name} has no group that may use the console. Ask the person who keeps the console's settings for one of the groups in CONSOLE_OIDC_GROUPS.`,
    );
  }

  /** Throws ConsoleRefusal. */
  async #known(): Promise<openid.Configuration> {
    if (!this.#provider || Date.now() >= this.#knownUntil) {
      this.#knownUntil = Date.now() + KNOWN_MS;
      this.#provider = this.#discovered();
      this.#provider.catch(() => {
        this.#knownUntil = Date.now() + FAILED_MS;
      });
    }
    return await this.#provider;
  }

  async #discovered(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    // The settings take http only on this machine.
    const isPlain = new URL(issuer).protocol === 'http:';
    const execute = [
      // Also for an ID token straight from the provider, where OpenID Connect lets TLS stand in for checking the signature.
      openid.enableNonRepudiationChecks,
      ...(isPlain ? [openid.allowInsecureRequests] : []),
    ];
    try {
      return await openid.discovery(new URL(issuer), clientId, {}, authBy(clientSecret), {
        execute,
        timeout: WITHIN_SECONDS,
      });
    } catch (cause) {
      throw providerIsAway(cause);
    }
  }
}

/** Authenticates the client by a method that the provider supports. */
const authBy =
  (secret: string | undefined): openid.ClientAuth =>
  (provider, client, body, headers) => {
    // The default when the provider does not announce its methods (OpenID Connect Discovery).
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = provider;
    const isBasic = methods.includes('client_secret_basic');
    if (secret === undefined) openid.None()(provider, client, body, headers);
    else if (isBasic) openid.ClientSecretBasic(secret)(provider, client, body, headers);
    else openid.ClientSecretPost(secret)(provider, client, body, headers);
  };

/** Only a page of the console: nobody gets a link that signs in here and ends elsewhere. */
export function ownPath(to: string | undefined): string {
  const own = 'http://console.invalid';
  if (to === undefined || !URL.canParse(to, own)) return '/';
  const { origin, pathname, search } = new URL(to, own);
  const isOwn = origin === own && !pathname.startsWith('//') && !pathname.startsWith('/api/');
  const path = pathname + search;
  return isOwn && path.length <= LONGEST_TO ? path : '/';
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
