// An access token: a short-lived JWT that names the API client, signed with the current key (RFC 9068's claims).
import { randomUUID } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { TOKEN_SCOPE } from '../../contract/index.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

// Clocks of several instances differ by less; more would keep a token alive past its stated expiry.
const CLOCK_SKEW_SECONDS = 30;
const TOKEN_TYPE = 'at+jwt';

export interface TokenAuthority {
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly lifetimeSeconds: number;
}

export async function issueAccessToken(authority: TokenAuthority, clientId: string): Promise<string> {
  const { keyId, privateKey } = await authority.keys.current();
  return new SignJWT({ client_id: clientId, scope: TOKEN_SCOPE })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keyId, typ: TOKEN_TYPE })
    .setIssuer(authority.issuer)
    .setAudience(TOKEN_SCOPE)
    .setSubject(clientId)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${authority.lifetimeSeconds}s`)
    .sign(privateKey);
}

/** The client id of a valid token; undefined for any other, whatever is wrong with it. */
export async function verifyAccessToken(
  authority: TokenAuthority,
  token: string,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await authority.keys.find(kid);
        if (!key) throw new joseErrors.JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        algorithms: [SIGNING_ALGORITHM],
        audience: TOKEN_SCOPE,
        issuer: authority.issuer,
        typ: TOKEN_TYPE,
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ['exp', 'sub'],
      },
    );
    return payload.sub;
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) return undefined;
    throw error;
  }
}
