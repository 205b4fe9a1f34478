// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// docs/connectors.md: What a call does
// What `call` of a flow file does on a real Temporal, through connectors to a server whose answers each test sets.
// `npm test` runs some of the cases.
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, type Reply, raw, startTestServer, text } from '../../shared/locker-api/test-server.ts';
import { textOfHistory } from '../../support/history.ts';
import { eachSampled } from '../../support/suite.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();
const PASSWORD = 'pass-word-of-tickets';
const server = await startTestServer(json(200, {}));
afterAll(async () => {
  await files.connectors.close();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  use(server.url);
});

function use(address: string, timeoutSeconds = 5): void {
  const allow = '["GET,POST,PUT,DELETE /tickets", "GET /tickets/*"]';
  const credentials = '{ basic: { user: lockerflow, passwordFile: password } }';
  files.connectors = new Connectors(
    readConnectors(
      `connectors:
  tickets: { address: "${address}/api", allow: ${allow}, credentials: ${credentials}, timeoutSeconds: ${timeoutSeconds} }
  keyed: { address: "${address}/api", allow: ${allow}, idempotencyKeyHours: 24, callHeaders: [X-Reason] }`,
      () => PASSWORD,
    ),
  );
}

const calling = (name: string, input: string, attempts = '') => `
name: ${name}
meaning: Opens a ticket.
context: { kept: null, code: "", message: "" }
initial: opening
states:
  opening:
    invoke:
      id: ticket
      src: call
      input: ${input}
      ${attempts}
      onDone: { target: over, actions: { type: assign, params: { kept: "\${event.output}" } } }
      onError: { target: over, actions: { type: assign, params: { code: "\${event.error.code}", message: "\${event.error.message}" } } }
  over: { type: final }
output: "\${context}"
`;

interface Called {
  readonly kept: unknown;
  readonly code: string;
  readonly message: string;
}

async function start(input: string, attempts?: string): Promise<WorkflowHandle> {
  const name = uniqueName('Ticket');
  await files.publish(calling(name, input, attempts));
  return await files.start(name, { request: { item: 'laptop-7' } });
}

async function called(
  input: string,
  attempts?: string,
): Promise<Called & { readonly handle: WorkflowHandle }> {
  const handle = await start(input, attempts);
  return { ...((await handle.result()) as Called), handle };
}

const post = (keep = `"\${body.number}"`, connector = 'tickets') =>
  `{ connector: ${connector}, method: POST, path: /tickets, query: { notify: true }, body: { item: "\${input.item}" }, keep: ${keep} }`;

test('a call is sent with its credentials and a key, and only what it keeps of the answer is in the history', async () => {
  server.reply = json(201, { number: 'INC-7', secretOfAnswer: 'not-to-be-kept' }, { 'x-trace': 't-1' });
  const { kept, handle } = await called(
    post(`{ number: "\${body.number}", status: "\${status}", trace: "\${headers['x-trace']}" }`),
  );
  expect(kept).toEqual({ number: 'INC-7', status: 201, trace: 't-1' });
  const [request, another] = server.requests;
  expect(another).toBeUndefined();
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/tickets?notify=true',
    body: '{"item":"laptop-7"}',
    headers: {
      authorization: `Basic ${Buffer.from(`lockerflow:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  const history = await textOfHistory(handle);
  expect(history).toContain('INC-7');
  expect(history).not.toContain('not-to-be-kept');
});

test('a call of which the answer is lost is not repeated where no key is honoured', async () => {
  server.reply = raw('', 'reset');
  const { code, message } = await called(post());
  expect(code).toBe('OutcomeUnknown');
  expect(message).toContain('tickets: it is not known whether the call was carried out');
  expect(server.requests).toHaveLength(1);
});

test('a call of which the answer is lost is repeated with its key where that is honoured', async () => {
  const replies: Reply[] = [raw('', 'reset'), json(503, {}), json(201, { number: 'INC-8' })];
  server.reply = (response, request) => replies.shift()?.(response, request);
  expect((await called(post(undefined, 'keyed'))).kept).toBe('INC-8');
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('calls with a key of their own are one call for the other side, with the headers that the connector allows', {
  tags: 'long',
}, async () => {
  const keyed = (rest: string) => `{ connector: keyed, method: POST, path: /tickets, ${rest} }`;
  server.reply = json(201, {});
  await called(keyed('key: "${input.item}", headers: { x-reason: "for ${input.item}" }'));
  await called(keyed('key: laptop-7'));
  await called(keyed('key: laptop-8'));
  await called(keyed('body: {}'));
  const [one, two, three, none] = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(one).toBe(two);
  expect(new Set([two, three, none]).size).toBe(3);
  expect(server.requests[0]?.headers['x-reason']).toBe('for laptop-7');
  expect(await called(keyed('headers: { x-http-method-override: DELETE }'))).toMatchObject({
    code: 'CallNotAllowed',
    message: 'keyed: the header x-http-method-override is not allowed; allowed: x-reason',
  });
  expect(await called(keyed('key: ""'))).toMatchObject({ code: 'InvalidRequest' });
  expect(server.requests).toHaveLength(4);
});

const read = '{ connector: tickets, path: /tickets/7, keep: "${body.open}" }';

const withAttempts: [what: string, input: string, attempts: string, replies: Reply[], expected: object][] = [
  [
    'a refusal that it names is tried again',
    post(),
    'retry: { on: [404, Busy], first: PT0.05S, factor: 1 }',
    [json(404, {}), json(404, {}), json(201, { number: 'INC-1' })],
    { kept: 'INC-1' },
  ],
  [
    'a refusal may be named by its code, and has the last word after its tries',
    read,
    'retry: { on: CallRefused, first: PT0.05S, tries: 2 }',
    [json(409, {}), json(410, {})],
    { code: 'CallRefused', message: 'tickets answered HTTP 410' },
  ],
  [
    'what only reads has failed after its tries as it failed last',
    read,
    'retry: { first: PT0.05S, tries: 2 }',
    [json(503, {}), json(502, {})],
    { code: 'ServiceFailed', message: 'tickets answered HTTP 502' },
  ],
  [
    'what was never carried out has failed so',
    post(),
    'retry: { first: PT0.05S, tries: 2 }',
    [json(429, {}), json(429, {})],
    { code: 'RateLimitExceeded' },
  ],
  [
    'what may have been carried out in any of its tries says so',
    post(undefined, 'keyed'),
    'retry: { first: PT0.05S, tries: 3 }',
    [raw('', 'reset'), json(429, {}), json(429, {})],
    {
      code: 'OutcomeUnknown',
      message: expect.stringContaining('after 3 attempts, keyed takes no more calls'),
    },
  ],
];

eachSampled(
  test,
  withAttempts,
  3,
)('of a call with tries of its own: %s', async (_, input, attempts, replies, expected) => {
  const rest = [...replies];
  server.reply = (response, request) => rest.shift()?.(response, request);
  expect(await called(input, attempts)).toMatchObject(expected);
  expect(server.requests).toHaveLength(replies.length);
});

test('a call that is not over within its time has an unknown outcome', async () => {
  server.reply = () => undefined;
  expect(await called(post(undefined, 'keyed'), 'within: PT1S')).toMatchObject({
    code: 'OutcomeUnknown',
    message: 'it was not over in time: it is not known whether it was carried out',
  });
});

test('a call that could not be sent, or was turned away, is made once it can be', {
  tags: 'long',
}, async () => {
  // Port 1 of this machine: nobody listens there.
  use('http://127.0.0.1:1');
  const handle = await start(post());
  await vi.waitUntil(async () => ((await handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0) > 1, {
    timeout: 30_000,
    interval: 50,
  });
  const replies: Reply[] = [
    json(429, {}, { 'retry-after': '1' }),
    json(401, {}),
    json(201, { number: 'INC-9' }),
  ];
  server.reply = (response, request) => replies.shift()?.(response, request);
  use(server.url);
  expect(await handle.result()).toMatchObject({ kept: 'INC-9' });
  expect(server.requests).toHaveLength(3);
});

test('a call that was turned away after a long wait is made again: what it reported last is not lost', {
  tags: 'long',
  timeout: 90_000,
}, async () => {
  // The answer takes longer than the time between two heartbeats, so that Temporal holds back the last heartbeat.
  const replies: Reply[] = [
    async (response, request) => {
      await pause(9_000);
      return json(429, {}, { 'retry-after': '1' })(response, request);
    },
    json(201, { number: 'INC-10' }),
  ];
  server.reply = (response, request) => replies.shift()?.(response, request);
  use(server.url, 20);
  expect((await called(post())).kept).toBe('INC-10');
  expect(server.requests).toHaveLength(2);
});

const heardByCode: [what: string, reply: Reply, code: string, words: string][] = [
  ['a refusal', json(404, { error: 'no' }), 'CallRefused', 'tickets answered HTTP 404'],
  [
    'a redirect, which is not followed',
    text(302, 'text/plain', '', { location: 'https://evil.example/' }),
    'CallRefused',
    'tickets answered HTTP 302; a redirect is not followed',
  ],
  [
    'an answer that is too large',
    text(200, 'text/plain', 'x'.repeat(1_000_001)),
    'AnswerTooLarge',
    'tickets: the call was carried out (HTTP 200), but the answer is larger than 1000000 bytes',
  ],
  [
    'an answer without what is kept',
    json(201, {}),
    'ExpressionFailed',
    'the call was carried out (HTTP 201), but its keep fails',
  ],
];

eachSampled(
  test,
  heardByCode,
  4,
)('%s is heard by its code', async (_, reply, expected, words) => {
  server.reply = reply;
  const { code, message } = await called(post());
  expect(code).toBe(expected);
  expect(message).toContain(words);
  expect(server.requests).toHaveLength(1);
});

const notAllowed: [input: string, code: string, words: string][] = [
  [
    '{ connector: ticketz, path: /tickets }',
    'ConnectorUnknown',
    'ticketz is not a connector of this worker; it has tickets, keyed',
  ],
  [
    '{ connector: tickets, method: PATCH, path: /tickets }',
    'CallNotAllowed',
    'allowed: GET,POST,PUT,DELETE /tickets; GET /tickets/*',
  ],
];

test.each(notAllowed)(
  'a call that must not be made is refused, and nothing is sent: %s',
  async (input, expected, words) => {
    const { code, message } = await called(input);
    expect(code).toBe(expected);
    expect(message).toContain(words);
    expect(server.requests).toHaveLength(0);
  },
);
