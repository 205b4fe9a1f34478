// A receiver of events as a process of its own, to be killed: it answers 202 once Temporal has the event.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { LockerFlows } from '../../../client/locker-flows.ts';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const client = new Client({ connection: await Connection.connect({ address }) });
const flows = new LockerFlows(client, { taskQueue });

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    flows.sendEvent(JSON.parse(body)).then(
      () => response.writeHead(202).end(),
      (error: unknown) => response.writeHead(503).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
