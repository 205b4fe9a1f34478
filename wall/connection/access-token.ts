// The token of one wall, from the service's token endpoint: client credentials with the scope of walls.

import { WALL_SCOPE } from '../../contract/wall/wall-messages.ts';
import { TOKEN_PATH, tokenResponse } from '../../contract/wire/token.ts';
import { TimeLimit } from '../../runtime/limits/time-limit.ts';

// A token endpoint that is slower counts as down; the wall tries again.
const TIMEOUT_MS = 10_000;
const LONGEST_REASON = 300;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A new one for each connection: the service reads it once, when the connection begins. */
export async function accessToken(
  serviceUrl: string,
  { clientId, clientSecret }: Credentials,
  asked: AbortSignal,
): Promise<string> {
  using limit = new TimeLimit(TIMEOUT_MS, asked);
  const answer = await fetch(`${serviceUrl}${TOKEN_PATH}`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: WALL_SCOPE,
      client_id: clientId,
      client_secret: clientSecret,
    }),
    redirect: 'error',
    signal: limit.signal,
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(
      `the token service refused the client ${clientId} with ${answer.status}: ${text.slice(0, LONGEST_REASON)}`,
    );
  return tokenResponse.parse(JSON.parse(text)).access_token;
}
