// Messages to people and requests for a mechanic, with everything real: over HTTP and by the command line, through a real receiver, with
// what became of them in the timeline.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { outreachChannels } from '../../../activities/connectors/outreach-channel.ts';
import type { PersonView } from '../../../console/find/person-view.ts';
import type { WallView } from '../../../console/walls/walls-view.ts';
import type { ShipmentMessagePreview } from '../../../processes/commands/shipment-message.ts';
import type { LogPage } from '../../../processes/log/log.ts';
import type { CaseHistory } from '../../../processes/views/case-history.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import {
  json,
  startTestServer,
  type TestServer,
  text as textReply,
} from '../../shared/locker-api/test-server.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { wallOf } from '../../support/wall.ts';
import { issueRequest, newConsoleOf, type TestConsole } from '../console-world.ts';
import { clientsOf, type Program, pathOfProcess as path, patience, programOf } from './program.ts';

const names = { message: 'people', sendMechanic: 'garage' };
const taken = json(202, {});
let receiver: TestServer;
let connectors: Connectors;
// Before the hooks of the installation, whose worker is made with it.
beforeAll(async () => {
  receiver = await startTestServer(taken);
});
beforeEach(() => {
  receiver.reply = taken;
  receiver.requests.length = 0;
});
const installation = useInstallation(ourService, {
  get dependencies() {
    const expression = (name: string) => ['$', `{message.${name}}`].join('');
    const body = {
      phone: expression('to.phoneNumber'),
      dear: expression('to.name'),
      words: expression('text'),
    };
    const file = readConnectors(
      JSON.stringify({
        connectors: {
          people: { address: receiver.url, messages: { path: '/sms', body } },
          garage: { address: receiver.url, mechanic: { path: '/jobs' } },
        },
      }),
      () => '',
    );
    connectors = new Connectors(file);
    const consoleUrl = 'https://console.example';
    return {
      outreach: { ...outreachChannels(file, connectors, names), address: 'phone' as const, consoleUrl },
    };
  },
});

const settings = {
  MESSAGE_CONNECTOR: names.message,
  MECHANIC_CONNECTOR: names.sendMechanic,
  MESSAGE_ADDRESS: 'phone',
};
let server: TestConsole;
let shop: Program;
let reader: Program;
const anna = { userUid: '', phoneNumber: '+31612345678', firstName: 'Anna', lastName: 'Jansen' };
beforeAll(async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  server = await newConsoleOf(installation(), settings);
  const clients = clientsOf(() => server, installation);
  shop = await clients(`shop-${randomUUID()}`, 'flows:read', 'flows:decide');
  reader = await clients(`reader-${randomUUID()}`, 'flows:read');
  anna.userUid = await newPerson(anna.phoneNumber);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await connectors.close();
  await receiver[Symbol.asyncDispose]();
});

async function newPerson(phoneNumber: string | null, firstName = 'Anna'): Promise<string> {
  const { userUid } = await installation().people.call('CreateAccount', {
    emailAddress: `${randomUUID()}@example.com`,
    firstName,
    lastName: 'Jansen',
    pickUpPointUid: 'pup-central',
    ...(phoneNumber !== null && { phoneNumber }),
  });
  return String(userUid);
}

interface Loan {
  readonly key: string;
  readonly shipmentUid: string;
  readonly lockerName: string | null;
}

/** Its item lies in a locker of the pick up point. */
async function loanAt(pupUid: string, toUserUid: string, referenceNo = 'laptop-7'): Promise<Loan> {
  const { flows, people } = installation();
  const key = `loan-${randomUUID()}`;
  const request = { ...issueRequest, pupUid, toUserUid, details: { description: 'Laptop 7', referenceNo } };
  const handle = await flows.start('Issue', key, { request } as never);
  const { shipmentUid, lockerName } = await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue,
    patience,
  );
  await people.dropOff(shipmentUid);
  await vi.waitUntil(
    async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup',
    patience,
  );
  return { key, shipmentUid, lockerName };
}

async function newPickUpPoint(lockers = 3): Promise<string> {
  const pupUid = `pup-${randomUUID()}`;
  await installation().people.newPickUpPoint(pupUid, lockers);
  return pupUid;
}

const fault = async (what: object) =>
  await (await sandboxAs(installation().service.address))('POST', 'faults', what);

interface Answer {
  readonly code?: string;
  readonly isDone: boolean;
  readonly words: string;
  readonly consequence: { readonly text: string | null; readonly to: object };
  readonly refusal: { readonly code: string } | null;
}
const send = (key: string, body: unknown, by = shop, headers = {}) =>
  by.post<Answer>(path(key, '/commands/message'), body, headers);
const proposed = async (key: string) =>
  (await shop.post<Answer>(path(key, '/commands/message?dryRun=true'), {})).body;
const bodies = () => receiver.requests.map(({ body }) => JSON.parse(Buffer.from(body, 'latin1').toString()));
const rowOf = (key: string, words: string, by = shop) =>
  vi.waitUntil(async () => {
    const { body } = await by.get<CaseHistory>(path(key, '/history'));
    return body.happened.find((row) => row.words.includes(words) && row.did.length > 0);
  }, patience);
const delivered = (key: string, words: string) =>
  vi.waitUntil(async () => {
    const row = await rowOf(key, words);
    return row.did.some((each) => each.startsWith('Delivered')) && row;
  }, patience);

test('a message reaches the person once, and the timeline says who sent it, to whom, and that it arrived', async () => {
  const pupUid = await newPickUpPoint();
  const { key, lockerName } = await loanAt(pupUid, anna.userUid);
  const { consequence, refusal, isDone } = await proposed(key);
  expect({ refusal, isDone }).toEqual({ refusal: null, isDone: false });
  expect(consequence.to).toEqual({ userUid: anna.userUid, name: 'Anna Jansen' });
  expect(consequence.text).toMatch(/^“Laptop 7” is in locker .* Please pick it up/);
  expect(consequence.text).toContain(`locker ${lockerName} at `);
  expect(receiver.requests).toEqual([]);

  const words = 'The charger lies beside it.';
  const headers = { 'x-on-behalf-of': 'mila', 'idempotency-key': randomUUID() };
  const done = await send(key, { text: words }, shop, headers);
  expect(done).toMatchObject({ status: 200, body: { isDone: true, words: 'the message is on its way' } });
  expect(JSON.stringify(done.body)).not.toContain('Jansen');
  // Pressed twice, or repeated after a lost answer.
  expect((await send(key, { text: words }, shop, headers)).status).toBe(200);
  // By a console that knows nothing of the first.
  await using other = await newConsoleOf(installation(), settings);
  const again = programOf(other.address, shop.token);
  expect((await send(key, { text: words }, again, headers)).status).toBe(200);
  const row = await delivered(key, words);
  expect(row).toMatchObject({ isByPeople: true, isBad: false, by: null });
  expect(row.words).toMatch(/^Mila by .* writes to Anna Jansen: “The charger lies beside it.”/);
  expect(bodies()).toEqual([{ phone: anna.phoneNumber, dear: 'Anna Jansen', words }]);
  expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/sms' });
  expect(receiver.requests[0]?.headers['idempotency-key']).toMatch(/^[\da-f]{64}$/);
  // Who may only look reads no names.
  const shown = await rowOf(key, words, reader);
  expect(shown.words).toContain('writes to whom it is for');
  expect(shown).not.toHaveProperty('to');
  const { body: log } = await shop.get<LogPage>(
    `/v1/log?${new URLSearchParams({ since: new Date(Date.now() - 600_000).toISOString() })}`,
  );
  expect(log.entries).toContainEqual(
    expect.objectContaining({ key, kind: 'command', words: expect.stringContaining(words) }),
  );
});

test('a message is sent to whom a case was for that has ended, once', async () => {
  const { key } = await loanAt(await newPickUpPoint(), anna.userUid);
  const handle = installation().flows.handle<'Issue'>(key);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  const { consequence, refusal } = await proposed(key);
  expect({ refusal, consequence }).toEqual({
    refusal: null,
    consequence: { to: { userUid: anna.userUid, name: 'Anna Jansen' }, text: null },
  });
  const words = 'Your loan was cancelled. Please bring the laptop back.';
  const headers = { 'x-on-behalf-of': 'mila', 'idempotency-key': randomUUID() };
  expect((await send(key, { text: words }, shop, headers)).status).toBe(200);
  await using other = await newConsoleOf(installation(), settings);
  expect((await send(key, { text: words }, programOf(other.address, shop.token), headers)).status).toBe(200);
  const row = await delivered(key, words);
  expect(row).toMatchObject({ isByPeople: true, to: anna.userUid });
  expect(row.words).toMatch(/^Mila by .* writes to Anna Jansen: “Your loan was cancelled\./);
  expect(bodies()).toEqual([{ phone: anna.phoneNumber, dear: 'Anna Jansen', words }]);
  expect((await rowOf(key, words, reader)).words).toContain('writes to whom it is for');
  const since = new Date(Date.now() - 600_000).toISOString();
  const { body: log } = await shop.get<LogPage>(`/v1/log?${new URLSearchParams({ since })}`);
  expect(log.entries).toContainEqual(
    expect.objectContaining({
      key,
      kind: 'command',
      words: expect.stringContaining(words),
      did: [expect.stringContaining('elivered')],
    }),
  );
  expect(await send(key, { text: words }, reader)).toMatchObject({ status: 403 });
});

interface Told {
  readonly told: readonly { readonly key: string; readonly to: string | null; readonly by: string }[];
}
const toldAbout = async (keys: readonly string[], by = shop) => {
  const { body } = await by.get<Told>('/v1/messages');
  return body.told.filter(({ key }) => keys.includes(key));
};
const personOf = async (userUid: string) => (await shop.get<PersonView>(`/v1/people/${userUid}`)).body;

test('whoever comes next reads who told whom about which case, and on the page of the person what', async () => {
  const pupUid = await newPickUpPoint();
  const userUid = await newPerson(anna.phoneNumber, 'Iris');
  const { key } = await loanAt(pupUid, userUid);
  const { key: ended } = await loanAt(pupUid, userUid);
  const stray = await strayAt(pupUid, userUid);
  const headers = { 'x-on-behalf-of': 'mila' };
  expect(await personOf(userUid)).toMatchObject({ messages: [], unread: [] });
  await send(key, { text: 'The first.' }, shop, headers);
  await send(key, { text: 'The second.' }, shop, headers);
  const handle = installation().flows.handle<'Issue'>(ended);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  await send(ended, { text: 'It was cancelled.' }, shop, headers);
  await tell(stray, { text: 'The third.' }, '', headers);
  await vi.waitFor(async () => {
    const { messages } = await personOf(userUid);
    const delivered = { by: expect.any(String), onBehalfOf: 'mila', to: userUid, state: 'delivered' };
    expect(messages).toMatchObject([
      { ...delivered, text: 'The third.', key: null, shipmentUid: stray, item: 'Laptop 9', pupUid },
      { ...delivered, text: 'It was cancelled.', key: ended, shipmentUid: null },
      { ...delivered, text: 'The second.', key, shipmentUid: null, item: 'Laptop 7 (laptop-7)' },
      { ...delivered, text: 'The first.', key },
    ]);
  }, patience);
  expect(await toldAbout([key, ended])).toMatchObject([
    { key: ended, to: userUid, by: 'mila' },
    { key, to: userUid, by: 'mila' },
  ]);
  expect((await toldAbout([key], reader)).map(({ to }) => to)).toEqual([null]);
});

test('who could not be told was not told', async () => {
  const userUid = await newPerson(anna.phoneNumber, 'Jip');
  const { key } = await loanAt(await newPickUpPoint(), userUid);
  receiver.reply = textReply(400, 'text/plain', 'this number is not in use');
  await send(key, { text: 'Hello.' });
  await vi.waitFor(async () => {
    const { messages } = await personOf(userUid);
    expect(messages).toMatchObject([{ state: 'refused', words: expect.stringMatching(/^Not taken/) }]);
  }, patience);
  await vi.waitFor(async () => expect(await toldAbout([key])).toEqual([]), patience);
});

test('neither history has the person’s name, address or number', async () => {
  const { key } = await loanAt(await newPickUpPoint(), anna.userUid);
  await send(key, {});
  const { to: _, ...row } = await delivered(key, 'writes to');
  expect(row.words).toContain('“Laptop 7” is in locker');
  const { client } = installation();
  const handle = client.workflow.getHandle(key);
  const histories = [await handle.fetchHistory()];
  for (const { startChildWorkflowExecutionInitiatedEventAttributes: child } of histories[0]?.events ?? [])
    if (child?.workflowId) histories.push(await client.workflow.getHandle(child.workflowId).fetchHistory());
  expect(histories).toHaveLength(2);
  const all = textsIn(histories).join('\n');
  expect(all).toContain(anna.userUid);
  for (const secret of ['Jansen', anna.phoneNumber, '@example.com']) expect(all).not.toContain(secret);
});

/** With what its payloads hold. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

test('what the other side cannot take now is tried again, and what it refuses is not: the timeline says why', async () => {
  const { key } = await loanAt(await newPickUpPoint(), anna.userUid);
  receiver.reply = textReply(503, 'text/plain', 'the gateway rests');
  await send(key, { text: 'The first.' });
  const trying = await vi.waitUntil(async () => {
    const row = await rowOf(key, 'The first.');
    return row.did.some((each) => each.includes('tried again')) && row;
  }, patience);
  expect(trying).toMatchObject({ isBad: false, isPending: true, did: [expect.stringContaining('HTTP 503')] });
  receiver.reply = taken;
  await delivered(key, 'The first.');
  const keys = new Set(receiver.requests.map(({ headers }) => headers['idempotency-key']));
  expect(receiver.requests.length).toBeGreaterThan(1);
  expect(keys.size).toBe(1);

  receiver.requests.length = 0;
  receiver.reply = textReply(422, 'text/plain', `no such number ${anna.phoneNumber} of Anna Jansen`);
  await send(key, { text: 'The second.' });
  const refused = await vi.waitUntil(async () => {
    const row = await rowOf(key, 'The second.');
    return row.isBad && row;
  }, patience);
  expect(refused.did).toEqual([expect.stringMatching(/^Not taken: .*HTTP 422/)]);
  expect(JSON.stringify(refused.did)).not.toContain(anna.phoneNumber);
  expect(JSON.stringify(refused.did)).not.toContain('Jansen');
  expect(receiver.requests).toHaveLength(1);
});

test('a text with an access code of the case is refused, however it is written', async () => {
  const { key, shipmentUid } = await loanAt(await newPickUpPoint(), anna.userUid);
  const { pickUpCode } = await installation().people.call('GetShipmentAccessCode', { shipmentUid });
  const code = String(pickUpCode);
  for (const written of [code, [...code].join(' '), [...code].join('-'), code.toLowerCase()]) {
    const sent = await send(key, { text: `Your code is ${written}.` });
    expect(sent, written).toMatchObject({ status: 409, body: { code: 'CodeInMessage' } });
  }
  expect(await send(key, { text: 'Your number is 00000000.' })).toMatchObject({ status: 200 });
  await delivered(key, '00000000');
  // Who writes has seen no code, and the timeline does not say so.
  const cookie = await server.cookieOf('bram');
  await vi.waitFor(async () => {
    const answer = await fetch(`${server.address}/v1/processes/${key}/doors`, { headers: { cookie } });
    const words = JSON.stringify(await answer.json());
    expect(words).toContain('nobody saw them');
    expect(words).not.toMatch(/Bram saw the codes|shop\S* saw the codes/);
  }, patience);
  expect(receiver.requests).toHaveLength(1);
});

test('whoever a list of its case names is told, also before their part has begun; then nothing is proposed', async () => {
  const name = `Recall${randomUUID().replaceAll('-', '').slice(0, 8)}`;
  const text = `
name: ${name}
meaning: Everybody brings a device.
input:
  type: object
  properties: { users: { type: array, items: { type: string, format: account } } }
initial: asking
states:
  asking: { on: { done: over } }
  over: { type: final }
`;
  await installation().flows.publish([{ path: 'recall.flow.yaml', text }]);
  const key = `recall-${randomUUID()}`;
  await installation().flows.startPublished(name, key, { request: { users: [anna.userUid] } });
  expect(await send(key, { to: anna.userUid })).toMatchObject({
    status: 400,
    body: { code: 'InvalidRequest' },
  });
  expect(await send(key, { to: anna.userUid, text: 'Please bring your laptop.' })).toMatchObject({
    status: 200,
  });
  await vi.waitUntil(() => receiver.requests.length === 1, patience);
});

test('it is refused where nobody can be reached, and for whoever may only look', async () => {
  const pupUid = await newPickUpPoint(4);
  const { key } = await loanAt(pupUid, await newPerson(null, 'Bo'));
  const { key: stock } = await stockAt(pupUid);
  expect(await send(key, {}, reader)).toMatchObject({ status: 403 });
  expect(await send(key, {})).toMatchObject({ status: 409, body: { code: 'NoAddress' } });
  expect(await send(stock, { text: 'Hello' })).toMatchObject({ status: 409, body: { code: 'NobodyKnown' } });
  expect(await send(key, { to: anna.userUid })).toMatchObject({
    status: 409,
    body: { code: 'NotOfThisCase' },
  });
  expect(await send(key, { text: 'x'.repeat(501) })).toMatchObject({ status: 400 });
  expect(receiver.requests).toEqual([]);
});

async function stockAt(pupUid: string): Promise<{ readonly key: string }> {
  const key = `stock-${randomUUID()}`;
  const { toUserUid: _, ...request } = { ...issueRequest, pupUid };
  const handle = await installation().flows.start('Stock', key, { request } as never);
  await vi.waitUntil(async () => Object.keys((await handle.progress()).shipments).length > 0, patience);
  return { key };
}

test('without a connector the page is told so, and a request is refused', async () => {
  const { key } = await loanAt(await newPickUpPoint(), anna.userUid);
  await using without = await newConsoleOf(installation());
  const me = async ({ address }: TestConsole) =>
    ((await (await fetch(`${address}/api/me`)).json()) as { outreach: object }).outreach;
  expect(await me(without)).toEqual({ message: false, sendMechanic: false });
  expect(await me(server)).toEqual({ message: true, sendMechanic: true });
  const cookie = await without.cookieOf('bram');
  for (const command of ['message', 'sendMechanic']) {
    const answer = await without.post(path(key, `/commands/${command}`), { why: 'a test' }, { cookie });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'NoConnector', detail: expect.stringContaining('_CONNECTOR') }),
    ]);
  }
});

test('a mechanic is sent to the door that stayed shut, with what is wrong', async () => {
  const pupUid = await newPickUpPoint();
  const { key, shipmentUid, lockerName } = await loanAt(pupUid, anna.userUid);
  const { lockerUid } = await installation().people.call('GetShipment', { shipmentUid });
  await fault({ lockerUid, fault: 'stuck' });
  expect((await proposed(key)).consequence.text).toMatch(/^Locker .* does not open at the moment/);
  const ask = (body: object, by = shop) => by.post<Answer>(path(key, '/commands/sendMechanic'), body);
  expect(await ask({}, reader)).toMatchObject({ status: 403 });
  // What is wrong says why.
  expect(await ask({})).toMatchObject({ status: 200 });
  const row = await delivered(key, 'asks for a mechanic');
  expect(row.words).toContain(`at locker ${lockerName}: The door of locker ${lockerName} stayed shut`);
  expect(row.words).not.toContain('because');
  expect(receiver.requests[0]).toMatchObject({ path: '/jobs' });
  expect(bodies()).toEqual([
    expect.objectContaining({
      lockerName,
      pickUpPoint: { pupUid, name: expect.any(String) },
      link: `https://console.example/process/${key}`,
      problem: `The door of locker ${lockerName} stayed shut: the door is stuck.`,
    }),
  ]);
});

test('whoever has asked for a mechanic at a door is known to everybody, and another request says that it is one', async () => {
  const pupUid = await newPickUpPoint();
  const { key, shipmentUid, lockerName } = await loanAt(pupUid, anna.userUid);
  const { lockerUid } = await installation().people.call('GetShipment', { shipmentUid });
  await fault({ lockerUid, fault: 'stuck' });
  const ask = path(key, '/commands/sendMechanic');
  const wall = `/v1/walls/${pupUid}/mechanic`;
  const query = `?${new URLSearchParams({ lockerName: lockerName ?? '' })}`;
  const dryRun = async (at: string, body: object) =>
    (await shop.post<DryRun>(`${at}?dryRun=true`, { ...body, why: 'a second call' })).body;
  expect((await dryRun(ask, {})).consequence).toMatchObject({ asked: null });
  expect(await shop.post(ask, { why: 'Anna stands before it' }, { 'x-on-behalf-of': 'mila' })).toMatchObject({
    status: 200,
  });
  const asked = await vi.waitUntil(async () => {
    const { body } = await reader.get<{ asked: { state: string } | null }>(`${wall}${query}`);
    return body.asked?.state === 'delivered' && body.asked;
  }, patience);
  expect(asked).toMatchObject({
    onBehalfOf: 'mila',
    why: 'Anna stands before it',
    problem: expect.stringContaining('stayed shut'),
    pupUid,
    lockerName,
    key,
    words: expect.stringMatching(/^Delivered /),
  });
  // By the case, and at the wall.
  const again = await dryRun(ask, {});
  expect(again.consequence?.asked).toEqual(asked);
  expect(again.words).toMatch(/mila by .* has asked for one there at .*: this is another request$/);
  expect((await dryRun(wall, { lockerName })).asked).toEqual(asked);
  // Of the wall as a whole nobody has said anything.
  expect((await reader.get<object>(wall)).body).toEqual({ asked: null });
});

interface DryRun {
  readonly words: string;
  readonly asked?: object;
  readonly consequence?: { readonly asked: object };
}

/** Each of three that a batch has told: it is not said to be on its way for ever. */
async function became(batch: string, expected: { outcome: string; delivery: string; words: RegExp }) {
  const words = expect.stringMatching(expected.words);
  await vi.waitFor(async () => {
    const { body } = await shop.get<{ outcomes: object[] }>(`/v1/batches/${batch}/outcomes`);
    expect(body.outcomes).toEqual(Array(3).fill(expect.objectContaining({ ...expected, words })));
  }, patience);
}

test('of an offline wall its three people are told, each about their own item, by one batch', async () => {
  const pupUid = await newPickUpPoint();
  const people = await Promise.all(['A', 'B', 'C'].map((name) => newPerson(anna.phoneNumber, name)));
  const loans: Loan[] = [];
  for (const [index, userUid] of people.entries()) loans.push(await loanAt(pupUid, userUid, `item-${index}`));
  await fault({ pupUid, fault: 'offline' });
  const keys = loans.map(({ key }) => key);
  const started = await shop.post<{ id: string }>('/v1/batches', { command: 'message', fields: {}, keys });
  expect(started.status).toBe(202);
  const outcomes = await vi.waitUntil(async () => {
    const { body } = await shop.get<{ outcomes: { outcome: string }[] }>(
      `/v1/batches/${started.body.id}/outcomes`,
    );
    return body.outcomes.length === 3 && body.outcomes;
  }, patience);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  expect(JSON.stringify(outcomes)).not.toContain('Jansen');
  for (const key of keys) await delivered(key, 'cannot be opened at the moment');
  expect(
    bodies()
      .map(({ dear }) => dear)
      .sort(),
  ).toEqual(['A Jansen', 'B Jansen', 'C Jansen']);
  await became(started.body.id, { outcome: 'done', delivery: 'delivered', words: /^Delivered / });

  receiver.reply = textReply(400, 'text/plain', 'this number is not in use');
  const second = await shop.post<{ id: string }>('/v1/batches', {
    ...{ command: 'message', keys },
    fields: { text: 'The wall is back.' },
  });
  await became(second.body.id, { outcome: 'done', delivery: 'refused', words: /^Not taken: .*400/ });
  receiver.reply = taken;

  const wall = (body: object, query = '') => shop.post<Answer>(`/v1/walls/${pupUid}/mechanic${query}`, body);
  receiver.requests.length = 0;
  receiver.reply = textReply(503, 'text/plain', 'closed');
  const asked = await wall({ why: 'its doors cannot be opened' }, '?dryRun=true');
  expect(asked.body).toMatchObject({ isDone: false, problem: expect.stringContaining('is offline') });
  expect(await wall({ why: 'its doors cannot be opened' })).toMatchObject({
    status: 200,
    body: { isDone: true },
  });
  expect(await wall({ why: 'its doors cannot be opened' })).toMatchObject({
    status: 409,
    body: { code: 'AlreadyAsked' },
  });
  receiver.reply = taken;
  const last = await vi.waitUntil(async () => {
    const { body } = await reader.get<{ asked: { state: string } | null }>(`/v1/walls/${pupUid}/mechanic`);
    return body.asked?.state === 'delivered' && body.asked;
  }, patience);
  expect(last).toMatchObject({ problem: expect.stringContaining('is offline') });
});

test('the log has what happened at the walls: who saw codes, what stayed shut, who asked for a mechanic', async () => {
  const since = new Date(Date.now() - 1_000).toISOString();
  const pupUid = await newPickUpPoint();
  const { key, shipmentUid, lockerName } = await loanAt(pupUid, anna.userUid);
  const cookie = await server.cookieOf('bram');
  const codes = await server.post('/api/desk/codes', { shipmentUid }, { cookie });
  expect(codes.status).toBe(200);
  const { lockerUid } = await installation().people.call('GetShipment', { shipmentUid });
  const { items } = await installation().people.call('GetLockers', { pageNo: 1, pageSize: 9, pupUid });
  const free = (items as { lockerUid: string; lockerName: string }[]).find(
    (each) => each.lockerUid !== lockerUid,
  );
  const order = (outOfOrder: boolean) =>
    server.post(`/v1/lockers/${free?.lockerUid}/out-of-order`, { outOfOrder }, { cookie });
  expect((await order(true)).status).toBe(200);
  expect((await order(false)).status).toBe(200);
  await server.post(
    `/v1/walls/${pupUid}/mechanic`,
    { problem: 'The lamp is dark', why: 'it is night' },
    { cookie },
  );
  await fault({ pupUid, fault: 'offline' });
  const log = async () => {
    const { body } = await reader.get<LogPage>(`/v1/log?${new URLSearchParams({ since })}`);
    return body;
  };
  const ours = await vi.waitUntil(async () => {
    const { atWalls, wallsUnread } = await log();
    expect(wallsUnread).toEqual([]);
    const its = atWalls.filter((each) => each.pupUid === pupUid);
    return its.length >= 4 && its.some(({ words }) => words.includes('Delivered')) && its;
  }, patience);
  expect(ours).toContainEqual(
    expect.objectContaining({
      kind: 'codesSeen',
      by: 'bram',
      lockerName,
      key,
      words: expect.stringMatching(/^Bram saw the codes of locker \S+ of .*\.$/),
    }),
  );
  const orders = ours.filter(({ kind }) => kind === 'outOfOrder');
  expect(orders.map(({ words }) => words)).toEqual([
    expect.stringMatching(/^Bram put locker .* in order again\.$/),
    expect.stringMatching(
      /^Bram took locker .* out of order or put it in order: it was changed again since\.$/,
    ),
  ]);
  expect(ours).toContainEqual(
    expect.objectContaining({
      kind: 'mechanic',
      by: 'bram',
      key: null,
      why: 'it is night',
      words: expect.stringMatching(/asked for a mechanic at .*: The lamp is dark\. Delivered/),
    }),
  );
  const { body } = await reader.get<LogPage>(`/v1/log?${new URLSearchParams({ since, by: 'nobody' })}`);
  expect(body.atWalls).toEqual([]);
  const { taskQueue, variables } = cli();
  const { out } = await run(['log', '--since', '1min'], { taskQueue, variables });
  expect(out).toMatch(/At the walls \(\d+\)\n(.*\n)+.*The lamp is dark/);
});

/** An item in a locker that no case follows. */
async function strayAt(pupUid: string, toUserUid: string): Promise<string> {
  const { people } = installation();
  const request = { ...issueRequest, pupUid, toUserUid, details: { description: 'Laptop 9' } };
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', request);
  const [shipmentUid = ''] = shipmentUids as readonly string[];
  await people.dropOff(shipmentUid);
  return shipmentUid;
}

interface ShipmentAnswer extends Answer, Pick<ShipmentMessagePreview, 'to' | 'text' | 'sent'> {}
const tell = (shipmentUid: string, body: object, query = '', headers = {}, by = shop) =>
  by.post<ShipmentAnswer>(`/v1/shipments/${shipmentUid}/message${query}`, body, headers);
const dry = '?dryRun=true';
const strayOf = async (pupUid: string, user: 'anna' | 'bram' = 'bram') => {
  const cookie = await server.cookieOf(user);
  const answer = await fetch(`${server.address}/api/walls/${pupUid}`, { headers: { cookie } });
  const { offline } = (await answer.json()) as WallView;
  return offline?.strays[0];
};
const toldOf = (pupUid: string, state: string) =>
  vi.waitUntil(async () => {
    const { sent } = (await strayOf(pupUid)) ?? {};
    return sent?.state === state && sent;
  }, patience);

test('whom an item is for that no case follows is told once, and the next person sees it at the wall and in the log', async () => {
  const since = new Date(Date.now() - 1_000).toISOString();
  const pupUid = await newPickUpPoint(1);
  const shipmentUid = await strayAt(pupUid, anna.userUid);
  await fault({ pupUid, fault: 'offline' });
  expect(await strayOf(pupUid)).toMatchObject({ shipmentUid, sent: null });
  const proposal = await tell(shipmentUid, {}, dry);
  expect(proposal).toMatchObject({
    status: 200,
    body: {
      isDone: false,
      to: { userUid: anna.userUid, name: 'Anna Jansen' },
      text: expect.stringMatching(
        /cannot be opened at the moment\. Please do not come for “Laptop 9” yet\. It is still in the locker\.$/,
      ),
      sent: null,
    },
  });
  expect(receiver.requests).toEqual([]);

  const headers = { 'x-on-behalf-of': 'mila', 'idempotency-key': randomUUID() };
  for (let one = 0; one < 2; one++)
    expect(await tell(shipmentUid, { why: 'she called' }, '', headers)).toMatchObject({
      status: 200,
      body: { isDone: true, words: 'the message is on its way', sent: null },
    });
  const { text } = proposal.body;
  const first = await toldOf(pupUid, 'delivered');
  expect(first).toMatchObject({ onBehalfOf: 'mila', why: 'she called', text, to: anna.userUid });
  expect(bodies()).toEqual([{ phone: anna.phoneNumber, dear: 'Anna Jansen', words: text }]);
  expect(await strayOf(pupUid, 'anna')).toMatchObject({ item: null, person: null, sent: null });

  const again = await tell(shipmentUid, {}, dry);
  expect(again.body.sent).toEqual(first);
  expect(again.body.words).toMatch(/; mila by .* has sent one at .*: this is another one$/);
  receiver.reply = textReply(400, 'text/plain', `no such number ${anna.phoneNumber}`);
  expect(await tell(shipmentUid, { text: 'The wall is back.' })).toMatchObject({ status: 200 });
  const second = await toldOf(pupUid, 'refused');
  expect(second).toMatchObject({ text: 'The wall is back.', words: expect.stringMatching(/^Not taken: /) });
  expect(JSON.stringify(second)).not.toContain(anna.phoneNumber);

  const entries = await vi.waitUntil(async () => {
    const { body } = await reader.get<LogPage>(`/v1/log?${new URLSearchParams({ since })}`);
    const its = body.atWalls.filter((each) => each.kind === 'message' && each.pupUid === pupUid);
    return its.length === 2 && its;
  }, patience);
  const sentAbout = 'sent a message about the item in locker';
  expect(entries).toMatchObject([
    { isBad: true, words: expect.stringMatching(`${sentAbout} .*: “The wall is back\\.”.* Not taken: `) },
    {
      isBad: false,
      by: 'mila',
      why: 'she called',
      words: expect.stringMatching(`^Mila ${sentAbout} .* Delivered `),
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Jansen');
});

test('of an item that was left behind it is said that it is still in the locker', async () => {
  const pupUid = await newPickUpPoint(1);
  const shipmentUid = await strayAt(pupUid, anna.userUid);
  await installation().people.cancel(shipmentUid);
  await fault({ pupUid, fault: 'offline' });
  const { body } = await tell(shipmentUid, {}, dry);
  expect(body.text).toMatch(/do not come for “Laptop 9” yet\. It is still in the locker\.$/);
});

test('a message about a shipment is refused where it has a code, a case, another tenant or nothing to say', async () => {
  const pupUid = await newPickUpPoint(3);
  const shipmentUid = await strayAt(pupUid, anna.userUid);
  const { pickUpCode } = await installation().people.call('GetShipmentAccessCode', { shipmentUid });
  const refused = (code: string, status = 409) => ({ status, body: { code } });
  const withCode = { text: `Your code is ${[...String(pickUpCode)].join(' ')}.` };
  for (const query of ['', dry])
    expect(await tell(shipmentUid, withCode, query)).toMatchObject(refused('CodeInMessage'));
  // Its door opens, and nothing is due of it: nobody knows what to tell.
  expect((await tell(shipmentUid, {}, dry)).body.text).toBeNull();
  expect(await tell(shipmentUid, {})).toMatchObject(refused('InvalidRequest', 400));
  expect(await tell(shipmentUid, { text: 'Hello' }, '', {}, reader)).toMatchObject({ status: 403 });

  const { key, shipmentUid: followed } = await loanAt(pupUid, anna.userUid);
  for (const query of ['', dry])
    expect(await tell(followed, { text: 'Hello' }, query)).toMatchObject({
      status: 409,
      body: { code: 'HasCase', detail: expect.stringContaining(key) },
    });

  const unreached = await strayAt(pupUid, await newPerson(null, 'Bo'));
  expect(await tell(unreached, { text: 'Hello' })).toMatchObject(refused('NoAddress'));

  const other = await wallOf(installation().service.address, 'other');
  const [foreign = ''] = await other.book('CreateLocalShipmentAsStock', { pupUid: 'pup-other' });
  for (const uid of [foreign, 'unknown-uid'])
    expect(await tell(uid, { text: 'Hello' })).toMatchObject(refused('InvalidShipment', 404));
  await using without = await newConsoleOf(installation());
  const cookie = await without.cookieOf('bram');
  const answer = await without.post(`/v1/shipments/${shipmentUid}/message`, { text: 'Hello' }, { cookie });
  expect([answer.status, await answer.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'NoConnector' }),
  ]);
  expect(receiver.requests).toEqual([]);
});

test('while a message about a shipment is on its way, another one is refused', async () => {
  const shipmentUid = await strayAt(await newPickUpPoint(1), anna.userUid);
  receiver.reply = textReply(503, 'text/plain', 'closed');
  expect(await tell(shipmentUid, { text: 'The first.' })).toMatchObject({ status: 200 });
  expect(await tell(shipmentUid, { text: 'The second.' })).toMatchObject({
    status: 409,
    body: { code: 'AlreadySent' },
  });
  receiver.reply = taken;
  await vi.waitUntil(async () => {
    const { sent } = (await tell(shipmentUid, { text: 'The third.' }, dry)).body;
    return sent?.state === 'delivered';
  }, patience);
});

test('the command line sends one too', async () => {
  const { key } = await loanAt(await newPickUpPoint(), anna.userUid);
  const { taskQueue, variables } = cli();
  const words = ['message', key, '--text', 'It is ready.', '--by', 'noor', '--why', 'she called'];
  const done = await run(words, { taskQueue, variables });
  expect(done).toMatchObject({ code: 0, out: `${key}: the message is on its way\n` });
  await delivered(key, 'It is ready.');
  const { out } = await run(['show', key, '--history'], { taskQueue });
  expect(out).toContain('“It is ready.”');
  expect(out).toContain('Delivered');
});

/** How the command line reaches this installation. */
function cli() {
  const { taskQueue, service } = installation();
  const variables = {
    LOCKER_API_URL: service.address,
    LOCKER_AUTH_URL: service.address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
  };
  return { taskQueue, variables };
}
