// Between the service and the receiver: every callback passes as it is, and some come once more, later than others that
// happened after them. Keeps which ones the receiver has acknowledged.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { request } from 'undici';
import { callbackHeaders, parseCallback } from '../../../../contract/index.ts';
import { LOOPBACK } from '../../../../local/ports.ts';
import { at } from './plan.ts';

export interface Acknowledged {
  readonly id: string;
  readonly shipmentUid: string;
  readonly stateCode: string;
  readonly stateStart: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Twice {
  readonly port: number;
  readonly acknowledged: readonly Acknowledged[];
  /** How many came once more. */
  readonly repeated: number;
  /** Resolves in the moment in which the receiver acknowledges the next one. */
  nextAcknowledged(): Promise<void>;
  /** What is still to come once more comes now. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;

export async function twice(receiverPort: number, repeats: readonly (number | null)[]): Promise<Twice> {
  const acknowledged: Acknowledged[] = [];
  const waiting: { left: number; readonly sent: Sent }[] = [];
  let [passed, repeated] = [0, 0];
  let next = Promise.withResolvers<void>();
  const pass = async (sent: Sent): Promise<number | undefined> => {
    const status = await answerTo(receiverPort, sent);
    if (status === undefined || status >= 300) return status;
    acknowledged.push(acknowledgedOf(sent));
    next.resolve();
    next = Promise.withResolvers();
    return status;
  };
  const repeat = async ({ sent }: { sent: Sent }) => {
    repeated += 1;
    await pass(sent);
  };
  const takeDue = (isDue: (left: number) => boolean) => {
    const due = waiting.filter(({ left }) => isDue(left));
    for (const each of due) waiting.splice(waiting.indexOf(each), 1);
    return due;
  };
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming).catch(() => undefined);
    if (!body) return;
    const sent = { path: incoming.url ?? '', headers: incoming.headers, body };
    const status = await pass(sent);
    if (status === undefined) return void response.socket?.resetAndDestroy();
    response.writeHead(status).end();
    for (const each of waiting) each.left -= 1;
    for (const due of takeDue((left) => left < 0)) void repeat(due);
    const later = at(repeats, passed++);
    if (later !== null) waiting.push({ left: later, sent });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    acknowledged,
    get repeated() {
      return repeated;
    },
    nextAcknowledged: () => next.promise,
    finish: async () => void (await Promise.all(takeDue(() => true).map(repeat))),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Undefined where there was none. */
async function answerTo(port: number, { path, headers, body }: Sent): Promise<number | undefined> {
  const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...own } = headers;
  try {
    const answer = await request(`http://${LOOPBACK}:${port}${path}`, {
      method: 'POST',
      headers: own,
      body,
      headersTimeout: ANSWER_WITHIN_MS,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    // The receiver is away, or died with it: whoever sent it is told nothing, as by a broken network.
    return undefined;
  }
}

function acknowledgedOf({ headers, body }: Sent): Acknowledged {
  const callback = parseCallback(JSON.parse(body.toString()));
  if (callback.messageType === 'Other') throw new TypeError(`a callback ${callback.name} came`);
  const { shipmentUid, stateCode, stateStart } = callback.message;
  const id = String(headers[callbackHeaders.webhookId]);
  return { id, shipmentUid, stateCode, stateStart, at: Date.now() };
}
