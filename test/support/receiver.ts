// A receiver of callbacks on a free port: keeps what came, and answers as the test says.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Callback, callbackHeaders, parseCallback } from '../../contract/index.ts';

export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly shipmentUid: string;
  readonly stateCode: string;
  /** When it came, and when it was answered or cut. */
  readonly at: number;
  endedAt?: number;
  /** The status that was sent; absent when there was none. */
  status?: number;
}

/** Gives a status, or answers (or not) by itself and gives nothing. */
export type Answer = (
  callback: ReceivedCallback,
  response: ServerResponse,
  request: IncomingMessage,
) => number | undefined | Promise<number | undefined>;

export interface TestReceiver extends AsyncDisposable {
  readonly url: string;
  /** All that came, accepted or not, in the order in which it came. */
  readonly received: readonly ReceivedCallback[];
  readonly accepted: readonly ReceivedCallback[];
  answer: Answer;
  /** Takes no connections any more; those that there are break. */
  down(): Promise<void>;
  /** Again on the same port. */
  up(): Promise<void>;
}

export async function startReceiver(answer: Answer = () => 204): Promise<TestReceiver> {
  const received: ReceivedCallback[] = [];
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const callback = receivedCallback(request.headers, body);
    received.push(callback);
    response.on('close', () => {
      callback.endedAt = performance.now();
    });
    const status = await receiver.answer(callback, response, request);
    if (status === undefined) return;
    callback.status = status;
    response.writeHead(status).end();
  }
  const down = async () => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  };
  const up = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await up();
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${port}/callbacks`,
    received,
    get accepted() {
      return received.filter(({ status = 0 }) => status >= 200 && status < 300);
    },
    answer,
    down,
    up: async () => void (await up(port)),
    [Symbol.asyncDispose]: down,
  };
  return receiver;
}

function receivedCallback(headers: IncomingHttpHeaders, body: string): ReceivedCallback {
  const callback: Callback = parseCallback(JSON.parse(body));
  if (callback.messageType === 'Other') throw new TypeError(`a callback ${callback.name} came`);
  const { shipmentUid, stateCode } = callback.message;
  const id = String(headers[callbackHeaders.webhookId]);
  return { headers, body, id, shipmentUid, stateCode, at: performance.now() };
}
