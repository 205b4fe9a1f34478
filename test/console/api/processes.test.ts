// Processes over HTTP with everything real: a loan from its start to its end, commands and the list, by a program that has
// nothing but a token. Those of flow files are in flow-files.test.ts.
import { expect, test, vi } from 'vitest';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { codeOf, keyOf, pathOfProcess, patience, processesOf, useProgram } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const program = useProgram(server, installation);
const { read, until } = processesOf(program);

const issueOf = (key: string, more: object = {}) => ({
  flow: 'Issue',
  key,
  request: issueRequest,
  ...more,
});

const isFollowing = ({ progress }: ShownProcess) => progress?.activity === 'Following';

const uidIn = ({ progress }: ShownProcess, role: string): string =>
  (progress as unknown as { shipments: Record<string, { shipmentUid: string }> }).shipments[role]
    ?.shipmentUid ?? '';

test('a loan is started, waited for to its end, and read', async () => {
  const at = installation();
  const key = keyOf('loan');
  const started = await program().post<ShownProcess>('/v1/processes', issueOf(key));
  expect([started.status, started.headers.get('location')]).toEqual([201, pathOfProcess(key)]);
  const uid = uidIn(await until(key, isFollowing), 'issue');
  const waiting = program().post<ShownProcess>('/v1/processes', issueOf(key), {
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
    cookie: await server().cookieOf('bram'),
    origin: server().address,
    'content-type': 'application/json',
  };
  const waiting = fetch(`${server().address}/v1/processes`, {
    method: 'POST',
    body: JSON.stringify(issueOf(key)),
    headers: { ...headers, prefer: 'wait=5' },
  });
  await expect.poll(async () => (await program().get(pathOfProcess(key))).status).toBe(200);
  await until(key, isFollowing);
  const out = await fetch(`${server().address}/api/sign-out`, { method: 'POST', body: '{}', headers });
  expect(out.status).toBe(200);
  const answer = await waiting;
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'NotSignedIn' }]);
});

test('a key is used once: the same input gives its process, other input is refused', async () => {
  const key = keyOf('order');
  const first = await program().post<ShownProcess>('/v1/processes', issueOf(key));
  const again = await program().post<ShownProcess>('/v1/processes', issueOf(key));
  expect(again.body.runId).toBe(first.body.runId);
  expect([first.status, again.status]).toEqual([201, 200]);
  const other = await program().post('/v1/processes', issueOf(key, { waitForLocker: 'PT1H' }));
  expect(codeOf(other)).toBe('409 BusinessKeyInUse');
  expect(other.headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

test('a late retry of a start that was cancelled books nothing, unless it says so', async () => {
  const key = keyOf('retried');
  const first = await program().post<ShownProcess>('/v1/processes', issueOf(key));
  await until(key, isFollowing);
  await program().post(pathOfProcess(key, '/commands/cancel'), { why: 'withdrawn' });
  await until(key, ({ status }) => status === 'Cancelled');
  const late = await program().post<ShownProcess>('/v1/processes', issueOf(key));
  expect([late.status, late.body.runId, late.body.status]).toEqual([200, first.body.runId, 'Cancelled']);
  const anew = await program().post<ShownProcess>('/v1/processes', { ...issueOf(key), ifEnded: 'restart' });
  expect([anew.status, anew.body.status]).toEqual([201, 'Running']);
  expect(anew.body.runId).not.toBe(first.body.runId);
});

test('a method that a path does not take is 405 and says which it takes, whatever the body', async () => {
  const json = { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${program().token}` };
  const asked = (path: string, method: string, more = {}) =>
    fetch(`${server().address}${path}`, { method, headers: { ...headers, ...more } });
  for (const [path, method, allowed] of [
    ['/v1/processes', 'PUT', 'POST, GET, HEAD'],
    [pathOfProcess('order-1'), 'DELETE', 'GET, HEAD'],
    [pathOfProcess('order-1', '/commands/cancel'), 'GET', 'POST'],
    [pathOfProcess('order-1'), 'POST', 'GET, HEAD'],
  ] as const)
    for (const more of [{}, json]) {
      const answer = await asked(path, method, more);
      expect([path, method, answer.status, answer.headers.get('allow')]).toEqual([
        path,
        method,
        405,
        allowed,
      ]);
      expect(await answer.json()).toMatchObject({ code: 'MethodNotAllowed' });
    }
  expect((await asked('/v1/nothing', 'POST', json)).status).toBe(404);
});

test('wrong input names its fields, and an unknown flow its neighbour', async () => {
  const wrong = await program().post('/v1/processes', { flow: 'Issue', key: keyOf('wrong'), request: {} });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
  expect(wrong.body.errors).toContainEqual({ field: 'request.pupUid', message: expect.any(String) });
  const unknown = await program().post('/v1/processes', { flow: 'Isue', key: keyOf('wrong') });
  expect(codeOf(unknown)).toBe('400 FlowNotPublished');
  const key = keyOf('nothing');
  const nothing = await program().get(pathOfProcess(key));
  expect(codeOf(nothing)).toBe('404 FlowNotFound');
  expect(nothing.body).toMatchObject({ detail: `there is no process ${key}` });
});

test('a command is previewed, done, and kept with who and why', async () => {
  const at = installation();
  const first = keyOf('cancelled');
  await program().post('/v1/processes', issueOf(first));
  await until(first, isFollowing);
  expect(
    codeOf(await program().post(pathOfProcess(first, '/commands/cancel'), { reason: 'withdrawn' })),
  ).toBe('400 InvalidRequest');
  expect(codeOf(await program().post(pathOfProcess(first, '/commands/toString'), {}))).toMatch(/^404 /);
  const dryRun = pathOfProcess(first, '/commands/cancel?dryRun=true');
  const preview = await program().post(dryRun, { why: 'withdrawn' });
  expect(preview.body).toMatchObject({ isDone: false, consequence: { shipments: [{ role: 'issue' }] } });
  const wrongKey = await program().post(dryRun, { why: 'withdrawn' }, { 'idempotency-key': 'two words' });
  expect(codeOf(wrongKey)).toBe('400 InvalidRequest');
  const done = await program().post(pathOfProcess(first, '/commands/cancel'), { why: 'withdrawn' });
  expect(done).toMatchObject({ status: 200, body: { key: first, command: 'cancel', isDone: true } });
  expect(await until(first, ({ status }) => status === 'Cancelled')).toMatchObject({
    failure: { code: 'Cancelled' },
  });
  const late = await program().post(pathOfProcess(first, '/commands/cancel'), { why: 'again' });
  expect(codeOf(late)).toMatch(/^409 /);
  const history = await at.client.workflow.getHandle(first).fetchHistory();
  const reasons = history.events?.map((each) => each.workflowExecutionCancelRequestedEventAttributes?.cause);
  expect(reasons).toContain(JSON.stringify({ by: 'demo-flows (API)', why: 'withdrawn' }));
});

test('the list says where each process stands, page by page', async () => {
  const [one, two] = [keyOf('listed'), keyOf('listed')];
  for (const key of [one, two]) await program().post('/v1/processes', issueOf(key));
  for (const key of [one, two]) await until(key, isFollowing);
  const listed = async (query: string) =>
    (
      await program().get<{ items: { key: string; summary: unknown }[]; next: string | null }>(
        `/v1/processes?${query}`,
      )
    ).body;
  const rows = await vi.waitUntil(async () => {
    const { items } = await listed('find=listed-&size=200');
    return items.length === 2 && items.every(({ summary }) => summary !== null) && items;
  }, patience);
  expect(rows[0]).toMatchObject({
    key: two,
    flow: 'Issue',
    status: 'Running',
    phase: 'Open',
    summary: { states: [{ role: 'issue', state: 'ReadyForDropoff' }] },
  });
  const first = await listed('find=listed-&size=1');
  const second = await listed(`find=listed-&size=1&cursor=${first.next}`);
  expect([first.items[0]?.key, second.items[0]?.key]).toEqual([two, one]);
  // Also where the last page is full.
  expect((await listed('find=listed-&size=2')).next).toBeNull();
  for (const invented of ['y2dKD7', 'eg0', `x${first.next}`])
    expect(codeOf(await program().get(`/v1/processes?cursor=${invented}`))).toBe('400 InvalidRequest');
  expect(codeOf(await program().get('/v1/processes?size=201'))).toBe('400 InvalidRequest');
  expect(codeOf(await program().get('/v1/processes?sort=key'))).toBe('400 InvalidRequest');
});
