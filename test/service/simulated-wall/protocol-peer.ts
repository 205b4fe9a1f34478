// A small service for a wall: tokens, and the other end of the wall protocol, held to the contract. A test says what it
// answers.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type ServiceMessage,
  serviceMessage,
  WALL_PATH,
  WALL_PROTOCOL,
  type WallMessage,
  wallMessage,
} from '../../../contract/wall/wall-messages.ts';

type Type = WallMessage['type'];
export type MessageOf<Of extends Type> = Extract<WallMessage, { type: Of }>;

export class ProtocolPeer implements AsyncDisposable {
  /** Everything that walls have said, on all connections. */
  readonly heard: WallMessage[] = [];
  readonly credentials: URLSearchParams[] = [];
  /** Of the messages that go into the journal, all up to this one are kept. */
  taken = 0;
  /** False: it hears, and acknowledges nothing. */
  acknowledges = true;
  /** By how much its clock is before the wall's. */
  aheadMs = 0;
  /** False: it does not answer a hello. */
  welcomes = true;
  /** False: it hears pings, and does not answer them. */
  answersPings = true;
  pings = 0;
  connections = 0;
  lockers = [1, 2, 3].map((name) => ({ lockerUid: `pup-1-${name}`, lockerName: String(name), size: 'S' }));
  onHeard: (message: WallMessage) => void = () => undefined;
  onCode: (typed: MessageOf<'codeTyped'>) => void = () => undefined;
  #socket: WebSocket | undefined;
  readonly #http = createServer((request, response) => {
    let form = '';
    request.on('data', (chunk) => (form += chunk));
    request.on('end', () => {
      this.credentials.push(new URLSearchParams(form));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'token-1', token_type: 'bearer', expires_in: 60 }));
    });
  });
  readonly #walls = new WebSocketServer({
    server: this.#http,
    path: WALL_PATH,
    autoPong: false,
    handleProtocols: (protocols) => (protocols.has(WALL_PROTOCOL) ? WALL_PROTOCOL : false),
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers.authorization === 'Bearer token-1',
  });

  async listen(): Promise<string> {
    this.#walls.on('connection', (socket) => {
      this.connections += 1;
      this.#socket = socket;
      socket.on('ping', () => {
        this.pings += 1;
        if (this.answersPings) socket.pong();
      });
      socket.on('message', (data) => this.#hear(wallMessage.parse(JSON.parse(String(data)))));
    });
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  say(message: ServiceMessage): void {
    this.#socket?.send(JSON.stringify(serviceMessage.parse(message)));
  }

  sayAnything(text: string): void {
    this.#socket?.send(text);
  }

  refuse(closeCode: number): void {
    this.say({ type: 'refused', message: 'what was wrong' });
    this.#socket?.close(closeCode);
  }

  /** As if the network failed. */
  cut(): void {
    this.#socket?.terminate();
  }

  openDoor(commandId: string, lockerUid: string, withinMs = 5_000): void {
    const by = new Date(Date.now() + this.aheadMs + withinMs).toISOString();
    this.say({ type: 'openDoor', commandId, lockerUid, by });
  }

  of<Of extends Type>(type: Of): MessageOf<Of>[] {
    return this.heard.filter((message): message is MessageOf<Of> => message.type === type);
  }

  async heardOf<Of extends Type>(type: Of, count = 1): Promise<MessageOf<Of>[]> {
    await vi.waitFor(
      () => {
        const had = this.of(type).length;
        if (had < count) throw new Error(`expected ${count} messages ${type} of the wall, had ${had}`);
      },
      { timeout: 30_000 },
    );
    return this.of(type);
  }

  #hear(message: WallMessage): void {
    this.heard.push(message);
    this.onHeard(message);
    if (message.type === 'hello' && this.welcomes) {
      const now = new Date(Date.now() + this.aheadMs).toISOString();
      const { taken, lockers } = this;
      this.say({ type: 'welcome', pupUid: 'pup-1', name: 'Central', now, taken, lockers });
    }
    if (message.type === 'codeTyped') this.onCode(message);
    if (!('id' in message) || !this.acknowledges) return;
    expect(message.id).toBeGreaterThan(this.taken);
    this.taken = message.id;
    this.say({ type: 'taken', id: message.id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#walls.close();
    for (const client of this.#walls.clients) client.terminate();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
