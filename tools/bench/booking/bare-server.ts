// The smallest HTTP server that books: it reads a request as JSON, sends the one bare statement, and answers as JSON. It has no
// token, checks nothing and logs nothing. So it shows what HTTP by itself costs on this machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bareBookings } from './bare-booking.ts';

const { book, close } = await bareBookings(process.env.DATABASE_URL ?? '');
const server = createServer(async (request, response) => {
  const { pupUid } = JSON.parse(await bodyOf(request));
  const answer = Buffer.from(JSON.stringify({ ...Object(await book(pupUid)), success: true }));
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    .end(answer);
});
server.keepAliveTimeout = 60_000;

function bodyOf(request: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => resolve(body));
  request.on('error', reject);
  return promise;
}

process.once('SIGTERM', async () => {
  server.closeAllConnections();
  server.close();
  await close();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const up = { msg: 'bare server started', address: `http://127.0.0.1:${port}` };
process.stdout.write(`${JSON.stringify(up)}\n`);
