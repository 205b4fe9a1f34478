// One WebSocket to the service: opened with the wall's token, watched for silence, its frames read as messages.

import { WebSocket } from 'ws';
import {
  LONGEST_WALL_FRAME,
  type ServiceMessage,
  serviceMessage,
  serviceMessages,
  WALL_PATH,
  WALL_PROTOCOL,
  WALL_SCOPE,
} from '../../../contract/wall/wall-messages.ts';
import { formatIssues, plainMessages } from '../../../contract/wire/format-issue.ts';
import { TOKEN_PATH, tokenResponse } from '../../../contract/wire/token.ts';
import { TimeLimit } from '../../../shared/limits/time-limit.ts';

const HANDSHAKE_MS = 10_000;
const PING_MS = 2_000;
/** A service that has answered none of so many pings is gone. Not so many seconds: this process itself may have stood still. */
const UNANSWERED_PINGS = 3;

const knownTypes: ReadonlySet<unknown> = new Set(serviceMessages.map(({ shape }) => shape.type.value));

export async function openSocket(serviceUrl: string, token: string, signal: AbortSignal): Promise<WebSocket> {
  const socket = new WebSocket(`${serviceUrl.replace(/^http/, 'ws')}${WALL_PATH}`, WALL_PROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: LONGEST_WALL_FRAME,
    perMessageDeflate: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const abort = () => socket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  socket.once('open', () => resolve(socket));
  // It stays: a socket that fails later tells its end by `close` too.
  socket.on('error', reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Undefined for a type of a later version of the service. Throws for what is not a message at all, in words for its log. */
export function messageIn(text: string): ServiceMessage | undefined {
  const content = jsonIn(text);
  const type =
    typeof content === 'object' && content !== null && 'type' in content ? content.type : undefined;
  if (typeof type !== 'string')
    throw new TypeError('a message of the service has no type; expected a JSON object with one');
  if (!knownTypes.has(type)) return undefined;
  const { data, error } = serviceMessage.safeParse(content, plainMessages);
  if (data) return data;
  throw new TypeError(`a message "${type}" of the service is wrong: ${formatIssues(error, 'it').join('; ')}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError('a message of the service is not JSON', { cause });
  }
}

/** Pings; calls `onSilence` when nothing at all comes from the other side. Gives the function that ends that. */
export function watchOver(socket: WebSocket, onSilence: (reason: string) => void): () => void {
  let pings = 0;
  const heard = () => {
    pings = 0;
  };
  for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
  const timer = setInterval(() => {
    if (pings === UNANSWERED_PINGS)
      onSilence(`the service has not answered ${UNANSWERED_PINGS} pings in a row`);
    else if (socket.readyState === WebSocket.OPEN) {
      pings += 1;
      socket.ping();
    }
  }, PING_MS);
  return () => clearInterval(timer);
}

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
  signal: AbortSignal,
): Promise<string> {
  using limit = new TimeLimit(TIMEOUT_MS, signal);
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
