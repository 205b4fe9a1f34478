// The receiver of the callback benchmark, in a process of its own: accepts all but those of stuck shipments.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const server = createServer((request, response) => {
  void text(request).then((body) => response.writeHead(body.includes('"stuck-') ? 500 : 204).end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// Its parent is gone.
process.once('disconnect', () => process.exit());
