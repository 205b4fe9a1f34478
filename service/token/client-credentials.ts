// The credentials of a token request: in HTTP Basic or in the form, never in both (RFC 6749 section 2.3).
import { type TokenErrorCode, tokenErrors } from '../../contract/index.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function readCredentials(authorization: string | undefined, form: URLSearchParams): ClientCredentials {
  const formClientId = form.get('client_id');
  const formSecret = form.get('client_secret');
  if (authorization === undefined) {
    if (!formClientId || !formSecret)
      throw new TokenRefusal(
        'invalid_client',
        'client_id and client_secret are required: send both in the form, or in HTTP Basic',
      );
    return { clientId: formClientId, clientSecret: formSecret };
  }
  if (formSecret !== null)
    throw new TokenRefusal(
      'invalid_request',
      'The credentials are in HTTP Basic and in the form: send them in one of the two',
    );
  const basic = readBasic(authorization);
  if (formClientId !== null && formClientId !== basic.clientId)
    throw new TokenRefusal(
      'invalid_request',
      'client_id in the form differs from that in the Authorization header: send the same, or none in the form',
    );
  return basic;
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1)
    throw new TokenRefusal(
      'invalid_client',
      'The Authorization header must be Basic and client_id:client_secret in base64',
    );
  return {
    clientId: formDecoded(decoded.slice(0, colon)),
    clientSecret: formDecoded(decoded.slice(colon + 1)),
  };
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError)
      throw new TokenRefusal(
        'invalid_client',
        'The credentials in HTTP Basic must be form-encoded before base64, with %25 for a percent sign',
      );
    throw error;
  }
}

/** A refusal of the token endpoint: a code of RFC 6749 section 5.2 and its description. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenErrorCode;
  readonly status: number;

  constructor(code: TokenErrorCode, description: string, status: number = tokenErrors[code]) {
    super(description);
    this.code = code;
    this.status = status;
  }
}
