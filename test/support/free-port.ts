// A port of 127.0.0.1 that nobody uses now, for programs that cannot take port 0 themselves.
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('Expected a port of 127.0.0.1');
  return address.port;
}
