// One wall's WebSocket: reads its messages one after another, keeps its memory bounded whatever the wall sends, and ends
// the connection of a wall that breaks the protocol or no longer answers pings. What a loss means is decided in walls.ts.

import type { FastifyBaseLogger } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { type ServiceMessage, type WallMessage, wallMessage } from '../../contract/index.ts';
import { formatIssues, plainMessages } from '../../contract/wire/format-issue.ts';
import type { VerifiedToken } from '../token/access-tokens.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { closeCodes, type Session, WallRefused } from './session.ts';

/** The service stops (RFC 6455 section 7.4.1). */
export const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
// A wall that has not said hello by then is none.
const HELLO_WITHIN_MS = 5_000;
/** A wall that has answered none of so many pings is gone. Fewer would also end the connection of a wall that stood still. */
const UNANSWERED_PINGS = 3;
// Read but not taken yet. More stays in the buffers of the network: the wall has to wait.
const MAX_UNTAKEN = 32;
// A wall that does not read what it is told would fill the memory.
const MAX_UNSENT_BYTES = 4_000_000;
// A crowd at 24 doors makes some 5 messages a second. After an hour without the service a wall tells the burst at once.
const MESSAGES_PER_SECOND = 50;
const BURST = 1_000;

export interface Receiver {
  /** The first message; rejects with WallRefused. */
  hello(connection: WallConnection, message: Extract<WallMessage, { type: 'hello' }>): Promise<void>;
  /** Any later message, one at a time. */
  take(connection: WallConnection, message: Exclude<WallMessage, { type: 'hello' }>): Promise<void>;
  ended(connection: WallConnection): Promise<void>;
  refused(connection: WallConnection, refusal: WallRefused): void;
}

/** Who has connected, and by which token. */
interface ConnectedWall {
  readonly client: ApiClient;
  readonly place: WallPlace;
  readonly token: VerifiedToken;
}

export class WallConnection {
  readonly client: ApiClient;
  readonly place: WallPlace;
  readonly token: VerifiedToken;
  readonly log: FastifyBaseLogger;
  /** Set by hello. */
  session: Session | undefined;
  /** By how much the service's clock is ahead of the wall's, in ms. */
  aheadMs = 0;
  readonly #socket: WebSocket;
  readonly #receiver: Receiver;
  readonly #untaken: RawData[] = [];
  readonly #helloTimer: NodeJS.Timeout;
  /** Since the wall was heard last. */
  #pings = 0;
  #isEnded = false;
  #allowed = BURST;
  #countedAt = performance.now();
  #taking: Promise<void> | undefined;
  readonly #done = Promise.withResolvers<void>();

  constructor(
    socket: WebSocket,
    { client, place, token }: ConnectedWall,
    receiver: Receiver,
    log: FastifyBaseLogger,
  ) {
    this.#socket = socket;
    this.client = client;
    this.place = place;
    this.token = token;
    this.log = log;
    this.#receiver = receiver;
    this.#helloTimer = setTimeout(
      () =>
        this.refuse(
          new WallRefused(closeCodes.wrongMessage, `hello was expected within ${HELLO_WITHIN_MS} ms`),
        ),
      HELLO_WITHIN_MS,
    );
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.#pings = 0;
    });
    socket.on('close', () => void this.#end());
    // `close` follows each error.
    socket.on('error', (error) => this.log.info({ err: error }, 'the connection of a wall failed'));
  }

  /** Resolves when the connection has ended and all that it brought is done. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  send(message: ServiceMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.cut();
    else this.#socket.send(JSON.stringify(message));
  }

  refuse(refusal: WallRefused): void {
    if (this.#isEnded) return;
    this.#receiver.refused(this, refusal);
    this.#untaken.length = 0;
    this.send({ type: 'refused', message: refusal.message });
    this.close(refusal.closeCode);
  }

  close(code: number): void {
    this.#socket.close(code);
    // A wall that does not answer the close is left.
    setTimeout(() => this.#socket.terminate(), 1_000).unref();
  }

  cut(): void {
    this.#socket.terminate();
  }

  /** Cuts the connection if the wall has answered none of the last pings. */
  ping(): void {
    // While the service itself does not read, an answer cannot be seen.
    if (this.#socket.isPaused) return;
    if (this.#pings === UNANSWERED_PINGS) {
      this.cut();
      return;
    }
    this.#pings += 1;
    this.#socket.ping();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnded || this.#socket.readyState !== this.#socket.OPEN) return;
    if (isBinary) {
      this.refuse(new WallRefused(closeCodes.wrongMessage, 'expected a text frame with one JSON object'));
      return;
    }
    this.#pings = 0;
    this.#untaken.push(data);
    if (this.#untaken.length >= MAX_UNTAKEN) this.#socket.pause();
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
    });
  }

  async #takeAll(): Promise<void> {
    for (let data = this.#untaken.shift(); data !== undefined; data = this.#untaken.shift()) {
      if (this.#isEnded) return;
      try {
        await this.#pace();
        await this.#take(data);
      } catch (error) {
        if (error instanceof WallRefused) return this.refuse(error);
        this.log.error({ err: error }, 'a message of a wall failed; the wall will send it again');
        return this.close(INTERNAL_ERROR);
      }
      if (this.#untaken.length < MAX_UNTAKEN / 2 && this.#socket.isPaused) this.#socket.resume();
    }
  }

  async #take(data: RawData): Promise<void> {
    const message = readMessage(String(data));
    if (message.type !== 'hello') {
      if (!this.session)
        throw new WallRefused(closeCodes.wrongMessage, `hello was expected first, not ${message.type}`);
      return await this.#receiver.take(this, message);
    }
    if (this.session)
      throw new WallRefused(closeCodes.wrongMessage, 'hello was expected once in a connection');
    clearTimeout(this.#helloTimer);
    this.aheadMs = Date.now() - Date.parse(message.now);
    await this.#receiver.hello(this, message);
  }

  /** A wall that sends too much waits; the others do not. */
  async #pace(): Promise<void> {
    const now = performance.now();
    this.#allowed =
      Math.min(BURST, this.#allowed + ((now - this.#countedAt) / 1_000) * MESSAGES_PER_SECOND) - 1;
    this.#countedAt = now;
    if (this.#allowed < 0)
      await new Promise((resolve) => setTimeout(resolve, (-this.#allowed / MESSAGES_PER_SECOND) * 1_000));
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#helloTimer);
    await this.#taking;
    await this.#receiver.ended(this);
    this.#done.resolve();
  }
}

function readMessage(text: string): WallMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WallRefused(closeCodes.wrongMessage, 'expected one JSON object in each frame');
  }
  const { data, error } = wallMessage.safeParse(value, plainMessages);
  if (data) return data;
  const wrong = formatIssues(error, 'message').slice(0, 5);
  throw new WallRefused(closeCodes.wrongMessage, wrong.join('; ').slice(0, 1_000));
}
