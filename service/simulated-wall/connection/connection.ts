// Keeps one wall connected to the service: connects, says hello, carries messages both ways, and connects again after a
// loss. What the messages mean is the wall's own affair.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ServiceMessage, WallMessage } from '../../../contract/wall/wall-messages.ts';
import { type Backoff, backoffMs } from '../../../shared/limits/backoff.ts';
import { accessToken, type Credentials, messageIn, openSocket, watchOver } from './socket.ts';

const BACKOFF: Backoff = { firstMs: 200, lastMs: 5_000 };
/** Another wall has connected for the same pick up point: the two must not throw each other out all the time. */
const REPLACED = 4409;
const REPLACED_PAUSE_MS = 30_000;

/** What stands behind a connection: a simulated wall, or a bridge to real lockers. */
export interface Controller {
  readonly pupUid: string;
  /** False: there is nothing to connect at present. */
  readonly isPluggedIn: boolean;
  /** Calls after every change; gives the function that ends that. */
  watch(watcher: () => void): () => void;
  hello(): WallMessage;
  /** Whether its doors are other ones now than its hello told. */
  welcomed(
    welcome: Extract<ServiceMessage, { type: 'welcome' }>,
    send: (message: WallMessage) => void,
  ): boolean;
  hear(message: ServiceMessage): void;
  lost(): void;
}

interface ConnectionLog {
  info(what: object, message: string): void;
  warn(what: object, message: string): void;
}

interface ConnectionOptions {
  readonly serviceUrl: string;
  readonly credentials: Credentials;
  readonly log: ConnectionLog;
}

interface End {
  readonly reason: string;
  readonly wasWelcome: boolean;
  /** Before the next try; the backoff's if not given. */
  readonly pauseMs?: number;
}

/** Runs until it is asked to stop; never rejects. */
export async function keepConnected(
  wall: Controller,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const end = wall.isPluggedIn ? await connectOnce(wall, options, signal) : await pluggedIn(wall, signal);
    failures = end.wasWelcome ? 1 : failures + 1;
    const { pauseMs = backoffMs(failures, BACKOFF) } = end;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function connectOnce(
  wall: Controller,
  { serviceUrl, credentials, log }: ConnectionOptions,
  signal: AbortSignal,
): Promise<End> {
  const { pupUid } = wall;
  try {
    const token = await accessToken(serviceUrl, credentials, signal);
    const socket = await openSocket(serviceUrl, token, signal);
    const end = await served(wall, socket, signal, () => log.info({ pupUid }, 'wall connected'));
    log.info({ pupUid, reason: end.reason }, 'wall not connected any more');
    return end;
  } catch (error) {
    if (!signal.aborted) log.warn({ pupUid, err: error }, 'a wall cannot connect');
    return { reason: String(error), wasWelcome: false };
  }
}

/** One connection from its hello to its end. */
async function served(
  wall: Controller,
  socket: WebSocket,
  signal: AbortSignal,
  onWelcome: () => void,
): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  let wasWelcome = false;
  let refusal = '';
  const end = (reason: string, pauseMs?: number) => {
    resolve({ reason, wasWelcome, ...(pauseMs === undefined ? {} : { pauseMs }) });
    socket.terminate();
  };
  const hear = (text: string) => {
    const message = messageIn(text);
    // The close that follows says by its code when to come again.
    if (message?.type === 'refused') refusal = message.message;
    else if (message?.type === 'welcome') {
      wasWelcome = true;
      const send = (answer: WallMessage) => socket.send(JSON.stringify(answer));
      if (wall.welcomed(message, send)) end('its doors have changed: a new hello tells them', 0);
      else onWelcome();
    } else if (message) wall.hear(message);
  };
  const stop = () => end('the wall program stops');
  signal.addEventListener('abort', stop, { once: true });
  const unwatch = wall.watch(() => {
    if (!wall.isPluggedIn) end('its network cable was pulled out', 0);
  });
  const unwatchSocket = watchOver(socket, end);
  socket.on('close', (code, reason) =>
    end(`closed with ${code} ${refusal || reason}`.trim(), code === REPLACED ? REPLACED_PAUSE_MS : undefined),
  );
  socket.on('message', (data, isBinary) => {
    // What came before the end is read too, but nothing after it.
    if (socket.readyState !== WebSocket.OPEN) return;
    try {
      if (!isBinary) hear(String(data));
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
    }
  });
  socket.send(JSON.stringify(wall.hello()));
  try {
    return await promise;
  } finally {
    unwatchSocket();
    unwatch();
    signal.removeEventListener('abort', stop);
    wall.lost();
  }
}

/** Until its network cable is in again. */
async function pluggedIn(wall: Controller, signal: AbortSignal): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  const unwatch = wall.watch(() => {
    if (wall.isPluggedIn) resolve();
  });
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  signal.removeEventListener('abort', stop);
  unwatch();
  return { reason: 'its network cable is in again', wasWelcome: true, pauseMs: 0 };
}
