// The way from the worker to a service whose accounts are exactly the interface's: there is no GetAccount, whose shape the
// interface does not show, and a failing answer has the envelope's fields alone.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { passedOn } from './lossy-way.ts';

const hidden = ['/v1/Account/GetAccount', '/v1/Account/GetAccountMutationConfig'];
const unknownOperation = { success: false, error: 'UnknownOperation', message: null };

export async function plainFailuresWay(
  serviceAddress: string,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isHidden = hidden.includes(request.url ?? '');
    const answer = isHidden
      ? Response.json(unknownOperation, { status: 404 })
      : await passedOn(serviceAddress, request, body);
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(withoutExtras(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function withoutExtras(text: string): string {
  const { success, error, message, ...extras } = JSON.parse(text);
  return JSON.stringify({ ...(success ? extras : {}), success, error, message });
}
