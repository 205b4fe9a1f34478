// What a wall fetches from the service: a token for its connection, and the keys that its offline lists are signed with.
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import {
  OFFLINE_LIST_TYPE,
  type OfflineList,
  offlineListPayload,
  WALL_KEYS_PATH,
  WALL_SCOPE,
} from '../../../contract/wall/wall-messages.ts';
import { TOKEN_PATH, tokenResponse } from '../../../contract/wire/token.ts';
import { TimeLimit } from '../../../shared/limits/time-limit.ts';

// A service that is slower counts as down; the wall tries again.
const TIMEOUT_MS = 10_000;
const LONGEST_REASON = 300;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Client credentials with the scope of walls. A new one for each connection: the service reads it once, when the connection
 * begins.
 */
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

/** What the service signs with; no other, and none without a signature. */
const ALGORITHMS = ['ES256'];

/** Signed by a key of the service, for this wall, of this kind; else throws an Error that says what is wrong with it. */
export async function checkedOfflineList(
  list: string,
  serviceUrl: string,
  pupUid: string,
  asked: AbortSignal,
): Promise<OfflineList> {
  using limit = new TimeLimit(TIMEOUT_MS, asked);
  const answer = await fetch(serviceUrl + WALL_KEYS_PATH, { redirect: 'error', signal: limit.signal });
  if (!answer.ok) throw new Error(`the keys of the service were not to be had: ${answer.status}`);
  const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  const { payload, protectedHeader } = await compactVerify(list, keys, { algorithms: ALGORITHMS });
  if (protectedHeader.typ !== OFFLINE_LIST_TYPE)
    throw new Error(`it is of type ${protectedHeader.typ}, expected ${OFFLINE_LIST_TYPE}`);
  const content = offlineListPayload.parse(JSON.parse(new TextDecoder().decode(payload)));
  if (content.pupUid !== pupUid) throw new Error(`it is for ${content.pupUid}, expected ${pupUid}`);
  return content;
}
