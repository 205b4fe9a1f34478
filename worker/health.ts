// Liveness and readiness endpoints of the worker. Ready: it polls and Temporal answers. The locker API is not checked: flows
// wait for it, and another worker could not reach it either.
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
    if (path === '/health/live') respond(response, 200, 'live');
    else if (path === '/health/ready')
      void isReady().then((ready) => respond(response, ready ? 200 : 503, ready ? 'ready' : 'not ready'));
    else respond(response, 404, 'not found');
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

function respond(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
}
