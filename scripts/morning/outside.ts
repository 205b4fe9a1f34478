// What is outside in a morning: a receiver that takes messages to people and requests for a mechanic, and says each in the terminal;
// and the connectors' file by which the workers know it.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { say } from '../../local/components/component.ts';
import { LOOPBACK } from '../../local/ports.ts';

interface Outside extends AsyncDisposable {
  /** Of the console and of the workers. */
  readonly env: Readonly<Record<string, string>>;
}

const expression = (path: string): string => ['$', `{${path}}`].join('');

export async function outside(home: string): Promise<Outside> {
  const server = createServer(async (request, response) => {
    const { to, words } = (await json(request)) as { readonly to?: string; readonly words?: string };
    say('outside', `${request.url === '/messages' ? 'a message' : 'a mechanic'} to ${to}: ${words}`);
    response.writeHead(202).end();
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  await mkdir(home, { recursive: true });
  const file = join(home, 'connectors.json');
  await writeFile(file, JSON.stringify(connectorsAt(address), null, 2));
  return {
    env: {
      LOCKERFLOW_CONNECTORS: file,
      MESSAGE_CONNECTOR: 'outside',
      MECHANIC_CONNECTOR: 'outside',
      // Anna has no e-mail address, and is to be reached too.
      MESSAGE_ADDRESS: 'none',
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const connectorsAt = (address: string) => ({
  connectors: {
    outside: {
      address,
      messages: {
        path: '/messages',
        body: { to: expression('message.to.name'), words: expression('message.text') },
      },
      mechanic: {
        path: '/mechanics',
        body: { to: expression('request.pickUpPoint.name'), words: expression('request.text') },
      },
    },
    // An example names it. Here no call of it is allowed, as where there is none.
    servicenow: { address, allow: ['GET /none'] },
  },
});
