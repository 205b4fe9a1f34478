// Flow files over HTTP with everything real: published, started, and asking in their inboxes; by a program that has nothing but a
// token.
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { startedWith } from '../../../client/started-with.ts';
import { issue } from '../../../flows/built-in/flows.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { useConsoleOf } from '../console-world.ts';
import { clientsOf, codeOf, keyOf, pathOfProcess, patience, processesOf, useProgram } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const program = useProgram(server, installation);
const programWith = clientsOf(server, installation);
const { until } = processesOf(program);

test('a copy of a built-in flow is shown and started as that flow', async () => {
  const flow = `Parcel${randomUUID().slice(0, 8)}`;
  const text = JSON.stringify({ ...fileOf(issue), name: flow });
  await program().post('/v1/flows', { files: [{ path: 'parcel.flow.yaml', text }] });
  const shown = async (name: string) => (await program().get<object>(`/v1/flows/${name}`)).body;
  const { result, example, input } = (await shown('Issue')) as Record<string, Record<string, unknown>>;
  expect(await shown(flow)).toMatchObject({
    ...{ result, example: { ...example, flow } },
    input: { properties: input?.properties, $defs: input?.$defs },
  });
  const fieldsOf = async (name: string) =>
    (await program().get<{ fields: unknown[] }>(`/v1/flows/${name}/form`)).body.fields;
  expect(await fieldsOf(flow)).toEqual(await fieldsOf('Issue'));

  const wrong = {
    request: { pupUid: 3 },
    deadlines: { intake: {} },
    onOverdue: 'cancle',
    waitForLocker: 'P',
  };
  const refusal = async (name: string) =>
    (await program().post('/v1/processes', { flow: name, key: keyOf('parcel'), ...wrong })).body;
  const refused = await refusal('Issue');
  expect(refused).toMatchObject({ status: 400, errors: expect.arrayContaining([expect.anything()]) });
  expect(await refusal(flow)).toMatchObject({ errors: (refused as { errors: unknown }).errors });
});

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
  const before = await program().get<Document>('/openapi.json');
  expect(before.body.components.schemas).not.toHaveProperty(`${flow}Start`);
  const published = await program().post('/v1/flows', { files: [{ path: 'desk.flow.yaml', text }] });
  expect(published.body).toEqual({ items: [{ name: flow, version: 1, isNew: true, stay: [] }] });
  const current = await program().post(`/v1/flows/${flow}/current`, { version: 1 });
  expect(current.body).toEqual({ name: flow, version: 1, isNew: false, stay: [] });
  expect(codeOf(await program().post(`/v1/flows/${flow}/current`, { version: 2 }))).toBe(
    '404 VersionUnknown',
  );
  const document = await program().get<Document>('/openapi.json');
  expect(document.body.components.schemas).toHaveProperty(`${flow}Start.properties.request.required`, [
    'item',
  ]);
  expect((await program().get(`/v1/flows/${flow}`)).body).toMatchObject({
    flow,
    version: 1,
    example: null,
  });
  expect((await program().get<{ states: unknown[] }>(`/v1/flows/${flow}/chart`)).body.states).toHaveLength(4);

  const key = keyOf('check');
  expect(codeOf(await program().post('/v1/processes', { flow, key, request: {} }))).toBe(
    '400 InvalidRequest',
  );
  await program().post('/v1/processes', { flow, key, request: { item: 'drill' } });
  await until(
    key,
    ({ progress }) =>
      (progress as { events?: string[] } | null)?.events?.includes('payment.received') ?? false,
  );
  const event = { type: 'payment.received', id: 'payment-1' };
  expect(await program().post(pathOfProcess(key, '/events'), event)).toMatchObject({
    status: 202,
    body: { id: 'payment-1' },
  });

  const where = { [`device-${flow}`]: key };
  const correlated = { type: 'device.ready', where, id: 'scan-1', data: { desk: 'north' } };
  expect(await program().post('/v1/events', correlated)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'where', message: expect.stringContaining('no published flow has the key') }] },
  });
  expect(await program().post('/v1/events', { ...correlated, keepAnyway: true })).toMatchObject({
    status: 202,
    body: { type: 'device.ready', id: 'scan-1', flows: [], processes: 0 },
  });
  for (const wrong of [{ where: {} }, { where: { 'a b': 1 } }, { keepFor: 'P31D' }, { type: 'xstate.done' }])
    expect(codeOf(await program().post('/v1/events', { ...correlated, ...wrong }))).toBe(
      '400 InvalidRequest',
    );

  const clerk = await programWith(`clerk-${inbox}`, `inbox:${inbox}`);
  const asked = await vi.waitUntil(async () => {
    const { body } = await clerk.get<{ items: unknown[] }>(`/v1/inbox?of=${inbox}`);
    return body.items.length === 1 && body.items;
  }, patience);
  expect(asked).toMatchObject([{ key, flow, question: 'check', of: inbox, text: 'Is drill whole?' }]);
  expect(codeOf(await clerk.get('/v1/inbox'))).toBe('403 ScopeMissing');
  expect(codeOf(await clerk.get(pathOfProcess(key)))).toBe('403 ScopeMissing');
  expect(codeOf(await clerk.post('/v1/events', correlated))).toBe('403 ScopeMissing');
  const wrong = await clerk.post(pathOfProcess(key, '/answers'), { values: { state: 'lost' } });
  expect(codeOf(wrong)).toBe('400 InvalidRequest');
  const task = (command: string, by: string, more = {}) =>
    clerk.post(pathOfProcess(key, `/commands/${command}`), more, { 'x-on-behalf-of': by });
  expect((await task('claim', 'Anna')).body).toMatchObject({
    key,
    command: 'claim',
    isDone: true,
    consequence: { question: 'check', of: inbox, holder: `clerk-${inbox} (API)` },
  });
  // For whomever it acts, it is one and the same.
  expect((await task('claim', 'Bram')).body).toMatchObject({
    consequence: { holder: `clerk-${inbox} (API)` },
  });
  const stranger = await programWith(`stranger-${inbox}`, `inbox:not-${inbox}`);
  for (const dry of ['', '?dryRun=true'])
    expect(
      codeOf(await stranger.post(pathOfProcess(key, `/commands/claim${dry}`), { question: 'check' })),
    ).toBe('403 ScopeMissing');
  expect(codeOf(await task('assign', 'Bram'))).toBe('400 InvalidRequest');
  for (const long of [{ to: 'x'.repeat(201) }, { of: 'x'.repeat(81) }])
    expect(codeOf(await task('assign', 'Bram', long))).toBe('400 InvalidRequest');
  expect((await task('assign', 'Anna', { to: 'Bram' })).body).toMatchObject({
    consequence: { holder: 'Bram' },
  });
  const early = await clerk.post(
    pathOfProcess(key, '/answers'),
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
  const first = await clerk.post(pathOfProcess(key, '/answers'), answer, headers);
  expect(first).toMatchObject({ status: 200, body: { question: 'check' } });
  const again = await clerk.post(pathOfProcess(key, '/answers'), answer, headers);
  expect(again).toMatchObject({ status: 200, body: { question: 'check' } });
  const reused = await clerk.post(pathOfProcess(key, '/answers'), { values: { state: 'broken' } }, headers);
  expect(codeOf(reused)).toBe('422 InvalidRequest');
  const { body } = await program().post<ShownProcess>(
    '/v1/processes',
    { flow, key, request: { item: 'drill' } },
    { prefer: 'wait=30' },
  );
  expect(body).toMatchObject({ status: 'Completed', result: { item: 'drill' } });
  const reader = await programWith(`reader-${inbox}`, 'flows:read', `flows:start:${flow}`);
  for (const part of ['', '/details'])
    expect((await reader.get<ShownProcess>(pathOfProcess(key, part))).body).toMatchObject({
      status: 'Completed',
      result: null,
      progress: expect.not.objectContaining({ output: expect.anything() }),
    });
  const asReader = await reader.post<ShownProcess>('/v1/processes', {
    flow,
    key,
    request: { item: 'drill' },
  });
  expect(asReader.body).toMatchObject({ status: 'Completed', result: null });
  const guesser = await programWith(`guesser-${inbox}`, `flows:start:${flow}`);
  const guessed = await guesser.post<ShownProcess>('/v1/processes', {
    flow,
    key,
    request: { item: 'drill' },
  });
  const fields = Object.keys(body).map((field) => [field, null]);
  const barely = { ...Object.fromEntries(fields), key, runId: body.runId, flow, status: 'Completed' };
  expect(guessed.body).toEqual({ ...barely, trying: [] });
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
    key: hers.key,
    status: 'Running',
    startedAt: null,
  });
});

test('an event that does not fit is refused with its field; by business data it is said who listens, and listed', async () => {
  const flow = `Lending${randomUUID().slice(0, 8)}`;
  const device = `device-${flow}`;
  const text = `
name: ${flow}
meaning: A loan that may be extended.
input: { type: object, required: [device], properties: { device: { type: string } } }
correlate: { ${device}: "\${input.device}" }
events:
  extension.wanted: { data: { type: object, required: [days], properties: { days: { type: integer } } } }
context: { days: 0 }
initial: lent
states:
  lent:
    on:
      extension.wanted: { actions: { type: assign, params: { days: "\${event.data.days}" } } }
      device.returned: over
  over: { type: final }
output: "\${context.days}"
`;
  await program().post('/v1/flows', { files: [{ path: 'lending.flow.yaml', text }] });
  const key = keyOf('lending');
  await program().post('/v1/processes', { flow, key, request: { device: key } });
  const read = async () => (await program().get<ShownProcess>(pathOfProcess(key))).body.progress;
  await vi.waitUntil(
    async () => (await read())?.activity === 'Running' && (await read())?.state === 'lent',
    patience,
  );
  const where = { [device]: key };
  const wanted = (days: unknown) => ({ type: 'extension.wanted', data: { days } });
  const refused = (field: string, message: string) => ({
    status: 400,
    body: { errors: [{ field, message: expect.stringContaining(message) }] },
  });
  expect(await program().post(pathOfProcess(key, '/events'), wanted('three'))).toMatchObject(
    refused('data.days', 'must be integer, not "three"'),
  );
  expect(await program().post('/v1/events', { ...wanted('three'), where })).toMatchObject(
    refused('data.days', 'must be integer, not "three"'),
  );
  // An event that it may not have is not kept for later either.
  expect(await program().post('/v1/events', { ...wanted('three'), where, keepAnyway: true })).toMatchObject(
    refused('data.days', 'must be integer, not "three"'),
  );
  expect(await program().post('/v1/events', { type: 'device.retruned', where })).toMatchObject(
    refused('type', 'expected device.returned, perhaps'),
  );
  expect(
    await program().post('/v1/events', { type: 'device.returned', where: { [`${device}x`]: key } }),
  ).toMatchObject(refused('where', `expected ${device}, perhaps`));
  const sent = { ...wanted(3), where, id: 'wish-1' };
  expect(await program().post('/v1/events', sent)).toMatchObject({
    status: 202,
    body: { type: 'extension.wanted', id: 'wish-1', flows: [flow], processes: 1 },
  });
  const nobody = { ...where, [device]: `${key}-2` };
  expect(
    await program().post('/v1/events', {
      type: 'device.returned',
      where: nobody,
      id: 'back-1',
      keepFor: 'PT2S',
    }),
  ).toMatchObject({ status: 202, body: { flows: [flow], processes: 0 } });
  const listed = async (value: string) =>
    (await program().get(`/v1/events?where=${device}%3D${encodeURIComponent(value)}`)).body;
  await vi.waitFor(
    async () =>
      expect(await listed(key)).toMatchObject({
        events: [{ type: 'extension.wanted', id: 'wish-1', where, takenBy: [flow], state: 'waits' }],
        isComplete: true,
      }),
    patience,
  );
  await vi.waitFor(
    async () =>
      expect(await listed(`${key}-2`)).toMatchObject({
        events: [{ type: 'device.returned', id: 'back-1', takenBy: [], state: 'nobodyTook' }],
      }),
    patience,
  );
  // Found by Temporal's list.
  await vi.waitFor(async () => {
    const { body } = await program().get<{ events: { id: string }[] }>('/v1/events?size=200');
    expect(body.events.map(({ id }) => id)).toEqual(expect.arrayContaining(['wish-1', 'back-1']));
  }, patience);
  expect(codeOf(await program().get('/v1/events?where=device'))).toBe('400 InvalidRequest');
  expect(await read()).toMatchObject({ dropped: 0 });
});

test('an event that starts processes needs the right to start each, before anything is sent', async () => {
  const flow = `Repair${randomUUID().slice(0, 8)}`;
  const [type, device] = [`wanted.${flow}`, `device-${flow}`];
  const text = `
name: ${flow}
meaning: Repairs a device.
input: { type: object, properties: { device: { type: string } } }
starts: { ${type}: {} }
initial: wanted
states: { wanted: {} }
`;
  await program().post('/v1/flows', { files: [{ path: 'repair.flow.yaml', text }] });
  const event = { type, id: 'scan-1', where: { [device]: 'a' }, data: { device: 'a' } };
  const decider = await programWith(`decider-${flow}`, 'flows:decide', 'flows:start:Issue');
  expect(await decider.post('/v1/events', event)).toMatchObject({
    status: 403,
    body: { code: 'NotAllowed', detail: expect.stringContaining(`may not start ${flow}`) },
  });
  expect((await program().get(`/v1/events?where=${device}%3Da`)).body).toMatchObject({ events: [] });
  const starter = await programWith(`starter-${flow}`, 'flows:decide', `flows:start:${flow}`);
  expect(await starter.post('/v1/events', event)).toMatchObject({
    status: 202,
    body: { isRepeated: false, started: [{ flow, key: `${flow}.scan-1`, isNew: true }] },
  });
  expect(await starter.post('/v1/events', event)).toMatchObject({
    status: 202,
    body: { isRepeated: true, started: [{ flow, key: `${flow}.scan-1`, isNew: false }] },
  });
  const byClock = (clock: string) =>
    starter.post('/v1/events', { type, id: 'scan-2', data: { device: 'b' }, clock });
  expect(await byClock('lunar')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'clock', message: expect.stringContaining('must be sandbox, not "lunar"') }] },
  });
  expect(await byClock('sandbox')).toMatchObject({ status: 202 });
  expect((await startedWith(installation().client, `${flow}.scan-2`)).input).toMatchObject({
    clock: 'sandbox',
  });
});

test('the chart of a published file that books has its legs, as the chart of a built-in flow', async () => {
  const flow = `Lent${randomUUID().slice(0, 8)}`;
  const text = `
name: ${flow}
meaning: Lends a device.
input: { type: object, required: [place, user], properties: { place: { type: string }, user: { type: string } } }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input: { operation: CreateLocalShipmentAsIssue, request: { pupUid: "\${input.place}", toUserUid: "\${input.user}", allowLargerLockers: true, allowOverflowLockers: false, dimension: { length: 10, width: 10, height: 10 } } }
      onDone: over
      onError: over
  over: { type: final }
`;
  const published = await program().post('/v1/flows', { files: [{ path: 'lent.flow.yaml', text }] });
  expect(published.body).toMatchObject({ items: [{ name: flow }] });
  const pathsOf = async (name: string) => {
    const { body } = await program().get<{ states: { path: string }[] }>(`/v1/flows/${name}/chart`);
    return body.states.map(({ path }) => path);
  };
  expect(await pathsOf(flow)).toContain('lent.issue.ReadyForPickup');
  expect(await pathsOf('Issue')).toContain('following.issue.ReadyForPickup');
  expect(await pathsOf('OnboardAccount')).toContain('finding');
  expect((await program().get(`/v1/flows/${flow}x/chart`)).status).toBe(404);
});

test('the open processes of every built-in flow are counted by its versions', async () => {
  const open = expect.any(Number);
  for (const flow of ['Issue', 'OnboardAccount']) {
    const { body } = await program().get<object>(`/v1/flows/${flow}/status`);
    // One of another file may begin just now, and has no version yet.
    const first = { definition: `${flow}@1`, version: 1, open };
    expect(body).toMatchObject({ flow, versions: expect.arrayContaining([expect.objectContaining(first)]) });
  }
});

test('a process that cannot take its first step says where in its file the fault is', async () => {
  const flow = `Faulty${randomUUID().slice(0, 8)}`;
  const text = `
name: ${flow}
meaning: Asks for what it has not been given.
context: { first: "\${input.none}" }
initial: waiting
states: { waiting: { on: { go: over } }, over: { type: final } }
`;
  await program().post('/v1/flows', { files: [{ path: 'faulty.flow.yaml', text }] });
  const key = keyOf('faulty');
  await program().post('/v1/processes', { flow, key, request: {} });
  await until(key, ({ status }) => status === 'Failed');
  expect((await program().get(pathOfProcess(key, '/details'))).body).toMatchObject({
    failure: {
      code: 'ExpressionFailed',
      fault: {
        path: 'context.first',
        expression: expect.stringContaining('input.none'),
        reason: 'No such key: none',
      },
    },
    overview: {
      wrong: ['A rule of its flow has a mistake.'],
      technical: [expect.stringContaining('No such key: none')],
    },
  });
});

interface Document {
  readonly components: { readonly schemas: Record<string, unknown> };
}
