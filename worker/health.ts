// Whether the process lives, and whether it takes work: the worker polls and Temporal answers. It does not check the
// locker API: flows wait for it, and another worker could not reach it either.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listening } from '../shared/terminal/listening.ts';

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHealthServer(
  { host, port }: { readonly host: string; readonly port: number },
  isReady: () => Promise<boolean>,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/health/live') end(response, 200, 'live');
    else if (path === '/health/ready')
      void isReady().then((ready) => end(response, ready ? 200 : 503, ready ? 'ready' : 'not ready'));
    else end(response, 404, 'not found');
  });
  await listening({ host, port }, 'WORKER', (at) => once(server.listen(at), 'listening'));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

function end(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
}
