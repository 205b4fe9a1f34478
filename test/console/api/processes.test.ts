// Processes over HTTP with everything real: a loan and a flow file with a question, from their starts to their ends, by a
// program that has nothing but a token.
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { FlowFileProgress } from '../../../client/flow-files/flow-file-handle.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { isLongSuite } from '../../support/suite.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { codeOf, demoToken, newClientToken, type Program, programOf } from './program.ts';

const installation = useInstallation(ourService);
let server: TestConsole;
let program: Program;
beforeAll(async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  server = await newConsoleOf(installation());
  program = programOf(server.address, await demoToken(installation().service.address));
});
afterAll(() => server?.[Symbol.asyncDispose]());

const patience = { timeout: 60_000, interval: 50 };
const keyOf = (kind: string) => `${kind}-${randomUUID()}`;
const path = (key: string, more = '') => `/v1/processes/${encodeURIComponent(key)}${more}`;

const issueOf = (key: string, more: object = {}) => ({
  ...{ flow: 'Issue', key },
  request: {
    ...{ pupUid: 'pup-central', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
    ...{ allowLargerLockers: true, allowOverflowLockers: true },
  },
  ...more,
});

async function read(key: string): Promise<ShownProcess> {
  const { status, body } = await program.get<ShownProcess>(path(key));
  expect(status).toBe(200);
  return body;
}

const until = (key: string, holds: (shown: ShownProcess) => boolean) =>
  vi.waitUntil(async () => {
    const shown = await read(key);
    return holds(shown) && shown;
  }, patience);

const isFollowing = ({ progress }: ShownProcess) =>
  (progress as { activity?: string } | null)?.activity === 'Following';

const uidIn = ({ progress }: ShownProcess, role: string): string =>
  (progress as { shipments: Record<string, { shipmentUid: string }> }).shipments[role]?.shipmentUid ?? '';

test('a loan is started, waited for to its end, and read', async () => {
  const at = installation();
  const key = keyOf('loan');
  const started = await program.post<ShownProcess>('/v1/processes', issueOf(key));
  expect([started.status, started.headers.get('location')]).toEqual([200, path(key)]);
  const uid = uidIn(await until(key, isFollowing), 'issue');
  const waiting = program.post<ShownProcess>('/v1/processes', issueOf(key), {
    prefer: 'respond-async, wait=60',
  });
  await at.people.dropOff(uid);
  await at.people.pickUp(uid);
  const { status, headers, body } = await waiting;
  expect([status, headers.get('preference-applied'), body.status]).toEqual([200, 'wait=60', 'Completed']);
  expect(body.result).toMatchObject({ outcome: 'Done', shipments: { issue: { stateCode: 'Completed' } } });
  expect(await read(key)).toMatchObject({ key, flow: 'Issue', status: 'Completed', failure: null });
});

test('who signs out while a start waits does not read what came of it', async () => {
  const key = keyOf('left');
  const headers = {
    ...{ cookie: await server.cookieOf('bram'), origin: server.address },
    'content-type': 'application/json',
  };
  const waiting = fetch(`${server.address}/v1/processes`, {
    ...{ method: 'POST', body: JSON.stringify(issueOf(key)) },
    headers: { ...headers, prefer: 'wait=5' },
  });
  await until(key, isFollowing);
  const out = await fetch(`${server.address}/api/sign-out`, { method: 'POST', body: '{}', headers });
  expect(out.status).toBe(200);
  const answer = await waiting;
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'NotSignedIn' }]);
});

test('a key is used once: the same input gives its process, other input is refused', async () => {
  const key = keyOf('order');
  const first = await program.post<ShownProcess>('/v1/processes', issueOf(key));
  const again = await program.post<ShownProcess>('/v1/processes', issueOf(key));
  expect(again.body.runId).toBe(first.body.runId);
  const other = await program.post('/v1/processes', issueOf(key, { waitForLocker: 'PT1H' }));
  expect(codeOf(other)).toBe('409 BusinessKeyInUse');
  expect(other.headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

test('wrong input names its fields, and an unknown flow its neighbour', async () => {
  const wrong = await program.post('/v1/processes', { flow: 'Issue', key: keyOf('wrong'), request: {} });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
  expect(wrong.body.errors).toContainEqual({ field: 'request.pupUid', message: expect.any(String) });
  const unknown = await program.post('/v1/processes', { flow: 'Isue', key: keyOf('wrong') });
  expect(codeOf(unknown)).toBe('400 FlowNotPublished');
  expect(codeOf(await program.get(path(keyOf('nothing'))))).toBe('404 FlowNotFound');
});

const handout = (flow: string, more = '') => `
name: ${flow}
meaning: Hands something out.
input: { type: object, required: [item], additionalProperties: false, properties: { item: { type: string }, pieces: { type: integer } } }
result: { type: object, required: [item], properties: { item: { type: string } } }
${more}
initial: waiting
states: { waiting: { on: { over: over } }, over: { type: final } }
output: { item: "\${input.item}" }
`;

test('rows are started at a rate, under keys that are made of them, and nothing twice', async () => {
  const flow = `Handout${randomUUID().slice(0, 8)}`;
  const published = await program.post('/v1/flows', { files: [{ path: 'handout', text: handout(flow) }] });
  expect(published.status).toBe(200);
  const rows = [{ item: 'drill', pieces: '2' }, { item: 'saw' }, { item: 'hammer', pieces: 'many' }];
  const asked = { flow, key: `${flow}-{item}`, rows };
  const ended = async (body: object) => {
    const { status, headers } = await program.post('/v1/bulk/starts', body);
    expect(status).toBe(202);
    return await vi.waitUntil(async () => {
      const bulk = await program.get<{ state: string }>(headers.get('location') ?? '');
      return bulk.body.state === 'Done' && bulk.body;
    }, patience);
  };
  const refused = { key: `${flow}-hammer`, refusal: { code: 'InvalidRequest', message: expect.any(String) } };
  const dry = { command: 'start', dryRun: true, total: 3, done: 3, refused: 1 };
  expect(await ended({ ...asked, dryRun: true })).toMatchObject(dry);
  expect(codeOf(await program.get(path(`${flow}-drill`)))).toBe('404 FlowNotFound');
  const first = await ended(asked);
  expect(first).toMatchObject({ dryRun: false, done: 3, refused: 1 });
  expect((first as unknown as { outcomes: object[] }).outcomes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        key: `${flow}-drill`,
        isDone: true,
        words: `${flow} ${flow}-drill is started`,
      }),
      expect.objectContaining(refused),
    ]),
  );
  const { runId } = await read(`${flow}-drill`);
  expect(await ended(asked)).toMatchObject({ done: 3, refused: 1 });
  expect((await read(`${flow}-drill`)).runId).toBe(runId);
  const same = await program.post('/v1/bulk/starts', { ...asked, key: 'handout' });
  expect(same).toMatchObject({ status: 400, body: { errors: [{ field: 'key' }] } });
  expect(same.body.detail).toContain('would be the same for every row');
  const twice = await program.post('/v1/bulk/starts', { ...asked, rows: [rows[0], rows[0]] });
  expect(twice.body.detail).toContain('row 1 and row 2 have the same key');
  const only = await newClientToken(
    installation().service,
    `starter-${flow}`,
    'flows:read',
    'flows:start:Issue',
  );
  const other = programOf(server.address, only);
  expect(codeOf(await other.post('/v1/bulk/starts', asked))).toBe('403 ScopeMissing');
});

test.runIf(isLongSuite)(
  'a schedule of a flow file is read, run now, paused and resumed, by those who may',
  async () => {
    const flow = `Weekly${randomUUID().slice(0, 8)}`;
    const schedules =
      'schedules: { weekly: { cron: "0 8 * * MON", zone: Europe/Amsterdam, request: { item: report } } }';
    await program.post('/v1/flows', { files: [{ path: 'weekly', text: handout(flow, schedules) }] });
    const of = `/v1/schedules?flow=${flow}`;
    const listed = async () =>
      (
        await program.get<{
          items: { isPaused: boolean; note: string; next: string[]; last: { key: string }[] }[];
        }>(of)
      ).body.items[0];
    const there = await vi.waitUntil(listed, patience);
    expect(there).toMatchObject({
      ...{ name: `${flow}/weekly`, flow, cron: '0 8 * * MON', zone: 'Europe/Amsterdam', isPaused: false },
    });
    expect(there.next).toHaveLength(5);
    const act = (name: string, body: object = { why: 'a test' }, by = program) =>
      by.post(`/v1/schedules/${flow}/${name}`, body);
    expect((await act('weekly/run')).status).toBe(200);
    const { last } = await vi.waitUntil(async () => {
      const found = await listed();
      return found && found.last.length > 0 && found;
    }, patience);
    expect(await read(last[0]?.key ?? '')).toMatchObject({ flow, status: 'Running' });
    const paused = await act('weekly/pause', { why: 'the desk is closed' });
    expect(paused.body).toMatchObject({
      isPaused: true,
      next: [],
      note: expect.stringMatching(/: the desk is closed$/),
    });
    expect((await act('weekly/resume')).body).toMatchObject({ isPaused: false });
    expect(codeOf(await act('wekly/pause'))).toBe('404 ScheduleNotFound');
    expect(codeOf(await act('weekly/pause', {}))).toBe('400 InvalidRequest');
    const starter = await newClientToken(installation().service, `runner-${flow}`, `flows:start:${flow}`);
    const only = programOf(server.address, starter);
    expect((await act('weekly/run', { why: 'a test' }, only)).status).toBe(200);
    expect(codeOf(await act('weekly/pause', { why: 'a test' }, only))).toBe('403 ScopeMissing');
  },
);
test('a lock has a holder and those who wait for it, for whoever may read processes', async () => {
  const flow = `Printing${randomUUID().slice(0, 8)}`;
  const lock = `printer ${randomUUID()}`;
  const text = `
name: ${flow}
meaning: Prints a label.
initial: printing
states:
  printing:
    invoke: { id: printer, src: lock, input: { key: ${lock} } }
    on: { printed: over }
  over: { type: final }
`;
  const files = [{ path: 'printing.flow.yaml', text }];
  expect((await program.post('/v1/flows', { files })).status).toBe(200);
  const [first, second] = [keyOf('first'), keyOf('second')];
  const locks = async () =>
    (await program.get<Locks>(`/v1/locks?key=${encodeURIComponent(lock)}`)).body.items;
  for (const [index, key] of [first, second].entries()) {
    await program.post('/v1/processes', { flow, key });
    await vi.waitUntil(async () => {
      const [queue] = await locks();
      return (queue?.holders.length ?? 0) + (queue?.waitingCount ?? 0) === index + 1;
    }, patience);
  }
  expect(await locks()).toMatchObject([
    {
      src: 'lock',
      key: lock,
      holders: [{ process: first, invoke: 'printer' }],
      waiting: [{ process: second }],
    },
  ]);
  const all = await program.get<Locks>('/v1/locks');
  expect(all.status).toBe(200);
  for (const key of [first, second]) await program.post(path(key, '/events'), { type: 'printed' });
  await vi.waitUntil(async () => (await locks()).length === 0, patience);
});

interface Locks {
  readonly items: readonly {
    readonly key: string;
    readonly holders: readonly object[];
    readonly waitingCount: number;
  }[];
}

test('a flow file is published, asks in its inbox, takes an event and an answer, and ends', async () => {
  const at = installation();
  const flow = `DeskCheck${randomUUID().slice(0, 8)}`;
  const inbox = `desk-${randomUUID().slice(0, 8)}`;
  const text = `
name: ${flow}
meaning: The desk checks a device that was paid for.
input: { type: object, required: [item], properties: { item: { type: string } }, additionalProperties: false }
initial: waiting
states:
  waiting: { on: { payment.received: checking } }
  checking:
    invoke:
      id: check
      src: ask
      input: { of: ${inbox}, question: "Is \${input.item} whole?", fields: { state: { choice: [whole, broken] } } }
      onDone: { target: over }
  over: { type: final }
output: { item: "\${input.item}" }
`;
  const before = await program.get<Document>('/openapi.json');
  expect(before.body.components.schemas).not.toHaveProperty(`${flow}Start`);
  const published = await program.post('/v1/flows', { files: [{ path: 'desk.flow.yaml', text }] });
  expect(published.body).toEqual({ items: [{ name: flow, version: 1, isNew: true, stay: [] }] });
  const document = await program.get<Document>('/openapi.json');
  expect(document.body.components.schemas).toHaveProperty(`${flow}Start.properties.request.required`, [
    'item',
  ]);
  expect((await program.get(`/v1/flows/${flow}`)).body).toMatchObject({
    flow,
    version: 1,
    example: { flow, request: { item: 'text' } },
  });
  expect((await program.get<{ states: unknown[] }>(`/v1/flows/${flow}/chart`)).body.states).toHaveLength(4);

  const key = keyOf('check');
  expect(codeOf(await program.post('/v1/processes', { flow, key, request: {} }))).toBe('400 InvalidRequest');
  await program.post('/v1/processes', { flow, key, request: { item: 'drill' } });
  await until(
    key,
    ({ progress }) =>
      (progress as { events?: string[] } | null)?.events?.includes('payment.received') ?? false,
  );
  const event = { type: 'payment.received', id: 'payment-1' };
  expect(await program.post(path(key, '/events'), event)).toMatchObject({
    status: 202,
    body: { id: 'payment-1' },
  });

  const correlated = { type: 'device.ready', where: { device: key }, id: 'scan-1', data: { desk: 'north' } };
  expect(await program.post('/v1/events', correlated)).toMatchObject({
    status: 202,
    body: { type: 'device.ready', id: 'scan-1' },
  });
  for (const wrong of [{ where: {} }, { where: { 'a b': 1 } }, { keepFor: 'P31D' }, { type: 'xstate.done' }])
    expect(codeOf(await program.post('/v1/events', { ...correlated, ...wrong }))).toBe('400 InvalidRequest');

  const clerk = programOf(
    server.address,
    await newClientToken(at.service, `clerk-${inbox}`, `inbox:${inbox}`),
  );
  const asked = await vi.waitUntil(async () => {
    const { body } = await clerk.get<{ items: unknown[] }>(`/v1/inbox?of=${inbox}`);
    return body.items.length === 1 && body.items;
  }, patience);
  expect(asked).toMatchObject([{ key, flow, question: 'check', of: inbox, text: 'Is drill whole?' }]);
  expect(codeOf(await clerk.get('/v1/inbox'))).toBe('403 ScopeMissing');
  expect(codeOf(await clerk.get(path(key)))).toBe('403 ScopeMissing');
  expect(codeOf(await clerk.post('/v1/events', correlated))).toBe('403 ScopeMissing');
  const wrong = await clerk.post(path(key, '/answers'), { values: { state: 'lost' } });
  expect(codeOf(wrong)).toBe('400 InvalidRequest');
  const task = (command: string, by: string, more = {}) =>
    clerk.post(path(key, `/commands/${command}`), more, { 'x-on-behalf-of': by });
  expect((await task('claim', 'Anna')).body).toMatchObject({
    ...{ key, command: 'claim', isDone: true },
    consequence: { question: 'check', of: inbox, holder: `clerk-${inbox} (API)` },
  });
  // For whomever it acts, it is one and the same.
  expect((await task('claim', 'Bram')).body).toMatchObject({
    consequence: { holder: `clerk-${inbox} (API)` },
  });
  expect(codeOf(await task('assign', 'Bram'))).toBe('400 InvalidRequest');
  expect((await task('assign', 'Anna', { to: 'Bram' })).body).toMatchObject({
    consequence: { holder: 'Bram' },
  });
  const early = await clerk.post(
    path(key, '/answers'),
    { values: { state: 'whole' } },
    { 'x-on-behalf-of': 'Bram' },
  );
  expect(codeOf(early)).toBe('409 HeldByAnother');
  expect((await clerk.get(`/v1/inbox?of=${inbox}&holder=Bram`)).body).toMatchObject({
    items: [{ priority: 50, due: null }],
  });
  expect((await clerk.get(`/v1/inbox?of=${inbox}&holder=Anna`)).body).toMatchObject({ items: [] });
  expect(codeOf(await task('release', 'Bram'))).toBe('409 HeldByAnother');
  expect((await task('assign', 'Anna', { to: `clerk-${inbox} (API)` })).body).toMatchObject({
    consequence: { holder: `clerk-${inbox} (API)` },
  });
  expect((await task('release', 'Anna')).body).toMatchObject({ consequence: { holder: null } });
  const headers = { 'idempotency-key': randomUUID(), 'x-on-behalf-of': 'Bram' };
  const answer = { question: 'check', values: { state: 'whole' } };
  const first = await clerk.post(path(key, '/answers'), answer, headers);
  expect(first).toMatchObject({ status: 200, body: { question: 'check' } });
  const again = await clerk.post(path(key, '/answers'), answer, headers);
  expect(again).toMatchObject({ status: 200, body: { question: 'check' } });
  const reused = await clerk.post(path(key, '/answers'), { values: { state: 'broken' } }, headers);
  expect(codeOf(reused)).toBe('422 InvalidRequest');
  const { body } = await program.post<ShownProcess>(
    '/v1/processes',
    { flow, key, request: { item: 'drill' } },
    { prefer: 'wait=30' },
  );
  expect(body).toMatchObject({ status: 'Completed', result: { item: 'drill' } });
  const reader = programOf(
    server.address,
    await newClientToken(at.service, `reader-${inbox}`, 'flows:read', `flows:start:${flow}`, 'flows:publish'),
  );
  for (const of of ['', '/details'])
    expect((await reader.get<ShownProcess>(path(key, of))).body).toMatchObject({
      ...{
        status: 'Completed',
        result: null,
        progress: expect.not.objectContaining({ output: expect.anything() }),
      },
    });
  const asReader = await reader.post<ShownProcess>('/v1/processes', {
    flow,
    key,
    request: { item: 'drill' },
  });
  expect(asReader.body).toMatchObject({ status: 'Completed', result: null });
  const guesser = programOf(
    server.address,
    await newClientToken(at.service, `guesser-${inbox}`, `flows:start:${flow}`),
  );
  const guessed = await guesser.post<ShownProcess>('/v1/processes', {
    flow,
    key,
    request: { item: 'drill' },
  });
  expect(guessed.body).toEqual({
    ...{ key, runId: body.runId, flow, status: 'Completed', trying: [] },
    ...{ startedAt: null, closedAt: null, progress: null, unanswered: null, actions: null },
    ...{ result: null, failure: null },
  });
  // Of what it has started itself it reads all, for whomever it acts.
  const own = { flow, key: keyOf('own'), request: { item: 'drill' } };
  await guesser.post('/v1/processes', own, { 'x-on-behalf-of': 'Anna' });
  const seenAgain = await guesser.post<ShownProcess>('/v1/processes', own);
  expect(seenAgain.body).toMatchObject({ status: 'Running', startedAt: expect.any(String) });
  // What a person has started by the same client is hers.
  const hers = { ...own, key: keyOf('hers') };
  const identity = `anna by guesser-${inbox} (API)`;
  const asPerson = new Client({ connection: at.client.connection, identity });
  await new LockerFlows(asPerson, { taskQueue: at.taskQueue }).startPublished(flow, hers.key, {
    request: hers.request,
  });
  expect((await guesser.post<ShownProcess>('/v1/processes', hers)).body).toMatchObject({
    ...{ key: hers.key, status: 'Running' },
    startedAt: null,
  });
  const scheduled = text.replace(
    'initial: waiting',
    'schedules: { daily: { cron: "0 8 * * *", request: { item: drill } } }\ninitial: waiting',
  );
  const files = (name: string) => ({
    files: [{ path: 'a.flow.yaml', text: scheduled.replace(`name: ${flow}`, `name: ${name}`) }],
  });
  expect(codeOf(await reader.post('/v1/flows', files(`Other${flow}`)))).toBe('403 NotAllowed');
  const history = await at.client.workflow.getHandle(key).fetchHistory();
  const kept = JSON.stringify(history.events?.map((each) => decoded(each)));
  expect(kept).toContain(`Bram by clerk-${inbox} (API)`);
  const told = [...kept.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) => Buffer.from(data, 'base64'));
  expect(told.join('\n')).toContain(`"by":"clerk-${inbox} (API)","onBehalfOf":"Bram"`);
});

test('a stream has the process at once, after each change, and its end', async () => {
  const at = installation();
  const key = keyOf('followed');
  await program.post('/v1/processes', issueOf(key));
  const stream = await fetch(server.address + path(key, '/stream'), {
    headers: { authorization: `Bearer ${program.token}` },
  });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const ended = told(stream);
  const uid = uidIn(await until(key, isFollowing), 'issue');
  await at.people.dropOff(uid);
  await at.people.pickUp(uid);
  const events = await ended;
  expect(events.at(-1)).toEqual({ event: 'ended', data: {} });
  expect(events.at(-2)).toMatchObject({ event: 'process', data: { key, status: 'Completed' } });
  expect(events[0]).toMatchObject({ event: 'process', data: { key, status: 'Running' } });
});

test('a command is foreseen, done, and kept with who and why; a bulk does it to many', async () => {
  const at = installation();
  const keys = [keyOf('bulk'), keyOf('bulk'), keyOf('bulk')];
  for (const key of keys) await program.post('/v1/processes', issueOf(key));
  for (const key of keys) await until(key, isFollowing);
  const [first = '', ...others] = keys;
  expect(codeOf(await program.post(path(first, '/commands/cancel'), { reason: 'withdrawn' }))).toBe(
    '400 InvalidRequest',
  );
  const done = await program.post(path(first, '/commands/cancel'), { why: 'withdrawn' });
  expect(done).toMatchObject({ status: 200, body: { key: first, command: 'cancel', isDone: true } });
  expect(await until(first, ({ status }) => status === 'Cancelled')).toMatchObject({
    failure: { code: 'Cancelled' },
  });
  const late = await program.post(path(first, '/commands/cancel'), { why: 'again' });
  expect(codeOf(late)).toMatch(/^409 /);
  const history = await at.client.workflow.getHandle(first).fetchHistory();
  const reasons = history.events?.map((each) => each.workflowExecutionCancelRequestedEventAttributes?.cause);
  expect(reasons).toContain(JSON.stringify({ by: 'demo-flows (API)', why: 'withdrawn' }));

  const fields = { role: 'issue', stage: 'pickUp', fromNow: 'P2D' };
  const asked = { command: 'extend', processes: { keys: [...others, first] }, fields };
  const once = { 'idempotency-key': keyOf('once') };
  const bulk = await program.post<{ id: string }>('/v1/bulk', asked, once);
  expect([bulk.status, bulk.headers.get('location')]).toEqual([202, `/v1/bulk/${bulk.body.id}`]);
  const over = await vi.waitUntil(async () => {
    const { body } = await program.get<{ state: string }>(`/v1/bulk/${bulk.body.id}`);
    return body.state === 'Done' && body;
  }, patience);
  expect(over).toMatchObject({ total: 3, done: 3, refused: 1, by: 'demo-flows (API)' });
  const again = await program.post<{ id: string }>('/v1/bulk', asked, once);
  expect(again).toMatchObject({ status: 202, body: { id: bulk.body.id, done: 3 } });
  const stranger = programOf(
    server.address,
    await newClientToken(at.service, keyOf('other'), 'flows:decide'),
  );
  expect(codeOf(await stranger.get(`/v1/bulk/${bulk.body.id}`))).toBe('404 NotFound');
});

test('a timer of a flow file is extended by its id, and foreseen', async () => {
  const flow = `Waiting${randomUUID().slice(0, 8)}`;
  const text = `
name: ${flow}
meaning: Waits for two days.
initial: waiting
states:
  waiting: { after: { P2D: over } }
  over: { type: final }
`;
  await program.post('/v1/flows', { files: [{ path: 'waiting.flow.yaml', text }] });
  const key = keyOf('waiting');
  await program.post('/v1/processes', { flow, key });
  const waitIn = ({ progress }: ShownProcess) =>
    (progress as Pick<FlowFileProgress, 'awaits'> | null)?.awaits.find(({ kind }) => kind === 'time');
  const { id: timer } = waitIn(await until(key, (shown) => waitIn(shown) !== undefined)) ?? {};
  const end = '2131-05-01T12:00:00.000Z';
  const extend = (fields: object, more = '') => program.post(path(key, `/commands/extend${more}`), fields);
  const foreseen = await extend({ timer, until: end }, '?dryRun=true');
  expect(foreseen.body).toMatchObject({ isDone: false, consequence: { deadlines: [{ timer, until: end }] } });
  const at = path(key, '/commands/extend?dryRun=true');
  const wrongKey = await program.post(at, { timer, until: end }, { 'idempotency-key': 'two words' });
  expect(codeOf(wrongKey)).toBe('400 InvalidRequest');
  expect((await extend({ timer, until: end })).body).toMatchObject({
    isDone: true,
    consequence: { timer, role: null, until: end },
  });
  expect(waitIn(await read(key))?.until).toBe(end);
  expect(codeOf(await extend({ timer: 'lunch', fromNow: 'P1D' }))).toMatch(/^409 /);
  for (const wrong of [{ timer, role: 'issue' }, { role: 'issue' }, {}])
    expect(codeOf(await extend({ ...wrong, fromNow: 'P1D' }))).toBe('400 InvalidRequest');
});

test('a bulk goes at its rate, is stopped, and is refused where nothing could come of it', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => keyOf(`nobody-${index}`));
  const begun = await program.post<Bulk>('/v1/bulk', {
    ...{ command: 'cancel', processes: { keys }, fields: { why: 'withdrawn' }, perSecond: 1 },
  });
  const at = `/v1/bulk/${begun.body.id}`;
  await vi.waitUntil(async () => (await program.get<Bulk>(at)).body.done > 0, patience);
  await program.post(`${at}/stop`, {});
  const { body } = await vi.waitUntil(async () => {
    const read = await program.get<Bulk>(at);
    return read.body.state !== 'Running' && read;
  }, patience);
  expect(body).toMatchObject({ state: 'Stopped', total: 100, perSecond: 1 });
  expect(body.done).toBeLessThan(100);
  expect(body.outcomes[0]).toMatchObject({ isDone: false, refusal: { code: 'FlowNotFound' } });

  const wrong = async (body: object) => {
    const answer = await program.post('/v1/bulk', { processes: { keys: ['order-1'] }, ...body });
    return [codeOf(answer), answer.body.errors];
  };
  expect(await wrong({ command: 'extend', fields: { role: 'issue', stage: 'pickUp' } })).toEqual([
    '400 InvalidRequest',
    [{ field: 'fromNow', message: 'is missing: expected one of fromNow, until' }],
  ]);
  expect(await wrong({ command: 'giveUp' })).toMatchObject(['400 InvalidRequest', [{ field: 'fields.why' }]]);
  expect(await wrong({ command: 'cancel', perSecond: 201 })).toMatchObject(['400 InvalidRequest', [{}]]);
});

interface Bulk {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly outcomes: readonly object[];
}

test('the list says where each process stands, page by page', async () => {
  const [one, two] = [keyOf('listed'), keyOf('listed')];
  for (const key of [one, two]) await program.post('/v1/processes', issueOf(key));
  for (const key of [one, two]) await until(key, isFollowing);
  const listed = async (query: string) =>
    (
      await program.get<{ items: { key: string; summary: unknown }[]; next: string | null }>(
        `/v1/processes?${query}`,
      )
    ).body;
  const rows = await vi.waitUntil(async () => {
    const { items } = await listed('find=listed-&size=200');
    return items.length === 2 && items.every(({ summary }) => summary !== null) && items;
  }, patience);
  expect(rows[0]).toMatchObject({
    ...{ key: two, flow: 'Issue', status: 'Running', phase: 'Open' },
    summary: { states: [{ role: 'issue', state: 'ReadyForDropoff' }] },
  });
  const first = await listed('find=listed-&size=1');
  const second = await listed(`find=listed-&size=1&cursor=${first.next}`);
  expect([first.items[0]?.key, second.items[0]?.key]).toEqual([two, one]);
  for (const invented of ['y2dKD7', 'eg0', `x${first.next}`])
    expect(codeOf(await program.get(`/v1/processes?cursor=${invented}`))).toBe('400 InvalidRequest');
  expect(codeOf(await program.get('/v1/processes?size=201'))).toBe('400 InvalidRequest');
  expect(codeOf(await program.get('/v1/processes?sort=key'))).toBe('400 InvalidRequest');
});

interface Document {
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Payloads are bytes in a history. */
const decoded = (event: object): unknown =>
  JSON.parse(
    JSON.stringify(event, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Uint8Array
        ? new TextDecoder().decode(value.data)
        : value,
    ),
  );

async function told(stream: Response): Promise<{ event: string; data: unknown }[]> {
  const text = await stream.text();
  return text
    .split('\n\n')
    .filter((each) => each.startsWith('event: '))
    .map((each) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(each) ?? [];
      return { event, data: JSON.parse(data) as unknown };
    });
}
