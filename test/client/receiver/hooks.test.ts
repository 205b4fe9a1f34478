// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/hooks.md: How a sender proves itself
// What third systems send to the hooks of the receiver: who proves itself is answered 2xx when Temporal has the event, and nobody
// else gets in. Signatures are made by others than us: openssl and the standardwebhooks package.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hooksIn } from '../../../client/hooks-file.ts';
import type { ReceivedHook } from '../../../client/receiver/receive-hook.ts';
import { ReceivedLog } from '../../../client/receiver/received-log.ts';
import { type Receiver, startReceiver } from '../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import { mailboxId } from '../../../shared/routing/mailboxes.ts';
import { hostileRequests } from '../../service/http/hostile-requests.ts';
import { sendAndHangUp } from '../../service/http/raw-http.ts';
import { connectClient, newTaskQueue, type RunningClient } from '../../support/temporal.ts';
import { hmacByOpenssl } from './callbacks-sent.ts';
import { CALLBACK_KEY } from './flows-and-receiver.ts';

const KEY = 'a shared key of both sides';
const OTHER_KEY = 'the key of somebody else!!';
const STANDARD_KEY = 'whsec_dGhlIGtleSBvZiB0aGUgaG9vaydzIHNlbmRlciE=';

const file = `
hooks:
  standard:
    verify: { standardWebhooks: { keyFile: standard-key } }
    type: repair.finished
    where: { order: "\${body.order}" }
  github:
    verify: { signature: { header: X-Hub-Signature-256, prefix: "sha256=", keyVariable: KEY } }
    type: repair.finished
    when: "\${headers['x-github-event'] == 'issues'}"
    where: { order: "\${body.order}" }
    data: { state: "\${body.state}" }
    id: "\${headers['x-github-delivery']}"
  base64:
    verify:
      signature: { header: X-Hmac, encoding: base64, algorithm: sha512, keyEncoding: hex, keyVariable: HEX_KEY }
    type: repair.finished
    where: { order: "\${body.order}" }
    id: "\${body.id}"
  bearer:
    verify: { bearer: { tokenVariable: KEY } }
    type: repair.finished
    where: { order: "\${body.order}" }
    id: "\${body.id}"
  basic:
    verify: { basic: { user: workshop, passwordVariable: KEY } }
    type: repair.finished
    where: { order: "\${body.order}", site: "\${body.?site.orValue(null)}" }
    id: "\${body.id}"
  gitlab:
    verify: { header: { name: X-Gitlab-Token, valueVariable: TWO_KEYS } }
    type: repair.finished
    where: { order: "\${body.order}" }
    data: { headers: "\${headers}" }
    id: "\${body.id}"
`;

const variables: Readonly<Record<string, string>> = {
  KEY,
  HEX_KEY: Buffer.from(KEY).toString('hex'),
  TWO_KEYS: `${OTHER_KEY} 2\n${KEY}\n`,
};
const hooks = hooksIn(file, {
  file: () => `${STANDARD_KEY}\n`,
  variable: (name) => variables[name] ?? '',
});

let connected: RunningClient;
let client: Client;
let receiver: Receiver;
let address: string;
const received: ReceivedHook[] = [];
const logged: string[] = [];

beforeAll(async () => {
  connected = await connectClient();
  client = connected.client;
  const settings = readReceiverSettings({
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
    LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
    CALLBACK_BODY_LIMIT_BYTES: '50000',
  });
  const line = (fields: object, message: string) => void logged.push(`${JSON.stringify(fields)} ${message}`);
  const log = new ReceivedLog({ info: line, warn: line, error: line });
  receiver = await startReceiver(client, {
    ...settings,
    hooks,
    onHook: (each) => {
      received.push(each);
      log.writeHook(each);
    },
    onError: (error) => void logged.push(`defect: ${String(error)}`),
  });
  address = new URL(receiver.url).origin;
});
afterAll(async () => {
  await receiver.close();
  await connected.close();
});

const hmac = (text: string, { key = KEY, digest = 'sha256', encoding = 'hex' as BufferEncoding } = {}) =>
  hmacByOpenssl(key, text, digest).toString(encoding);

const JSON_TYPE = { 'content-type': 'application/json' };

type Sent = { readonly headers: Record<string, string>; readonly body: string };

const post = (hook: string, { headers, body }: Sent) =>
  fetch(`${address}/hooks/${hook}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });

/** As each sender makes it. */
const senders: Readonly<Record<string, (body: string, key: string, at: Date) => Record<string, string>>> = {
  standard: (body, key, at) => {
    const id = `msg_${randomUUID()}`;
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(key === KEY ? STANDARD_KEY : Buffer.from(key).toString('base64')).sign(
        id,
        at,
        body,
      ),
    };
  },
  github: (body, key) => ({
    'X-Hub-Signature-256': `sha256=${hmac(body, { key })}`,
    'X-GitHub-Delivery': randomUUID(),
    'X-GitHub-Event': 'issues',
  }),
  base64: (body, key) => ({ 'X-Hmac': hmac(body, { key, digest: 'sha512', encoding: 'base64' }) }),
  bearer: (_, key) => ({ authorization: `bearer ${key}` }),
  basic: (_, key) => ({ authorization: `Basic ${Buffer.from(`workshop:${key}`).toString('base64')}` }),
  gitlab: (_, key) => ({ 'X-Gitlab-Token': key }),
};

const names = Object.keys(senders);

const requestFor = (hook: string, body: object, { key = KEY, at = new Date() } = {}): Sent => {
  const text = JSON.stringify(body);
  return { body: text, headers: senders[hook]?.(text, key, at) ?? {} };
};

const newBody = () => ({
  order: randomUUID(),
  id: randomUUID(),
  state: 'done',
  site: 'north',
});

/** The events that Temporal has for an order. */
async function eventsFor(order: string): Promise<{ type: string; id: string; data: unknown }[]> {
  const history = await client.workflow
    .getHandle(mailboxId('order', order))
    .fetchHistory()
    .catch(() => ({ events: [] }));
  return (history.events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    return data ? [JSON.parse(Buffer.from(data).toString())] : [];
  });
}

const refusal = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  return (await answer.json()) as { status: number; code: string; detail: string };
};

describe.each(names)('the hook %s', (hook) => {
  test('takes what its sender proves to be its own, and keeps it in Temporal', async () => {
    const body = newBody();
    const answer = await post(hook, requestFor(hook, body));
    expect(answer.status).toBe(202);
    const { id, type } = (await answer.json()) as { id: string; type: string };
    expect(id).toMatch(new RegExp(`^${hook}\\.`));
    expect(await eventsFor(body.order)).toMatchObject([{ type, id }]);
  });

  test('refuses another secret, a changed proof and none, and says nothing of why', async () => {
    const body = newBody();
    const right = requestFor(hook, body);
    const wrong: Sent[] = [
      requestFor(hook, body, { key: OTHER_KEY }),
      { ...right, headers: {} },
      ...Object.keys(right.headers).flatMap((name) => {
        const isProof =
          /signature|hmac|authorization|token|standard|webhook-timestamp|request-timestamp/i.test(name);
        const value = right.headers[name] ?? '';
        const changed = [
          value.slice(0, -1),
          `${value}0`,
          '',
          'x'.repeat(5_000),
          value.replace(/.{4}(=*)$/, 'z\u00e9zz$1'),
        ];
        return isProof
          ? changed.map((each) => ({ ...right, headers: { ...right.headers, [name]: each } }))
          : [];
      }),
    ];
    for (const each of wrong) {
      const answer = await post(hook, each);
      expect({ sent: each.headers, status: answer.status }).toMatchObject({ status: 401 });
      expect((await refusal(answer)).detail).not.toMatch(/secret of this hook|missing|key/);
    }
    expect(await eventsFor(body.order)).toEqual([]);
  });
});

test('what was signed too long ago, or in the future, is a replay', async () => {
  for (const minutes of [-10, 10]) {
    const at = new Date(Date.now() + minutes * 60_000);
    expect((await post('standard', requestFor('standard', newBody(), { at }))).status).toBe(401);
    expect(received.at(-1)?.refused).toMatchObject({ why: 'clock' });
  }
});

test.each(['standard', 'github', 'base64'])(
  '%s: a body that was changed on its way is refused',
  async (hook) => {
    const body = newBody();
    const sent = requestFor(hook, body);
    expect((await post(hook, { ...sent, body: sent.body.replace('done', 'lost') })).status).toBe(401);
    expect((await post(hook, { ...sent, body: `${sent.body} ` })).status).toBe(401);
    expect(await eventsFor(body.order)).toEqual([]);
  },
);

test('the same event again has the same id; the id of a hook is its own', async () => {
  const body = newBody();
  const one = (await (await post('bearer', requestFor('bearer', body))).json()) as { id: string };
  const again = (await (await post('bearer', requestFor('bearer', body))).json()) as { id: string };
  const other = (await (await post('basic', requestFor('basic', body))).json()) as { id: string };
  expect(again).toEqual(one);
  expect(one.id).toBe(`bearer.${body.id}`);
  expect(other.id).toBe(`basic.${body.id}`);
});

test('a request that the hook does not want is answered 204, and becomes nothing', async () => {
  const body = newBody();
  const sent = requestFor('github', body);
  const answer = await post('github', { ...sent, headers: { ...sent.headers, 'X-GitHub-Event': 'ping' } });
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  expect(await eventsFor(body.order)).toEqual([]);
});

test('a form is taken as JSON is', async () => {
  const order = randomUUID();
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post('bearer', { headers, body: `order=${order}&id=a+b&tag=1&tag=2` })).status).toBe(202);
  expect(await eventsFor(order)).toMatchObject([
    { id: 'bearer.a b', data: { order, id: 'a b', tag: ['1', '2'] } },
  ]);
});

test('no header that proves anything gets into an event', async () => {
  const body = newBody();
  const headers = {
    ...requestFor('gitlab', body).headers,
    cookie: 'session=1',
    authorization: 'Bearer other',
    'x-more': '1',
  };
  expect((await post('gitlab', { headers, body: JSON.stringify(body) })).status).toBe(202);
  const [event] = await eventsFor(body.order);
  expect(event?.data).toMatchObject({ headers: { 'x-more': '1' } });
  expect(JSON.stringify(event)).not.toMatch(/session=1|Bearer|shared key|x-gitlab-token/);
});

const authorization = `Bearer ${KEY}`;
const order = randomUUID();
const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const unfit: readonly [
  what: string,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  detail: RegExp,
  type?: string,
][] = [
  ['no JSON', '{"order":', 400, /not JSON/],
  ['an empty body', '', 400, /not JSON/],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, /not UTF-8/],
  ['XML', '<order/>', 415, /application\/json/, 'application/xml'],
  ['no key', '{"id":"1"}', 422, /where\.order: .*body\.order/],
  ['a text in place of a map', '"order"', 422, /where\.order/],
  ['null', 'null', 422, /where\.order/],
  ['a key that is null', '{"id":"1","order":null}', 422, /where\.order: expected a text/],
  ['a key that is a list', `{"id":"1","order":["${order}"]}`, 422, /where\.order: expected a text/],
  ['a key that is empty', '{"id":"1","order":""}', 422, /where\.order: expected 1 to 200/],
  [
    'a key that is too long',
    `{"id":"1","order":"${'x'.repeat(201)}"}`,
    422,
    /where\.order: expected 1 to 200/,
  ],
  ['a number that was rounded', '{"id":12345678901234567890,"order":"1"}', 422, /id: is a whole number/],
  ['an id that is a map', '{"id":{},"order":"1"}', 422, /id: expected a text/],
  ['data that is too large', `{"id":"1","order":"1","more":"${'x'.repeat(40_000)}"}`, 422, /data|bytes/],
  ['data that is too deep', `{"id":"1","order":"1","more":${deep(1_000)}}`, 422, /levels|deep/],
  ['data that is very deep', `{"id":"1","order":"1","more":${deep(20_000)}}`, 422, /levels|deep/],
  [
    'half a surrogate pair as a key',
    '{"id":"1","order":"\\ud800x"}',
    422,
    /^body\.order: has half a surrogate/,
  ],
  ['half a surrogate pair in the data', '{"id":"1","order":"1","more":["\\ud800"]}', 422, /^body\.more\.0: /],
  ['half a surrogate pair in a name', '{"id":"1","order":"1","\\udc00":1}', 422, /^body\.\ufffd: /],
  ['the key __proto__', '{"id":"1","order":"1","__proto__":{"order":"2"}}', 422, /__proto__/],
];

test.each(unfit)('%s is refused with what is wrong', async (_, body, status, detail, type) => {
  const answer = await fetch(`${address}/hooks/bearer`, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': type ?? 'application/json' },
  });
  expect(answer.status).toBe(status);
  expect((await refusal(answer)).detail).toMatch(detail);
});

test('what is no request to a hook is refused before anything is read', async () => {
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization, ...JSON_TYPE },
      body: '{}',
      ...init,
    });
  for (const path of [
    '/hooks/',
    '/hooks/other',
    '/hooks/bearer/',
    '/hooks/Bearer',
    '/hooks/%62earer',
    '/hooks/__proto__',
  ])
    expect(await refusal(await at(path)), path).toMatchObject({ status: 404, code: 'HookUnknown' });
  const got = await at('/hooks/bearer', { method: 'GET', body: null });
  expect([got.headers.get('allow'), (await refusal(got)).code]).toEqual(['POST', 'MethodNotAllowed']);
  const large = await at('/hooks/bearer', { body: JSON.stringify('x'.repeat(50_000)) });
  expect(await refusal(large)).toMatchObject({ status: 413, detail: expect.stringContaining('50,000') });
  const packed = await at('/hooks/bearer', { headers: { authorization, 'content-encoding': 'gzip' } });
  expect((await refusal(packed)).code).toBe('MediaTypeUnsupported');
  const unknown = await at('/hooks/bearer', { headers: JSON_TYPE });
  expect(unknown.headers.get('www-authenticate')).toBe('Bearer realm="lockerflow"');
});

test('no hostile bytes end the receiver, or are answered as a defect', async () => {
  const genuine = JSON.stringify(newBody());
  for (const [what, bytes] of Object.entries(hostileRequests('/hooks/bearer', genuine)))
    expect(await sendAndHangUp(`${address}/hooks/bearer`, bytes), what).not.toMatch(/^HTTP\/1\.1 5/);
  expect((await post('bearer', requestFor('bearer', newBody()))).status).toBe(202);
});

test('neither secrets nor bodies are in the log', async () => {
  const body = { ...newBody(), remark: 'for Anna', order: null };
  for (const hook of names) {
    await post(hook, requestFor(hook, body));
    await post(hook, requestFor(hook, newBody(), { key: OTHER_KEY }));
  }
  const all = logged.join('\n');
  expect(all).toMatch(/hook refused \(key\)/);
  expect(all).toMatch(/hook refused \(event\): where.order/);
  const secrets = [
    KEY,
    OTHER_KEY,
    STANDARD_KEY,
    variables.HEX_KEY,
    Buffer.from(`workshop:${KEY}`).toString('base64'),
  ];
  for (const secret of [...secrets, 'Anna', 'defect']) expect(all).not.toContain(secret);
});
