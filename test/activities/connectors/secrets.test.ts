// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the calls hold expressions.
// No error, no line of the log and nothing that a call keeps shows a secret of a connector, whatever the other side repeats of
// what it was sent.
import { inspect } from 'node:util';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { emitEvent } from '../../../activities/connectors/emit-event.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Reply, raw, startTestServer, text } from '../../shared/locker-api/test-server.ts';

const secrets = {
  password: 'pass-word-1',
  token: 'token-secret-1',
  value: 'header-secret-1',
  keys: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
};

/** What is thrown and logged when this is the answer to a call and an event of each connector. */
async function shownAt(reply: Reply): Promise<string> {
  await using server = await startTestServer(reply);
  const address = `${server.url}/hooks/secret-part?sig=secret-signature`;
  const events = 'events: { signingKeyFile: keys }';
  const connectors = new Connectors(
    readConnectors(
      `connectors:
  basic: { address: "${server.url}", allow: ["POST /"], ${events}, credentials: { basic: { user: me, passwordFile: password } } }
  bearer: { address: "${server.url}", allow: ["POST /"], ${events}, credentials: { bearerFile: token } }
  header: { address: "${server.url}", allow: ["POST /"], ${events}, credentials: { header: { name: X-Key, valueFile: value } } }
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
  [
    'a type of content that repeats the credentials',
    (response, request) => {
      const { authorization, 'x-key': key = request.path } = request.headers;
      return text(403, `text/${authorization?.split(' ')[1] ?? key}`, '')(response, request);
    },
  ],
  ['a cut answer', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 'reset')],
  ['what is not HTTP', raw('token-secret-1 pass-word-1\r\n\r\n')],
])('%s', async (_, reply) => {
  const told = await shownAt(reply);
  const token = Buffer.from(`me:${secrets.password}`).toString('base64');
  const hidden = ['secret-part', 'secret-signature', secrets.keys.slice('whsec_'.length)];
  for (const secret of [...Object.values(secrets), token, ...hidden]) expect(told).not.toContain(secret);
});

describe('what a call keeps has no secret', () => {
  const token = 'Secret-Token/of+tickets';
  const address = 'chat-address-of-the-team';

  /** What `keep` gives from an answer, through each connector, and what a failure of it says. */
  async function keptOf(keep: string, reply: Reply): Promise<string> {
    await using server = await startTestServer(reply);
    const connectors = new Connectors(
      readConnectors(
        `connectors:
  bearer: { address: "${server.url}", allow: ["POST /**"], credentials: { bearerFile: token } }
  hidden: { addressFile: address, allow: ["POST /**"] }`,
        (path) => (path === 'token' ? token : `${server.url}/hooks/${address}?key=${address}`),
      ),
    );
    const call = (connector: string) =>
      new MockActivityEnvironment()
        .run(() => callConnector(connectors, { connector, path: '/x', body: {}, keep, idempotencyKey: 'k' }))
        .catch((error: ApplicationFailure) => [error.message, error.details, error.cause]);
    const kept = [await call('bearer'), await call('hidden')];
    await connectors.close();
    return JSON.stringify(kept);
  }

  const told = ({ headers, path }: { headers: object; path: string }) => ({ headers, path });
  const whole: Reply = (response, request) => json(200, told(request))(response, request);
  const page: Reply = (response, request) =>
    text(200, 'text/html', JSON.stringify(told(request)))(response, request);
  const inHeader: Reply = (response, request) =>
    json(
      200,
      {},
      { 'x-told': request.headers.authorization ?? request.path, link: request.path },
    )(response, request);
  const inKeys: Reply = (response, request) =>
    json(200, { [request.path]: 1, [request.headers.authorization ?? '']: [1] })(response, request);
  const encoded =
    (encoding: (text: string) => string): Reply =>
    (response, request) =>
      json(200, { told: encoding(request.headers.authorization ?? request.path) })(response, request);
  const inPieces: Reply = (response, request) =>
    json(200, { told: (request.headers.authorization ?? request.path).match(/.{1,5}/g) })(response, request);
  const inChunks: Reply = async (response, request) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    for (const character of request.headers.authorization ?? request.path) {
      response.write(character);
      await new Promise(setImmediate);
    }
    response.end();
  };

  it.each<[title: string, keep: string, reply: Reply]>([
    ['the whole body', '${body}', whole],
    ['the whole body as a text', '${body}', page],
    ['the headers', '${headers}', inHeader],
    ['a header', '${headers["x-told"]}', inHeader],
    ['within a text', 'status ${status}, told ${headers["x-told"]}', inHeader],
    ['the names of a map', '${body.map(name, name)}', inKeys],
    ['a part of it', '${headers["x-told"].substring(7, 14)}', inHeader],
    ['a part from its end', '${headers["x-told"].substring(headers["x-told"].size() - 7)}', inHeader],
    ['in lower case', '${headers["x-told"].lowerAscii()}', inHeader],
    ['cut at a character of it', '${headers["x-told"].split("-")}', inHeader],
    ['character by character', '${headers["x-told"].split("")}', inHeader],
    ['whether it has a text', '${headers["x-told"].contains("Secret") || body == {"chat": 1}}', inHeader],
    ['how long it is', '${headers["x-told"].size() > 20}', inHeader],
    ['where it begins', '${headers["x-told"].indexOf("Token")}', inHeader],
    ['in a failure', '${headers["x-told"].substring(0, 9999)}', inHeader],
    ['as a moment that is none', '${later(headers["x-told"], "P1D")}', inHeader],
    ['put together from pieces', '${body.told.join("")}', inPieces],
    ['put together from pieces, in a failure', '${later(body.told.join(""), "P1D")}', inPieces],
    ['percent-encoded', '${body.told.substring(0, 20)}', encoded(encodeURIComponent)],
    ['in base64', '${body.told.substring(6)}', encoded((text) => btoa(text))],
    ['in hexadecimal', '${body.told}', encoded((text) => Buffer.from(text).toString('hex'))],
    ['in upper case', '${body.told}', encoded((text) => text.toUpperCase())],
    ['that comes in many chunks', '${body}', inChunks],
  ])('%s', async (_, keep, reply) => {
    const kept = await keptOf(keep, reply);
    const forms = [token, address].flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      btoa(`Bearer ${secret}`).slice(10),
      Buffer.from(secret).toString('hex'),
    ]);
    for (const form of forms)
      for (let at = 0; at + 8 <= form.length; at++)
        expect(kept.toLowerCase()).not.toContain(form.slice(at, at + 8).toLowerCase());
    expect(kept).not.toMatch(/secret|oken|tickets|address|the-team|"S","e"|"c","h"/i);
    expect(kept).not.toMatch(/true/);
  });

  it('an answer without a secret is kept as it is', async () => {
    const answer = {
      number: 'INC-7',
      at: 17,
      list: [{ ok: true }, null],
      page: 'https://acme.example/hooks',
    };
    expect(await keptOf('${body}', json(200, answer))).toBe(JSON.stringify([answer, answer]));
  });
});
