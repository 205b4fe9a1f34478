// The way from the worker to the service, on which one request or answer of a flow's booking is lost: everything goes
// through as it is but that one, whose connection is cut.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type OperationName, operationNames, operationRow } from '../../contract/index.ts';

/** before: the request never reaches the service; after: the service has committed, and nobody hears it. */
export type Loss = 'before' | 'after';

export interface LossyWay {
  readonly address: string;
  /**
   * Once, in the next booking whose body has this text in it. Meanwhile, before the connection is cut, something else may
   * happen.
   */
  lose(text: string, loss: Loss, meanwhile?: () => Promise<unknown>): void;
  /** How often a booking with this text went out. */
  sent(text: string): number;
  close(): Promise<void>;
}

const isBooking = (name: OperationName) => name.startsWith('Create') && !name.includes('Account');
const bookingPaths = new Set<string>(operationNames.filter(isBooking).map((name) => operationRow(name).path));

export async function lossyWay(serviceAddress: string): Promise<LossyWay> {
  const losses = new Map<string, { loss: Loss; meanwhile: () => Promise<unknown> }>();
  const bookings: string[] = [];
  const lossOf = (body: string) => {
    const [text, loss] = [...losses].find(([each]) => body.includes(each)) ?? [];
    if (text !== undefined) losses.delete(text);
    return loss;
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isOne = bookingPaths.has(request.url ?? '');
    if (isOne) bookings.push(body.toString());
    const { loss, meanwhile } = (isOne && lossOf(body.toString())) || {};
    if (loss === 'before') return void response.socket?.resetAndDestroy();
    const answer = await passedOn(serviceAddress, request, body);
    const text = await answer.text();
    if (loss === 'after') {
      await meanwhile?.();
      return void response.socket?.resetAndDestroy();
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (text, loss, meanwhile = async () => {}) => void losses.set(text, { loss, meanwhile }),
    sent: (text) => bookings.filter((body) => body.includes(text)).length,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function passedOn(address: string, { url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const key = headers['idempotency-key'];
  return fetch(address + url, {
    method: 'POST',
    body,
    headers: {
      authorization: headers.authorization ?? '',
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': String(key) }),
    },
  });
}
