// What has not been put in yet gets another locker in one step: booked first, and then the first one is cancelled.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { publishedFlow } from '../../../client/flow-files/published-flows.ts';
import type { ProcessDetails } from '../../../console/process/process-view.ts';
import type { WallView } from '../../../console/walls/walls-view.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { definitionWorkflowId } from '../../../flows/language/registry.ts';
import type { CaseHistory } from '../../../processes/views/case-history.ts';
import { shippedFlow } from '../../../processes/views/flow-registry.ts';
import { type Running, run, startProgram } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { clientsOf, codeOf, keyOf, type Program, pathOfProcess, patience, processesOf } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const shop = `shop-${randomUUID().slice(0, 8)}`;
const full = `full-${randomUUID().slice(0, 8)}`;
const north = `north-${randomUUID().slice(0, 8)}`;
const south = `south-${randomUUID().slice(0, 8)}`;

let program: Program;
let other: Program;
beforeAll(async () => {
  const { people } = installation();
  await people.newPickUpPoint(full, 1);
  for (const place of [north, south]) await people.newPickUpPoint(place, 30);
  await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid: full });
  const clients = clientsOf(server, installation);
  program = await clients(shop, 'flows:read', 'flows:decide', 'flows:start');
  other = await clients(`${shop}-other`, 'flows:read', 'flows:decide');
});

const { until } = processesOf(() => program);
const why = 'the door is stuck';
const to = (pupUid: string) => ({ change: { request: { pupUid } }, why });
const move = (key: string, body: object, by = program, more = '') =>
  by.post(pathOfProcess(key, `/commands/move${more}`), body);
const isBooked = (key: string) =>
  until(key, ({ progress }) => progress?.bookings.some(({ shipments }) => shipments.issue) ?? false);
const activeAt = async (pupUid: string, key: string) =>
  (await installation().people.shipmentsAt(pupUid)).filter(
    ({ referenceCaseNo, stateCode }) => referenceCaseNo === key && stateCode !== 'Cancelled',
  );

async function issued(): Promise<string> {
  const key = keyOf('move');
  await installation().flows.start('Issue', key, { request: { ...issueRequest, pupUid: south } });
  await isBooked(key);
  return key;
}

test('another locker is booked, and then the first one cancelled; two who ask at once move it once', async () => {
  const key = await issued();
  const would = await move(key, to(north), program, '?dryRun=true');
  expect(would.body).toMatchObject({
    refusal: null,
    consequence: { key: `${key}-moved`, changes: [{ field: 'request.pupUid', from: south, to: north }] },
  });
  expect(await activeAt(north, `${key}-moved`)).toHaveLength(0);
  const answers = await Promise.all([1, 2].map(() => move(key, to(north))));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  await until(key, ({ status }) => status === 'Cancelled');
  await isBooked(`${key}-moved`);
  expect((await until(`${key}-moved`, () => true)).status).toBe('Running');
  expect(await activeAt(south, key)).toHaveLength(0);
  expect(await activeAt(north, `${key}-moved`)).toHaveLength(1);
  expect(codeOf(await move(key, to(north)))).toBe('409 FlowEnded');
  // The item would have two lockers.
  const again = await program.post<{ detail: string }>(pathOfProcess(key, '/commands/startAgain'), { why });
  expect([codeOf(again), again.body.detail]).toEqual([
    '409 MayBookTwice',
    `${key} was moved: its item has the locker of ${key}-moved`,
  ]);
});

test('the locker that it had is out of order before anybody else gets it', async () => {
  const key = await issued();
  const { people } = installation();
  const [{ lockerUid }] = (await activeAt(south, key)) as unknown as [{ lockerUid: string }];
  const same = { change: {}, why: 'it is dirty', outOfOrder: true };
  expect(await move(key, same)).toMatchObject({ status: 200 });
  await until(key, ({ status }) => status === 'Cancelled');
  expect(await people.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).toMatchObject({
    items: [{ state: 'OutOfOrder', shipments: [] }],
  });
  const cookie = await server().cookieOf('bram');
  const wall = await fetch(`${server().address}/api/walls/${south}`, { headers: { cookie } });
  const { lockers } = (await wall.json()) as WallView;
  expect(lockers.find((each) => each.lockerUid === lockerUid)).toMatchObject({
    takenOut: { why: expect.stringContaining('it is dirty') },
  });
  expect(await activeAt(south, `${key}-moved`)).toHaveLength(1);
});

test('what is to be brought back is not out: the second process waits for it, and the first says where it is', async () => {
  const key = keyOf('move');
  const { toUserUid: fromUserUid, ...booking } = issueRequest;
  const request = { ...booking, fromUserUid, pupUid: south };
  await installation().flows.start('Intake', key, { request });
  const { progress } = await until(key, (read) => read.progress?.bookings[0]?.shipments.intake !== undefined);
  const shipmentUid = String(progress?.bookings[0]?.shipments.intake?.shipmentUid);
  expect(await move(key, to(north))).toMatchObject({ status: 200 });
  await until(key, ({ status }) => status === 'Cancelled');
  const { client } = installation();
  const out = client.workflow.getHandle(`item out:${shipmentUid}`);
  expect((await out.describe()).status.name).not.toBe('RUNNING');
  expect(await out.result()).toMatchObject({ became: 'Moved', why: `moved to ${key}-moved: ${why}` });
  // Not even until somebody settles it.
  expect((await out.fetchHistory()).events).not.toContainEqual(
    expect.objectContaining({ workflowExecutionUpdateAcceptedEventAttributes: expect.anything() }),
  );
  const { overview } = (await program.get<ProcessDetails>(pathOfProcess(key, '/details'))).body;
  expect(overview).toMatchObject({
    movedTo: `${key}-moved`,
    where: [{ words: `Moved to ${key}-moved` }],
    wrong: [],
    todo: null,
    remedies: [],
  });
});

test('the new case says from which locker it was moved, by whom and why, and leads to the old one', async () => {
  const key = await issued();
  const [before] = await activeAt(south, key);
  expect(await move(key, to(north))).toMatchObject({ status: 200 });
  const { body } = await program.get<CaseHistory>(pathOfProcess(`${key}-moved`, '/history'));
  expect(body.happened[0]).toMatchObject({
    words: `Moved from locker ${before?.lockerName} of ${key}.`,
    from: key,
    by: `${shop} (API)`,
    why,
  });
  expect(body.entries[0]?.data).toMatchObject({
    type: 'started',
    movedFrom: { key, lockerName: before?.lockerName },
  });
  expect(
    (await program.get<CaseHistory>(pathOfProcess(key, '/history'))).body.happened[0],
  ).not.toHaveProperty('from');
});

test('its preview names the locker that it has, and what is asked for, and promises no other', async () => {
  const key = await issued();
  const [before] = await activeAt(south, key);
  const placeOf = async (change: object) => {
    const would = await move(key, { change, why }, program, '?dryRun=true');
    return (would.body as { consequence: { place: object }; words: string }) ?? {};
  };
  const { items } = await installation().people.call('GetLockers', { pageNo: 1, pageSize: 5, pupUid: north });
  const [locker] = items as { lockerUid: string; lockerName: string; size: string; innerDimension: object }[];
  const nameOf = async (pupUid: string) => {
    const page = await installation().people.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid });
    return (page.items as { name: string }[])[0]?.name;
  };
  const from = `locker ${before?.lockerName}, ${await nameOf(south)}`;
  const there = await nameOf(north);
  const named = await placeOf({ request: { pupUid: north, lockerUid: locker?.lockerUid } });
  expect(named.consequence.place).toEqual({ from, to: `locker ${locker?.lockerName}, ${there}` });
  expect(named.words).toContain(`books another locker, locker ${locker?.lockerName}, ${there}`);
  expect(named.words).not.toContain(String(locker?.lockerUid));
  const sized = { pupUid: north, dimension: locker?.innerDimension, allowLargerLockers: false };
  expect((await placeOf({ request: sized })).consequence.place).toEqual({
    from,
    to: `any ${locker?.size} locker, ${there}`,
  });
  const odd = { dimension: { width: 1, height: 2, length: 3 } };
  expect((await placeOf({ request: odd })).consequence.place).toEqual({
    from,
    to: `any locker that fits, ${await nameOf(south)}`,
  });
});

test('its preview says which deadlines begin anew, and how long they are', async () => {
  const key = keyOf('move');
  const request = { ...issueRequest, pupUid: south };
  const deadlines = { issue: { dropOff: 'PT5M', pickUp: 'P3D' } };
  await installation().flows.start('Issue', key, { request, deadlines });
  await isBooked(key);
  const change = { request: { pupUid: north }, deadlines: { issue: { pickUp: 'P12D' } } };
  const would = await move(key, { change, why }, program, '?dryRun=true');
  expect(would.body).toMatchObject({
    words: expect.stringContaining(
      'Deadlines begin anew: Delivery to be dropped off: 5 minutes, Delivery to be picked up: 12 days',
    ),
    consequence: {
      deadlines: [
        { role: 'issue', stage: 'dropOff', lasts: 'PT5M', words: 'Delivery to be dropped off: 5 minutes' },
        { role: 'issue', stage: 'pickUp', lasts: 'P12D', words: 'Delivery to be picked up: 12 days' },
      ],
    },
  });
});

test('where the other wall is full, the first locker stays as it is', async () => {
  const key = await issued();
  const refused = await move(key, to(full));
  expect(codeOf(refused)).toBe('409 NotMoved');
  expect(JSON.stringify(refused.body)).toContain(`${key} keeps its own`);
  expect((await until(key, () => true)).status).toBe('Running');
  expect(await activeAt(south, key)).toHaveLength(1);
  // Another place may be tried next.
  expect(await move(key, to(north))).toMatchObject({ status: 200 });
});

test('a move whose second process runs already goes on with it, as after a lost answer', async () => {
  const key = await issued();
  const request = { ...issueRequest, pupUid: north };
  await installation().flows.start('Issue', `${key}-moved`, { request });
  expect(codeOf(await move(key, to(south)))).toBe('409 BusinessKeyInUse');
  expect((await until(key, () => true)).status).toBe('Running');
  expect(await move(key, to(north))).toMatchObject({ status: 200 });
  await until(key, ({ status }) => status === 'Cancelled');
  expect(await activeAt(north, `${key}-moved`)).toHaveLength(1);
});

interface MoveBody {
  readonly change: { readonly request: { readonly pupUid: string }; readonly waitForLocker: string };
  readonly why: string;
}

/** A move to a wall that is full until somebody else's locker there is free. */
async function moving<Answer>(ask: (key: string, body: MoveBody) => Promise<Answer>) {
  const { people } = installation();
  const soon = `soon-${randomUUID().slice(0, 8)}`;
  await people.newPickUpPoint(soon, 1);
  const others = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid: soon });
  const key = await issued();
  const moved = ask(key, { change: { request: { pupUid: soon }, waitForLocker: 'PT1H' }, why });
  await vi.waitUntil(async () => (await program.get(pathOfProcess(`${key}-moved`))).status === 200, patience);
  return { key, moved, free: () => people.cancel(String((others.shipmentUids as string[])[0])) };
}

test('an item that is put in while the second process books stays, and the new locker is given back', async () => {
  const { key, moved, free } = await moving(move);
  const [shipment] = await activeAt(south, key);
  await installation().people.dropOff(String(shipment?.shipmentUid));
  await until(key, ({ progress }) => progress?.bookings[0]?.shipments.issue?.stateCode === 'ReadyForPickup');
  await free();
  expect(codeOf(await moved)).toBe('409 ItemInside');
  await until(`${key}-moved`, ({ status }) => status === 'Cancelled');
  expect((await until(key, () => true)).status).toBe('Running');
  expect(await activeAt(south, key)).toHaveLength(1);
});

test('where the first process is ended while the second one books, the new locker is kept', async () => {
  const { key, moved, free } = await moving(move);
  await installation().flows.handle(key).cancel();
  await until(key, ({ status }) => status === 'Cancelled');
  await free();
  expect(codeOf(await moved)).toBe('409 EndsMeanwhile');
  expect((await isBooked(`${key}-moved`)).status).toBe('Running');
});

test('where whoever has asked is gone, the move is done to its end', async () => {
  const { taskQueue } = installation();
  let program: Running | undefined;
  const { key, moved, free } = await moving((asked, { change }) => {
    const changes = [`request.pupUid=${change.request.pupUid}`, `waitForLocker=${change.waitForLocker}`];
    const words = [
      'move',
      asked,
      ...changes.flatMap((each) => ['--change', each]),
      '--by',
      'noor',
      '--why',
      why,
    ];
    program = startProgram(words, { taskQueue });
    return program.ended;
  });
  program?.kill();
  expect(await moved).not.toMatchObject({ code: 0 });
  await free();
  await until(key, ({ status }) => status === 'Cancelled');
  expect((await isBooked(`${key}-moved`)).status).toBe('Running');
  expect(await activeAt(south, key)).toHaveLength(0);
});

test('what has been put in is not moved, nor is what is more than one booking, and each says why', async () => {
  const { people, flows } = installation();
  const key = await issued();
  const [shipment] = await activeAt(south, key);
  await people.dropOff(String(shipment?.shipmentUid));
  await until(key, ({ progress }) => progress?.bookings[0]?.shipments.issue?.stateCode === 'ReadyForPickup');
  const would = await move(key, to(north), program, '?dryRun=true');
  expect(would.body).toMatchObject({ isDone: false, refusal: { code: 'ItemInside' } });
  expect(codeOf(await move(key, to(north)))).toBe('409 ItemInside');
  expect(await activeAt(north, `${key}-moved`)).toHaveLength(0);
  const states = { kept: { on: { fetched: 'over' } }, over: { type: 'final' } };
  const name = await published({ meaning: 'Keeps it.', initial: 'kept', states });
  const kept = keyOf('kept');
  await flows.startPublished(name, kept, {});
  expect(codeOf(await move(kept, to(north)))).toBe('409 NotOneBooking');
});

async function published(file: object, name = newName()): Promise<string> {
  await installation().flows.publish([{ path: 'own.flow.yaml', text: JSON.stringify({ ...file, name }) }]);
  return name;
}

const newName = (): string => `Own${randomUUID().replaceAll('-', '').slice(0, 8)}`;

const issueFile = shippedFlow('Issue').file as FlowFile;

async function issuedBy(flow: string): Promise<string> {
  const key = keyOf('move');
  await installation().flows.startNew(flow, key, {
    request: { ...issueRequest, pupUid: south },
    deadlines: { issue: { pickUp: 'P3D' } },
  });
  await isBooked(key);
  return key;
}

test('a copy of a built-in flow is moved as that flow is, and stays a process of the copy', async () => {
  const flow = await published(issueFile);
  const key = await issuedBy(flow);
  const [before] = await activeAt(south, key);
  const would = await move(key, to(north), program, '?dryRun=true');
  expect(would.body).toMatchObject({ refusal: null, consequence: { deadlines: [{ lasts: 'P3D' }] } });
  const answers = await Promise.all([1, 2].map(() => move(key, to(north))));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  await until(key, ({ status }) => status === 'Cancelled');
  expect(await isBooked(`${key}-moved`)).toMatchObject({ flow, status: 'Running' });
  expect(await activeAt(south, key)).toHaveLength(0);
  expect(await activeAt(north, `${key}-moved`)).toHaveLength(1);
  const { body } = await program.get<CaseHistory>(pathOfProcess(`${key}-moved`, '/history'));
  expect(body.entries[0]?.data).toMatchObject({ movedFrom: { key, lockerName: before?.lockerName } });
});

test('a copy that does more than to book is not moved: a second process would do that again', async () => {
  const { following, ...ends } = issueFile.states ?? {};
  const prepared = {
    invoke: { id: 'cleaning', src: 'ask', input: { of: 'desk', question: 'Clean?' }, onDone: 'following' },
  };
  const flow = await published({
    ...issueFile,
    initial: 'prepared',
    states: { prepared, following, ...ends },
  });
  const key = keyOf('move');
  await installation().flows.startNew(flow, key, { request: { ...issueRequest, pupUid: south } });
  await until(key, ({ progress }) => progress?.questions[0]?.id === 'cleaning');
  expect(codeOf(await move(key, to(north)))).toBe('409 NotOneBooking');
});

const withEvent = {
  ...issueFile,
  states: {
    ...issueFile.states,
    following: { ...issueFile.states?.following, entry: { type: 'emit', params: { type: 'begun' } } },
  },
} satisfies FlowFile;

test.each([
  ['the version on which it runs', withEvent, issueFile],
  ['the current version, which would begin anew,', issueFile, withEvent],
])('what is more than one booking by %s is not moved', async (_, before, after) => {
  const flow = await published(before);
  const key = await issuedBy(flow);
  await published(after, flow);
  expect(codeOf(await move(key, to(north)))).toBe('409 NotOneBooking');
  expect(await activeAt(south, key)).toHaveLength(1);
});

test('a copy that is no longer published is not moved, and the refusal says so', async () => {
  const flow = await published(issueFile);
  const key = await issuedBy(flow);
  const { client } = installation();
  await client.workflowService.deleteWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: definitionWorkflowId(flow) },
  });
  await vi.waitUntil(async () => (await publishedFlow(client, flow)) === undefined, patience);
  const refused = await move(key, to(north));
  expect([codeOf(refused), JSON.stringify(refused.body)]).toEqual([
    '409 FlowNotPublished',
    expect.stringContaining(`there is no flow ${flow}`),
  ]);
});

test('who may not start the flow moves nothing; the command line moves one', async () => {
  const key = await issued();
  expect(codeOf(await move(key, to(north), other))).toBe('403 NotAllowed');
  expect(codeOf(await move(key, { why }))).toBe('400 InvalidRequest');
  const words = ['move', key, '--change', `request.pupUid=${north}`, '--by', 'noor', '--why', why];
  const { taskQueue } = installation();
  expect(await run(words, { taskQueue })).toMatchObject({
    code: 0,
    out: `${key}: moved: ${key}-moved has another locker, and this case is cancelled\n`,
  });
});
