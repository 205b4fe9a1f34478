// A process whose clock can be moved, on a real Temporal: what is due happens in its order, each at its time; other processes
// of the same worker keep the real time.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLOCK, type ClockStatus, MOVE_CLOCK } from '../../engine/temporal/handlers.ts';
import { bundleOf } from '../support/bundles.ts';
import { eventsOf } from '../support/history.ts';
import { newTaskQueue, startServerOfShortRuns, startWorker, temporalClient } from '../support/temporal.ts';

const workflows = fileURLToPath(new URL('fixtures/all-machines.ts', import.meta.url));
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AHEAD = 10 * DAY;

async function working(fetched: () => Promise<void> = async () => undefined, address?: string) {
  const taskQueue = newTaskQueue();
  const client = await temporalClient(address);
  // Both in the same context of V8, so that each must have a clock of its own there.
  const worker = () =>
    startWorker({
      workflows,
      taskQueue,
      activities: { fetch: fetched },
      reuseV8Context: true,
      ...(address !== undefined && { address }),
    });
  const running = await worker();
  const start = async (type: string) => {
    const handle = await client.workflow.start(type, { taskQueue, workflowId: `${type}-${randomUUID()}` });
    const move = (aheadMs: number) =>
      handle.executeUpdate<ClockStatus, [object]>(MOVE_CLOCK, { args: [{ aheadMs }] });
    const clock = () => handle.query<ClockStatus>(CLOCK);
    return { handle, move, clock };
  };
  return { start, client, worker, running };
}

/** Days since the loan began. */
const inDays = (result: readonly (readonly [string, string])[]) => {
  const begun = Date.parse(result[0]?.[1] ?? '');
  return result.map(([event, moment]) => [event, Math.round((Date.parse(moment) - begun) / DAY)]);
};

const lived = [
  ['lent', 0],
  ['reminded', 12],
  ['chased', 13],
  ['overdue', 14],
  ['asked', 14],
  ['back', 16],
];

const untilNext = (clock: () => Promise<ClockStatus>, timer: string) =>
  vi.waitFor(async () => expect((await clock()).next?.timer).toBe(timer), { timeout: 20_000, interval: 30 });

test('moved step by step, it lives as it would have lived, each step at its own time', async () => {
  const { start } = await working();
  const { handle, move, clock } = await start('MovedLoan');
  const first = await vi.waitFor(clock, { timeout: 20_000 });
  expect(first).toMatchObject({
    aheadMs: AHEAD,
    next: { timer: '1036800000' },
    isAtRest: true,
    calls: [],
    children: [],
  });
  expect((Date.parse(first.now) - Date.now()) / AHEAD).toBeCloseTo(1, 3);
  const early = await move(AHEAD + 11 * DAY);
  expect(early.next?.inMs).toBeGreaterThan(DAY - HOUR);
  expect(early.next?.inMs).toBeLessThanOrEqual(DAY);
  expect((await move(AHEAD + 12 * DAY)).next?.timer).toBe('86400000');
  expect((await move(AHEAD + 13 * DAY)).next?.timer).toBe('1209600000');
  await move(AHEAD + 14 * DAY);
  await untilNext(clock, 'the answer');
  await move(AHEAD + 16 * DAY);
  const result = (await handle.result()) as [string, string][];
  expect(inDays(result)).toEqual(lived);
  expect((Date.parse(result[0]?.[1] ?? '') - Date.now()) / AHEAD).toBeCloseTo(1, 3);
});

test('in one move, what is due on the way happens in its order and at its time', {
  tags: 'long',
}, async () => {
  const { start } = await working();
  const { handle, move, clock } = await start('MovedLoan');
  await vi.waitFor(clock, { timeout: 20_000 });
  await move(AHEAD + 14.5 * DAY);
  await untilNext(clock, 'the answer');
  await move(AHEAD + 20 * DAY);
  expect(inDays((await handle.result()) as [string, string][]).slice(0, 4)).toEqual(lived.slice(0, 4));
});

test('other processes of its worker keep the real time, and have no clock to move', async () => {
  const { start } = await working();
  const moved = await start('MovedLoan');
  const real = await start('RealLoan');
  await vi.waitFor(moved.clock, { timeout: 20_000 });
  const untilReal = () =>
    real.handle
      .query<{ waitingFor: { timers: { until: string }[] } }>('progress')
      .then(({ waitingFor }) => waitingFor);
  const before = await vi.waitFor(untilReal, { timeout: 20_000 });
  await moved.move(AHEAD + 13 * DAY);
  const time = await (await start('Time')).handle.result();
  expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(HOUR);
  expect(await untilReal()).toEqual(before);
  expect((Date.parse(before.timers[0]?.until ?? '') - Date.now()) / DAY).toBeCloseTo(12, 1);
  await expect(real.clock()).rejects.toThrow(/clock/);
  await real.handle.signal('BACK');
  await real.handle.result();
  const events = await eventsOf(real.handle);
  expect(events.filter((event) => event === 'TIMER_STARTED')).toHaveLength(2);
});

test('it keeps its time when its worker dies, and its history replays', { tags: 'long' }, async () => {
  const { start, worker, running } = await working();
  const { handle, move, clock } = await start('MovedLoan');
  await vi.waitFor(clock, { timeout: 20_000 });
  await move(AHEAD + 12.5 * DAY);
  await running.stop();
  await worker();
  const after = await vi.waitFor(clock, { timeout: 20_000 });
  expect(after).toMatchObject({ aheadMs: AHEAD + 12.5 * DAY, next: { timer: '86400000' } });
  expect(after.next?.inMs).toBeLessThanOrEqual(DAY / 2);
  await move(AHEAD + 14 * DAY);
  await untilNext(clock, 'the answer');
  await move(AHEAD + 16 * DAY);
  expect(inDays((await handle.result()) as [string, string][])).toEqual(lived);
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: await bundleOf(workflows) }, history, handle.workflowId);
});

test('it is not at rest while an activity runs, and names it', async () => {
  const fetched = Promise.withResolvers<void>();
  const { start } = await working(() => fetched.promise);
  const { handle, move, clock } = await start('MovedLoan');
  await vi.waitFor(clock, { timeout: 20_000 });
  expect(await move(AHEAD + 14 * DAY)).toMatchObject({ isAtRest: false, calls: ['fetch'] });
  fetched.resolve();
  await untilNext(clock, 'the answer');
  expect(await clock()).toMatchObject({ isAtRest: true, calls: [] });
  await move(AHEAD + 16 * DAY);
  await handle.result();
});

test('what is due soon is due by itself, when real time has passed', { tags: 'long' }, async () => {
  const { start } = await working();
  const { move, clock } = await start('MovedLoan');
  const { next } = await vi.waitFor(clock, { timeout: 20_000 });
  // A second before its end.
  await move(AHEAD + (next?.inMs ?? 0) - 1_000);
  await untilNext(clock, '86400000');
});

test('the clock of a halted process goes on; what is due is taken after the decision', async () => {
  const { start } = await working();
  const { handle, move, clock } = await start('MovedLoan');
  await vi.waitFor(clock, { timeout: 20_000 });
  await handle.signal('FAIL');
  await move(AHEAD + 12.5 * DAY);
  expect(await handle.query('progress')).toMatchObject({ waitingFor: { halted: { code: 'StepFailed' } } });
  // What is due waits for the decision, and nobody waits for it.
  expect(await clock()).toMatchObject({ isAtRest: true });
  await handle.executeUpdate('dropEvent', { args: [{}] });
  await untilNext(clock, '86400000');
});

test('a move by anything but whole milliseconds to come is refused and leaves no event', async () => {
  const { start } = await working();
  const { handle, clock } = await start('MovedLoan');
  const before = await vi.waitFor(clock, { timeout: 20_000 });
  for (const given of [{ aheadMs: -1 }, { aheadMs: '3' }, { aheadMs: 1.5 }, {}, null])
    await expect(handle.executeUpdate(MOVE_CLOCK, { args: [given] })).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/aheadMs is .*expected whole milliseconds/) },
    });
  expect((await clock()).aheadMs).toBe(before.aheadMs);
  expect(await eventsOf(handle)).not.toContain('WORKFLOW_EXECUTION_UPDATE_ACCEPTED');
});

test('a continued process keeps its time, and what is due by it', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const server = await startServerOfShortRuns();
  onTestFinished(() => server.stop());
  const { start, client } = await working(undefined, server.address);
  const { handle } = await start('MovedLoan');
  const latest = client.workflow.getHandle(handle.workflowId);
  const clock = () => latest.query<ClockStatus>(CLOCK);
  const move = (aheadMs: number) =>
    latest.executeUpdate<ClockStatus, [object]>(MOVE_CLOCK, { args: [{ aheadMs }] });
  await vi.waitFor(clock, { timeout: 20_000 });
  const { runId } = await latest.describe();
  const isContinued = async () => (await latest.describe()).runId !== runId;
  for (let hours = 1; hours < 100 && !(await isContinued()); hours++) await move(AHEAD + hours * HOUR);
  expect(await isContinued()).toBe(true);
  await move(AHEAD + 12 * DAY);
  expect((await clock()).next?.timer).toBe('86400000');
  await move(AHEAD + 14 * DAY);
  await untilNext(clock, 'the answer');
  await move(AHEAD + 16 * DAY);
  expect(inDays((await latest.result()) as [string, string][])).toEqual(lived);
});
