// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: Processes that start by themselves
// Processes that an event starts, on a real Temporal: once for its id and for its key, without a worker, and not for data that does not
// fit.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { BusinessKeyInUse } from '../../../client/flow-errors.ts';
import { eventStartsId } from '../../../client/flow-files/event-starts.ts';
import { type EventToSend, LockerFlows } from '../../../client/locker-flows.ts';
import { startedWith } from '../../../client/started-with.ts';
import { CLOCK, type ClockStatus } from '../../../engine/temporal/handlers.ts';
import { startsUpdate } from '../../../flows/language/correlation.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { Outside } from '../outside.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();

const input = { type: 'object', required: ['device'], properties: { device: { type: 'string' } } };

const repair = (name: string, starts: object | null, more: object = {}): string =>
  JSON.stringify({
    ...{ name, meaning: 'Repairs a device.', input, correlate: { device: '${input.device}' }, ...more },
    ...(starts && { starts }),
    ...{ initial: 'wanted', output: '${input.device}' },
    states: {
      wanted: { on: { 'repair.*': 'again', 'repair.done': 'over' } },
      again: {},
      over: { type: 'final' },
    },
  });

/** Each test has an event of its own: the server is shared. */
const newType = () => `repair.wanted-${randomUUID()}`;
const byTicket = { key: 'repair-${event.data.ticket}', request: { device: '${event.data.device}' } };

const send = (event: EventToSend) =>
  new LockerFlows(files.client, { taskQueue: files.taskQueue }).sendEvent(event);

const countOf = async (name: string): Promise<number> =>
  (await files.client.workflow.count(`WorkflowType = '${name}'`)).count;

test('an event starts a process, once for its id and for its key', async () => {
  const [name, type, ticket] = [uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(name, { [type]: byTicket }));
  const event = { type, id: randomUUID(), data: { ticket, device: 'laptop-7' }, who: { by: 'shop' } };
  const started = (isNew: boolean) => [{ flow: name, key: `repair-${ticket}`, isNew }];
  const answer = { id: event.id, flows: [], processes: null, isRepeated: null };
  expect(await send(event)).toEqual({ ...answer, started: started(true) });
  expect(await send(event)).toEqual({ ...answer, started: started(false) });
  const other = { ...event, id: randomUUID(), data: { ticket, device: 'laptop-8' } };
  expect((await send(other)).started).toEqual(started(false));
  const handle = files.client.workflow.getHandle(`repair-${ticket}`);
  await untilProgress(handle, ({ state }) => state === 'wanted');
  expect(await handle.describe()).toMatchObject({
    memo: { who: { by: 'shop' } },
    searchAttributes: { LockerPhase: ['Open'] },
  });
  // Nor does it when that process has failed.
  await handle.terminate();
  expect((await send(event)).started).toEqual(started(false));
  await vi.waitUntil(async () => (await countOf(name)) === 1, { timeout: 30_000, interval: 50 });
  expect((await handle.describe()).status.name).toBe('TERMINATED');
});

test('what it starts goes by the clock that its sender names, and what runs keeps its own', async () => {
  const [name, type] = [uniqueName('Repair'), newType()];
  await files.publish(repair(name, { [type]: byTicket }));
  const days = 3 * 86_400_000;
  const sandbox = new Outside();
  sandbox.now = () => new Date(Date.now() + days);
  const keyed = (ticket = randomUUID()) => {
    files.attend(`repair-${ticket}`, sandbox);
    return { ticket, handle: files.client.workflow.getHandle(`repair-${ticket}`) };
  };
  const [real, moved, other] = [keyed(), keyed(), keyed()];
  const device = randomUUID();
  const goesBySandbox = async ({ handle }: typeof real) => {
    await untilProgress(handle, ({ state }) => state === 'wanted');
    expect((await handle.query<ClockStatus>(CLOCK)).aheadMs).toBeGreaterThan(days - 60_000);
  };
  const goesByRealTime = () => expect(real.handle.query(CLOCK)).rejects.toThrow(/clock/);
  await send({ type, data: { ticket: real.ticket, device } });
  await untilProgress(real.handle, ({ state }) => state === 'wanted');
  await goesByRealTime();
  const event = { type, id: randomUUID(), data: { ticket: moved.ticket, device: randomUUID() } };
  await send({ ...event, clock: 'sandbox' });
  await goesBySandbox(moved);
  // With another clock it is the same event.
  expect((await send(event)).started).toEqual([{ flow: name, key: moved.handle.workflowId, isNew: false }]);
  await goesBySandbox(moved);
  const data = { ticket: other.ticket, device: randomUUID() };
  await send({ type, where: { device }, data, clock: 'sandbox' });
  await untilProgress(real.handle, ({ state }) => state === 'again');
  await goesByRealTime();
  await goesBySandbox(other);
});

test('without a worker it is kept', async () => {
  const [name, type, id] = [uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(name, { [type]: {} }));
  await files.restartWorker(async () => {
    expect(await send({ type, id, data: { device: 'laptop-7' } })).toEqual({
      ...{ id, flows: [], processes: null, isRepeated: null },
      started: [{ flow: name, key: `${name}.${id}`, isNew: true }],
    });
  });
  await untilProgress(files.client.workflow.getHandle(`${name}.${id}`), ({ state }) => state === 'wanted');
});

test('by business data it starts a process too, which is not told the event again', async () => {
  const [name, type, device] = [uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(name, { [type]: {} }));
  const listening = uniqueName('Listening');
  await files.publish(repair(listening, null));
  const other = await files.start(listening, { request: { device } });
  await untilProgress(other, ({ state }) => state === 'wanted');
  const id = randomUUID();
  await send({ type, id, where: { device }, data: { device } });
  const started = files.client.workflow.getHandle(`${name}.${id}`);
  // One that waits for it goes on. Told it, what it has started would be in the same state, where this ends nothing.
  await untilProgress(other, ({ state }) => state === 'again');
  await untilProgress(started, ({ state }) => state === 'wanted');
  await send({ type: 'repair.done', where: { device } });
  await untilProgress(started, ({ state }) => state === 'over');
});

test('an event by business data that its queue knows already is called a repetition, and starts nothing again', async () => {
  const [name, type, device, id] = [uniqueName('Repair'), newType(), randomUUID(), randomUUID()];
  await files.publish(repair(name, { [type]: {} }));
  const event = { type, id, where: { device }, data: { device }, asksQueue: true };
  const key = `${name}.${id}`;
  expect(await send(event)).toMatchObject({ isRepeated: false, started: [{ key, isNew: true }] });
  // With other data, too.
  const other = { ...event, data: { device: randomUUID() } };
  expect(await send(other)).toMatchObject({ isRepeated: true, started: [{ key, isNew: false }] });
  expect(await send({ ...event, id: randomUUID() })).toMatchObject({ isRepeated: false });
  const words = ['event', type, '--where', `device=${device}`, '--id', id];
  const { out } = await run([...words, '--data', JSON.stringify({ device })], { taskQueue: files.taskQueue });
  expect(out).toBe(
    `${type} was sent before with the id ${id}: it takes effect once; there already, so it starts nothing: ${key}\n`,
  );
  const unasked = await send({ ...event, asksQueue: false });
  expect(unasked.isRepeated).toBeNull();
});

test('what does not fit is refused to the sender, and starts nothing', async () => {
  const [name, type] = [uniqueName('Repair'), newType()];
  await files.publish(repair(name, { [type]: byTicket }));
  await expect(send({ type, data: { ticket: 'T-1' } })).rejects.toThrow(
    `data: does not fit ${name}, which it would start: ExpressionFailed: starts.${type}.request`,
  );
  await expect(send({ type, data: { ticket: 'T-1', device: 7 } })).rejects.toThrow(
    'request.device must be string, not 7',
  );
  await expect(send({ type, data: { ticket: 'x'.repeat(900), device: 'a' } })).rejects.toThrow(
    'its key must have at most 800 bytes',
  );
  const data = { ticket: 'T-1', device: 'a' };
  await expect(send({ type, data, keepFor: 'PT1H', keepAnyway: true })).rejects.toThrow(
    'keepFor: needs where: an event that only starts processes waits for nobody; keepAnyway: needs where',
  );
  await expect(send({ type, data: { ...data, ticket: 'T-2' }, clock: 'lunar' as never })).rejects.toThrow(
    'clock: must be one of sandbox',
  );
  const unnamed = newType();
  await files.publish(repair(uniqueName('Repair'), { [unnamed]: { key: '${event.data.ticket}' } }));
  for (const wrong of [null, { a: 1 }])
    await expect(send({ type: unnamed, data: { ticket: wrong, device: 'a' } })).rejects.toThrow(
      `starts.${unnamed}.key gives ${JSON.stringify(wrong)}, expected a text or a number`,
    );
  const described = newType();
  const events = { [described]: { data: { type: 'object', required: ['ticket'] } } };
  await files.publish(repair(uniqueName('Repair'), { [described]: {} }, { events }));
  await expect(send({ type: described, data: { device: 'a' } })).rejects.toThrow('data.ticket is required');
  await expect(send({ type: newType(), data: {} })).rejects.toThrow(
    'where: is missing, and no published flow file starts by this event',
  );
  expect(await countOf(name)).toBe(0);
});

test('a key that another flow has is refused', async () => {
  const [name, type, ticket] = [uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(name, { [type]: byTicket }));
  await files.client.workflow.start(name.replace('Repair', 'Other'), {
    ...{ workflowId: `repair-${ticket}`, taskQueue: 'nobody', args: [{}] },
  });
  await expect(send({ type, data: { ticket, device: 'laptop-7' } })).rejects.toThrow(BusinessKeyInUse);
  await files.client.workflow.getHandle(`repair-${ticket}`).terminate();
});

test('one that cannot start stops no other', async () => {
  const [one, other, type, ticket] = [uniqueName('ARepair'), uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(one, { [type]: byTicket }));
  await files.publish(repair(other, { [type]: {} }));
  const taken = { workflowId: `repair-${ticket}`, taskQueue: 'nobody', args: [{}] };
  await files.client.workflow.start(uniqueName('Other'), taken);
  const id = randomUUID();
  await expect(send({ type, id, data: { ticket, device: 'a' } })).rejects.toThrow(BusinessKeyInUse);
  expect((await files.client.workflow.getHandle(`${other}.${id}`).describe()).status.name).toBe('RUNNING');
  await files.client.workflow.getHandle(`repair-${ticket}`).terminate();
});

test('the newest version says what starts; several flows may', async () => {
  const [one, other, type] = [uniqueName('Repair'), uniqueName('Repair'), newType()];
  await files.publish(repair(one, { [type]: {} }));
  await files.publish(repair(other, { [type]: {} }));
  const data = { device: 'laptop-7' };
  expect((await send({ type, id: 'a', data })).started).toHaveLength(2);
  await files.publish(repair(one, null));
  expect((await send({ type, id: 'b', data })).started).toEqual([
    { flow: other, key: `${other}.b`, isNew: true },
  ]);
  await files.publish(repair(one, { [type]: {} }));
  expect((await send({ type, id: 'c', data })).started).toHaveLength(2);
  const { memo } = await files.client.workflow.getHandle(eventStartsId(type)).describe();
  expect(memo).toEqual({ flows: [one, other].sort() });
});

test('a version that becomes the current one again starts by its events, also if its publication got no further', async () => {
  const [name, type] = [uniqueName('Repair'), newType()];
  const { executeUpdateWithStart } = files.client.workflow;
  vi.spyOn(files.client.workflow, 'executeUpdateWithStart').mockImplementation((update, ...more) =>
    update === startsUpdate
      ? Promise.reject(new Error('is away'))
      : executeUpdateWithStart.call(files.client.workflow, update, ...more),
  );
  await expect(files.publish(repair(name, { [type]: {} }))).rejects.toThrow('is away');
  vi.restoreAllMocks();
  await files.publish(repair(name, null));
  await new LockerFlows(files.client, { taskQueue: files.taskQueue }).publishVersion(name, 1);
  const { started } = await send({ type, id: 'a', data: { device: 'laptop-7' } });
  expect(started).toEqual([{ flow: name, key: `${name}.a`, isNew: true }]);
});

test('the command line sends it, and shows what starts a flow', async () => {
  const [name, type, ticket] = [uniqueName('Repair'), newType(), randomUUID()];
  await files.publish(repair(name, { [type]: byTicket }));
  const lockerflow = (...words: string[]) => run(words, { taskQueue: files.taskQueue });
  const data = JSON.stringify({ ticket, device: 'laptop-7' });
  expect((await lockerflow('event', type, '--data', data)).out).toBe(
    `${type} is sent; started by it: repair-${ticket}\n`,
  );
  expect((await lockerflow('event', type, '--data', data)).out).toBe(
    `${type} is sent; there already, so it starts nothing: repair-${ticket}\n`,
  );
  expect((await lockerflow('flows', name)).out).toMatch(
    new RegExp(`^${type} +starts repair-\\$\\{event\\.data\\.ticket\\}`, 'm'),
  );
  const [clocked, sandbox] = [randomUUID(), new Outside()];
  sandbox.now = () => new Date(Date.now() + 86_400_000);
  files.attend(`repair-${clocked}`, sandbox);
  const byClock = JSON.stringify({ ticket: clocked, device: 'laptop-7' });
  await lockerflow('event', type, '--data', byClock, '--clock', 'sandbox');
  expect((await startedWith(files.client, `repair-${clocked}`)).input).toMatchObject({ clock: 'sandbox' });
  expect(await lockerflow('event', type, '--clock', 'lunar')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Allowed choices are sandbox'),
  });
  expect(await lockerflow('event', `repair-${ticket}`, 'repair.done', '--clock', 'sandbox')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      `--clock is for an event that starts processes: repair-${ticket} keeps its clock`,
    ),
  });
  expect(await lockerflow('event', `${type}x`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('no published flow file starts by this event'),
  });
});
