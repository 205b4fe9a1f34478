// The least that any receiver of callbacks does: reads a body over HTTP and signals the workflow that it names. It checks no
// signature, knows no process, and loses what it cannot deliver: the floor for ours.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { LOOPBACK } from '../../local/ports.ts';

const [address = ''] = process.argv.slice(2);
const client = new Client({ connection: await Connection.connect({ address }) });

async function signalled(request: IncomingMessage): Promise<void> {
  const { message } = (await json(request)) as { readonly message: { readonly referenceCaseNo: string } };
  const report = { ...message, receivedAt: new Date().toISOString(), source: 'callback' };
  await client.workflow.getHandle(message.referenceCaseNo).signal('shipmentStatus', report);
}

const server = createServer((request, response) => {
  const answer = (status: number) => response.writeHead(status).end();
  signalled(request).then(
    () => answer(204),
    () => answer(503),
  );
}).listen(0, LOOPBACK);
await once(server, 'listening');
process.send?.(server.address());
