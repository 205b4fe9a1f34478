// A process that has ended without a result, started again over HTTP and by the command line: with its input, at another place, or
// not at all, and then why.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { OutcomesView } from '../../../processes/batches/read-outcomes.ts';
import type { CaseHistory } from '../../../processes/views/case-history.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { clientsOf, codeOf, keyOf, type Program, pathOfProcess, processesOf } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const shop = `shop-${randomUUID().slice(0, 8)}`;
const full = `full-${randomUUID().slice(0, 8)}`;
const empty = `empty-${randomUUID().slice(0, 8)}`;

let program: Program;
let other: Program;
let starter: Program;
let reader: Program;
beforeAll(async () => {
  const { people } = installation();
  await people.newPickUpPoint(full, 1);
  await people.newPickUpPoint(empty, 30);
  await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid: full });
  const clients = clientsOf(server, installation);
  program = await clients(shop, 'flows:read', 'flows:decide', 'flows:start');
  other = await clients(`${shop}-other`, 'flows:read', 'flows:decide', 'flows:start:Intake');
  starter = await clients(`${shop}-starter`, 'flows:start');
  reader = await clients(`${shop}-reader`, 'flows:read');
});

const { until } = processesOf(() => program);
const startAgain = (key: string, body: object, by = program, more = '') =>
  by.post(pathOfProcess(key, `/commands/startAgain${more}`), body);
const preview = (key: string, body: object) => startAgain(key, body, program, '?dryRun=true');
const why = 'the wall was full';
const elsewhere = { request: { pupUid: empty } };

/** A start that found no locker. */
async function failed(flow = 'Issue', key = keyOf('again')): Promise<string> {
  const request = { ...issueRequest, pupUid: full };
  await program.post('/v1/processes', { flow, key, request, deadlines: { issue: { pickUp: 'P3D' } } });
  await until(key, ({ status }) => status === 'Failed');
  return key;
}
const isBooked = (key: string) =>
  until(key, ({ progress }) => progress?.bookings.some(({ shipments }) => shipments.issue) ?? false);
const shipmentsAt = async (pupUid: string, key: string) =>
  (await installation().people.shipmentsAt(pupUid)).filter((each) => each.referenceCaseNo === key);

test('one that was started with a text has no input to begin again with', async () => {
  const { client, taskQueue } = installation();
  const key = keyOf('text');
  await client.workflow.start('Issue', { workflowId: key, taskQueue, args: ['hello'] });
  await until(key, ({ status }) => status === 'Failed');
  expect((await preview(key, { why })).body).toMatchObject({
    refusal: {
      code: 'InputGone',
      message: `the input of ${key} is not an object: start it with one that is`,
    },
  });
});

test('a start that found no locker is started again at another wall, with the rest as it was', async () => {
  const key = await failed();
  const would = await preview(key, { change: elsewhere, why });
  expect(would.body).toMatchObject({
    isDone: false,
    refusal: null,
    consequence: {
      flow: 'Issue',
      key,
      input: { request: { ...issueRequest, pupUid: empty }, deadlines: { issue: { pickUp: 'P3D' } } },
      changes: [{ field: 'request.pupUid', from: full, to: empty }],
    },
    words: `Delivery starts again as ${key}, with the input that it had, but with pick up point ${empty} in place of ${full}`,
  });
  const before = await until(key, () => true);
  expect(before.status).toBe('Failed');

  const done = await startAgain(key, { change: elsewhere, why });
  expect(done).toMatchObject({ status: 200, body: { isDone: true, consequence: { flow: 'Issue', key } } });
  await isBooked(key);
  expect(await shipmentsAt(empty, key)).toHaveLength(1);
  const { body } = await program.get<CaseHistory>(pathOfProcess(key, '/history'));
  expect(body.happened[0]).toMatchObject({
    words: `It is started again: the start before, ${before.closedAt}, failed: no locker is free for 10 × 10 × 10 cm.`,
    by: `${shop} (API)`,
    why,
  });
  expect(body.entries[0]?.data).toMatchObject({
    type: 'started',
    startedAgainAfter: { key, runId: before.runId, failure: { code: 'NoLockerAvailable' } },
  });
});

test('of two who start it again at once one does, and the other hears who did', async () => {
  const key = await failed();
  const answers = await Promise.all([1, 2].map(() => startAgain(key, { change: elsewhere, why })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409);
  expect(late?.body).toMatchObject({
    code: 'FlowRuns',
    detail: expect.stringContaining(`${key} runs, started by ${shop} (API)`),
  });
  await isBooked(key);
  expect(await shipmentsAt(empty, key)).toHaveLength(1);
});

test('one that was read before another run is not started again', async () => {
  const key = await failed();
  const { runId } = await until(key, () => true);
  await startAgain(key, { why });
  const again = await until(key, ({ status, runId: now }) => status === 'Failed' && now !== runId);
  expect(codeOf(await startAgain(key, { runId, why }))).toBe('409 StartedAgain');
  expect(await startAgain(key, { runId: again.runId, change: elsewhere, why })).toMatchObject({
    status: 200,
  });
});

test('what its flow does not take is refused for this one, by the field that is wrong', async () => {
  const key = await failed();
  const change = { request: { dimension: { width: 'wide' } }, waitForLocker: 'soon' };
  const would = await preview(key, { change, why });
  expect(would).toMatchObject({ status: 200, body: { isDone: false, refusal: { code: 'InputRefused' } } });
  const { status, body } = await startAgain(key, { change, why });
  expect({ status, body }).toMatchObject({ status: 409, body: { code: 'InputRefused' } });
  expect(JSON.stringify(body)).toContain('change.request.dimension.width');
  for (const wrong of [{}, { why, change: 7 }, { why, more: 1 }, { why, evenIfBooked: false }])
    expect(await startAgain(key, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400 });
});

test('one that runs is not started again, nor is one whose locker may still be booked', async () => {
  const { client, flows } = installation();
  const key = keyOf('again');
  await flows.start('Issue', key, { request: { ...issueRequest, pupUid: empty } });
  await isBooked(key);
  expect(codeOf(await startAgain(key, { why }))).toBe('409 FlowRuns');
  await client.workflow.getHandle(key).terminate('a test');
  await until(key, ({ status }) => status === 'Terminated');
  const refused = await startAgain(key, { why });
  expect(codeOf(refused)).toBe('409 MayBookTwice');
  expect(refused.body.detail).toContain('Delivery in locker');
  expect(await startAgain(key, { why, evenIfBooked: true })).toMatchObject({ status: 200 });
});

test('one that was cancelled has undone what it had booked, and is started again', async () => {
  const { flows } = installation();
  const key = keyOf('again');
  const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid: empty } });
  await isBooked(key);
  await handle.cancel();
  await until(key, ({ status }) => status === 'Cancelled');
  expect(await startAgain(key, { why })).toMatchObject({ status: 200 });
  await isBooked(key);
});

test('one that has ended with a result keeps its key, and a new one is proposed', async () => {
  const { flows, people } = installation();
  const key = keyOf('again');
  const request = { ...issueRequest, pupUid: empty };
  const handle = await flows.start('Issue', key, { request });
  await isBooked(key);
  const [shipment] = await shipmentsAt(empty, key);
  await people.dropOff(String(shipment?.shipmentUid));
  await people.pickUp(String(shipment?.shipmentUid));
  await handle.result();
  const refused = await startAgain(key, { why });
  expect(codeOf(refused)).toBe('409 EndedWithResult');
  expect(refused.body.detail).toContain(`such as ${key}-2`);
  const start = { flow: 'Issue', key, request, ifEnded: 'restart' };
  expect(codeOf(await program.post('/v1/processes', start))).toBe('409 EndedWithResult');
  expect(await startAgain(key, { why, newKey: `${key}-2` })).toMatchObject({
    status: 200,
    body: { consequence: { key: `${key}-2` } },
  });
  expect(codeOf(await startAgain(key, { why, newKey: `${key}-2` }))).toBe('409 FlowRuns');
  expect((await startAgain(key, { why })).body.detail).toContain(`such as ${key}-3`);
});

test('a start with ifEnded: restart has the same key with other input, and gives what runs by the same', async () => {
  const key = await failed();
  const start = { flow: 'Issue', key, request: { ...issueRequest, pupUid: empty }, ifEnded: 'restart' };
  for (const status of [201, 200])
    expect(await program.post('/v1/processes', start)).toMatchObject({ status, body: { key } });
  await isBooked(key);
  expect(await shipmentsAt(empty, key)).toHaveLength(1);
  const { body } = await program.get<CaseHistory>(pathOfProcess(key, '/history'));
  expect(body.happened[0]?.words).toMatch(/^It is started again: the start before, .* failed: /);
  const otherInput = { ...start, request: { ...start.request, pupUid: full } };
  expect(codeOf(await program.post('/v1/processes', otherInput))).toBe('409 BusinessKeyInUse');
  expect(codeOf(await program.post('/v1/processes', { ...start, ifEnded: 'now' }))).toBe(
    '400 InvalidRequest',
  );
});

test('a batch that starts many again says of each what it does since, and until when one waits for a locker', async () => {
  const keys = [await failed(), await failed()];
  const last = `last-${randomUUID().slice(0, 8)}`;
  await installation().people.newPickUpPoint(last, 1);
  const batch = async (change: object) => {
    const fields = { change };
    const { body } = await program.post<{ id: string }>('/v1/batches', {
      ...{ command: 'startAgain', fields, keys, why },
    });
    return `/v1/batches/${body.id}/outcomes`;
  };
  const nowOf = async (path: string, holds: (states: string[]) => boolean) =>
    await vi.waitUntil(
      async () => {
        const { outcomes = [] } = (await program.get<OutcomesView>(path)).body;
        const inOrder = outcomes.toSorted((one, other) => one.words.localeCompare(other.words));
        const states = inOrder.map(({ now }) => now?.state ?? '');
        return states.length === 2 && holds(states) && inOrder;
      },
      { timeout: 30_000, interval: 200 },
    );
  const again = await nowOf(await batch({}), (states) => states.every((each) => each === 'failedAgain'));
  const failure = 'Failed again. No locker is free for 10 × 10 × 10 cm.';
  expect(again.map(({ words }) => words)).toEqual([failure, failure]);
  expect(again[0]?.now).toMatchObject({ isBad: true, isOpen: false, short: 'failed again' });

  const waits = { request: { pupUid: last }, waitForLocker: 'PT1H' };
  const path = await batch(waits);
  const [gets, waiting] = await nowOf(
    path,
    (states) => states[0] === 'goesOn' && states[1] === 'waitsForLocker',
  );
  expect(gets).toMatchObject({
    outcome: 'done',
    words: expect.stringMatching(/^Started again; it has locker \S+ of \S/),
    now: { isBad: false, isOpen: false, short: null },
  });
  const { until } = waiting?.now ?? {};
  expect(Date.parse(until ?? '') - Date.now()).toBeGreaterThan(50 * 60_000);
  expect(waiting).toMatchObject({
    words: `Started again; it waits for a locker until ${until}.`,
    now: { isBad: false, isOpen: true, short: 'waiting for a locker' },
  });
});

test('a flow that is not published here says so', async () => {
  const { client, taskQueue } = installation();
  const key = keyOf('again');
  const gone = await client.workflow.start(`Gone${randomUUID().slice(0, 8)}`, {
    taskQueue,
    workflowId: key,
    args: [{}],
  });
  await gone.terminate('a test');
  await until(key, ({ status }) => status === 'Terminated');
  expect(codeOf(await startAgain(key, { why, evenIfBooked: true }))).toBe('409 FlowNotPublished');
});

test('what another process has started is started again with that one alone, which may have another input', async () => {
  const { flows } = installation();
  const name = `Lending${randomUUID().replaceAll('-', '').slice(0, 8)}`;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the file computes it.
  const place = '${input.place}';
  const text = `
    name: ${name}
    meaning: Lends a device.
    input: { type: object, required: [place], properties: { place: { type: string } } }
    initial: lending
    states:
      lending:
        invoke:
          id: loan
          src: Issue
          input: { request: ${JSON.stringify({ ...issueRequest, pupUid: place })} }
          onDone: over
          onError: refused
      over: { type: final }
      refused: { type: final, entry: { type: fail, params: { code: Full, message: no locker } } }`;
  await flows.publish([{ path: 'lending.flow.yaml', text }]);
  const key = keyOf('lending');
  await flows.startPublished(name, key, { request: { place: full } });
  await until(key, ({ status }) => status === 'Failed');
  const child = await startAgain(`${key}/loan`, { why });
  expect(codeOf(child)).toBe('409 PartOfAnother');
  expect(child.body.detail).toContain(`${key}, which has started it`);
  const wrong = await startAgain(key, { why, change: { request: { place: 7 } } });
  expect(codeOf(wrong)).toBe('409 InputRefused');
  expect(await startAgain(key, { why, change: { request: { place: empty } } })).toMatchObject({
    status: 200,
  });
  await isBooked(`${key}/loan`);
});

test('who may not act, or not start that flow, learns nothing and starts nothing', async () => {
  const key = await failed();
  for (const by of [reader, starter])
    for (const each of [key, `${key}-another`]) {
      const { status, body } = await startAgain(each, { change: elsewhere, why }, by);
      expect(status).toBe(403);
      expect(JSON.stringify(body)).not.toMatch(/Issue|full-/);
      expect(await startAgain(each, { change: elsewhere }, by, '?dryRun=true')).toMatchObject({
        status: 403,
      });
    }
  for (const more of ['', '?dryRun=true'])
    expect(codeOf(await startAgain(key, { change: elsewhere, why }, other, more))).toBe('403 NotAllowed');
  expect((await until(key, () => true)).status).toBe('Failed');
});

test('the command line starts one or many again', async () => {
  const { taskQueue, client } = installation();
  const lockerflow = (...words: string[]) => run(words, { taskQueue });
  const one = await failed();
  const place = ['--change', `request.pupUid=${empty}`, 'request.dimension.width=11'];
  const by = ['--by', 'noor', '--why', why];
  const dry = await lockerflow('start-again', one, ...place, ...by, '--dry-run');
  expect(dry.out).toContain(
    `with pick up point ${empty} in place of ${full}, with dimension, width 11 in place of 10`,
  );
  expect(await lockerflow('start-again', one, ...place)).toMatchObject({ code: 2 });
  expect(await lockerflow('start-again', one, ...place, ...by)).toMatchObject({
    code: 0,
    out: `${one}: Delivery ${one} is started again\n`,
  });
  await isBooked(one);
  // A person has ended this one since: its failure of before must not start it again.
  const ended = await failed('IssueAndSwapIntake');
  await startAgain(ended, { change: elsewhere, why });
  await isBooked(ended);
  await installation().flows.handle(ended).cancel();
  await until(ended, ({ status }) => status === 'Cancelled');
  const many = await Promise.all([failed('IssueAndSwapIntake'), failed('IssueAndSwapIntake')]);
  const query = `WorkflowType = 'IssueAndSwapIntake' AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Failed'`;
  await vi.waitUntil(async () => (await client.workflow.count(query)).count === 3, { timeout: 60_000 });
  const all = ['start-again', '--flow', 'IssueAndSwapIntake'];
  const { out } = await lockerflow(...all, ...place, ...by, '--yes');
  expect(out).toContain('2 of 2 flows: done');
  for (const key of many) await isBooked(key);
  expect((await until(ended, () => true)).status).toBe('Cancelled');
  const { out: help } = await lockerflow('start-again', '--help');
  expect(help).toContain('lockerflow start-again order-1042 --change request.pupUid=pup-north');
});

test('a loan is not started again with an item that has left stock: the dry run says so', async () => {
  const { people } = installation();
  const stock = await people.newStock();
  const key = keyOf('loan');
  const flow = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
  const request = { priorShipmentUid: stock, toUserUid: issueRequest.toUserUid };
  await program.post('/v1/processes', { flow, key, request });
  await isBooked(key);
  await program.post(pathOfProcess(key, '/commands/cancel'), { why: 'has left' });
  await until(key, ({ status }) => status === 'Cancelled');
  const { body } = await preview(key, { why });
  expect(body).toMatchObject({ refusal: { code: 'NotInStock' } });
  expect((await startAgain(key, { why })).status).toBe(409);
});
