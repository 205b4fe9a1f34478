// No error and no line of the log shows a secret of a connector, whatever the other side repeats of what it was sent.
import { inspect } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { emitEvent } from '../../../activities/connectors/emit-event.ts';
import { readConnectors } from '../../../settings/connectors.ts';
import { json, type Reply, raw, startPeer, text } from '../api/peer.ts';

const secrets = {
  password: 'pass-word-1',
  token: 'token-secret-1',
  value: 'header-secret-1',
  keys: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
};

/** What is thrown and logged when this is the answer to a call and an event of each connector. */
async function toldAt(reply: Reply): Promise<string> {
  await using peer = await startPeer(reply);
  const address = `${peer.url}/hooks/secret-part?sig=secret-signature`;
  const events = 'events: { signingKeyFile: keys }';
  const connectors = new Connectors(
    readConnectors(
      `connectors:
  basic: { address: "${peer.url}", allow: ["POST /"], ${events}, credentials: { basic: { user: me, passwordFile: password } } }
  bearer: { address: "${peer.url}", allow: ["POST /"], ${events}, credentials: { bearerFile: token } }
  header: { address: "${peer.url}", allow: ["POST /"], ${events}, credentials: { header: { name: X-Key, valueFile: value } } }
  hidden: { addressFile: address, allow: ["POST /"], ${events} }`,
      (path) => (path === 'address' ? address : secrets[path as keyof typeof secrets]),
    ),
  );
  const logged: LogEntry[] = [];
  const logger = new DefaultLogger('TRACE', (entry) => logged.push(entry));
  const told: unknown[] = [];
  const run = (activity: () => Promise<unknown>) =>
    new MockActivityEnvironment({}, { logger }).run(activity).catch((error: unknown) => told.push(error));
  const event = { type: 'x', data: null, at: '2026-01-01T00:00:00Z', number: 1, key: 'k' };
  const flow = { key: 'flow-1', name: 'Flow', version: 1 };
  for (const connector of ['basic', 'bearer', 'header', 'hidden']) {
    await run(() => callConnector(connectors, { connector, path: '/', body: {}, idempotencyKey: 'k' }));
    await run(() => emitEvent(connectors, { ...event, flow, to: connector }));
  }
  await connectors.close();
  expect(told).toHaveLength(8);
  expect(logged.length).toBeGreaterThan(0);
  return inspect([told, logged], {
    depth: 12,
    showHidden: true,
    maxStringLength: null,
    maxArrayLength: null,
  });
}

const echoed: Reply = (response, request) =>
  text(500, 'text/html', `<pre>${JSON.stringify(request)}</pre>`)(response, request);

it.each<[title: string, reply: Reply]>([
  ['a page that repeats the request', echoed],
  ['JSON that repeats the request', (response, request) => json(403, { told: request })(response, request)],
  [
    'a redirect',
    (response, request) => text(307, 'text/plain', '', { location: request.path })(response, request),
  ],
  ['a cut answer', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 'reset')],
  ['what is not HTTP', raw('token-secret-1 pass-word-1\r\n\r\n')],
])('%s', async (_, reply) => {
  const told = await toldAt(reply);
  const token = Buffer.from(`me:${secrets.password}`).toString('base64');
  const hidden = ['secret-part', 'secret-signature', secrets.keys.slice('whsec_'.length)];
  for (const secret of [...Object.values(secrets), token, ...hidden]) expect(told).not.toContain(secret);
});
