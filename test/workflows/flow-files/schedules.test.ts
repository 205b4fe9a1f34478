// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: Processes that start by themselves
// Schedules of flow files on a real Temporal: they are made, changed and removed with the file, keep their times over a change of
// the clocks, and are paused and run by hand.
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FlowFilesRefused } from '../../../client/flow-files/publish.ts';
import { flowSchedules, keepSchedules, scheduleIdOf } from '../../../client/flow-files/schedules.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { scheduleCommands } from '../../../processes/commands/schedule.ts';
import { orThrow } from '../../../processes/outcome.ts';
import type { CommandContext } from '../../../processes/temporal-context.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();

const report = (name: string, schedules: object | null, meaning = 'Reports what there is.'): string =>
  JSON.stringify({
    ...{ name, meaning, input: { type: 'object', required: ['of'], properties: { of: { type: 'string' } } } },
    calendars: { desk: { zone: 'Europe/Amsterdam', closed: ['01-07', '2030-02-04..2030-02-05'] } },
    ...(schedules && { schedules }),
    ...{ initial: 'over', states: { over: { type: 'final' } }, output: '${input.of}' },
  });

const monthly = { cron: '0 8 * * MON#1', zone: 'Europe/Amsterdam', request: { of: 'laptops' } };
const daily = { cron: '0 6 * * *', zone: 'UTC', request: { of: 'keys' } };

async function published(schedules: object): Promise<string> {
  const name = uniqueName('Report');
  // The server is shared, and a schedule would go on.
  onTestFinished(async () => void (await files.publish(report(name, null))));
  await files.publish(report(name, schedules));
  return name;
}

const newest = async (name: string): Promise<FlowFile> =>
  (await new LockerFlows(files.client).publishedAs(name)).file;
const schedulesOf = async (name: string) => flowSchedules(files.client, await newest(name));
const handleOf = (name: string, schedule: string) =>
  files.client.schedule.getHandle(scheduleIdOf(name, schedule));

const localTime = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  );

/** As if that time passed now. Gives the keys of what it started. */
async function backfilled(name: string, schedule: string, start: string, end: string, count: number) {
  await handleOf(name, schedule).backfill({
    ...{ start: new Date(start), end: new Date(end), overlap: ScheduleOverlapPolicy.ALLOW_ALL },
  });
  const prefix = `${name}.${schedule}-`;
  return await vi.waitUntil(
    async () => {
      const keys = new Set<string>();
      for await (const { workflowId } of files.client.workflow.list({ query: `WorkflowType = '${name}'` }))
        keys.add(workflowId);
      return keys.size >= count && [...keys].map((key) => key.slice(prefix.length)).sort();
    },
    { timeout: 60_000, interval: 100 },
  );
}

test('the first Monday of each month, in its zone', async () => {
  const name = await published({ monthly });
  const [schedule] = await schedulesOf(name);
  expect(schedule).toMatchObject({ ...monthly, name: 'monthly', state: 'active', note: null, last: [] });
  expect(schedule?.next).toHaveLength(5);
  for (const at of schedule?.next ?? []) {
    expect(localTime(at, 'Europe/Amsterdam')).toBe('Mon 08:00');
    expect(new Date(at).getUTCDate()).toBeLessThanOrEqual(7);
  }
});

test('each of its times starts one process, under a key of its own, found as every other', async () => {
  const name = await published({ daily });
  const times = ['2026-01-05T06:00:00Z', '2026-01-06T06:00:00Z', '2026-01-07T06:00:00Z'];
  const days = ['2026-01-05T00:00:00Z', '2026-01-08T00:00:00Z'] as const;
  expect(await backfilled(name, 'daily', ...days, 3)).toEqual(times);
  const handle = files.client.workflow.getHandle(`${name}.daily-${times[0]}`);
  expect(await handle.result()).toBe('keys');
  const { searchAttributes } = await handle.describe();
  expect(searchAttributes).toMatchObject({ LockerPhase: ['Open'], LockerFlowVersion: [`${name}@1`] });
  // A process begins on what is the newest version then.
  await files.publish(report(name, { daily }, 'Another sentence.'));
  expect(await backfilled(name, 'daily', '2026-01-08T00:00:00Z', '2026-01-09T00:00:00Z', 4)).toHaveLength(4);
  const later = files.client.workflow.getHandle(`${name}.daily-2026-01-08T06:00:00Z`);
  await later.result();
  expect((await later.describe()).searchAttributes.LockerFlowVersion).toEqual([`${name}@2`]);
  const [{ last } = { last: [] }] = await schedulesOf(name);
  expect(last.at(-1)).toEqual({ at: '2026-01-08T06:00:00.000Z', key: later.workflowId });
});

test.each([
  ['Europe/Amsterdam', '2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z'],
  ['America/New_York', '2026-10-30T14:00:00Z', '2026-11-03T14:00:00Z'],
])('a day on which the clocks of %s change has one start, at the same local time', async (zone, from, to) => {
  const name = await published({ daily: { ...daily, cron: '0 8 * * *', zone } });
  const times = await backfilled(name, 'daily', from, to, 4);
  expect(times.map((at) => localTime(at, zone).slice(4))).toEqual(Array(4).fill('08:00'));
  expect(new Set(times.map((at) => at.slice(0, 10))).size).toBe(4);
  expect(new Set(times.map((at) => at.slice(11))).size).toBe(2);
});

test('on the closed days of its calendar it starts nothing', async () => {
  const name = await published({
    monday: { cron: '0 8 * * MON', calendar: 'desk', request: { of: 'keys' } },
  });
  expect(await schedulesOf(name)).toMatchObject([{ zone: 'Europe/Amsterdam', calendar: 'desk' }]);
  const times = await backfilled(name, 'monday', '2030-01-05T00:00:00Z', '2030-02-06T00:00:00Z', 3);
  expect(times).toEqual(['2030-01-14T07:00:00Z', '2030-01-21T07:00:00Z', '2030-01-28T07:00:00Z']);
});

test('it changes with the file, and stays paused; one that the file has no longer is gone', async () => {
  const name = await published({ monthly, daily });
  await handleOf(name, 'daily').pause('anna: the desk is closed');
  await files.publish(report(name, { daily: { ...daily, cron: '30 9 * * *', request: { of: 'bikes' } } }));
  expect(await schedulesOf(name)).toMatchObject([
    { name: 'daily', cron: '30 9 * * *', state: 'paused', note: 'anna: the desk is closed', next: [] },
  ]);
  await handleOf(name, 'daily').unpause();
  const [{ next } = { next: [] }] = await schedulesOf(name);
  expect(next.map((at) => at.slice(11))).toEqual(Array(5).fill('09:30:00.000Z'));
  expect((await handleOf(name, 'daily').describe()).action.args).toEqual([{ request: { of: 'bikes' } }]);
  await expect(handleOf(name, 'monthly').describe()).rejects.toThrow(ScheduleNotFoundError);
});

test('the same content again makes what is missing, and leaves alone what is there', async () => {
  const name = await published({ monthly, daily });
  const before = await handleOf(name, 'daily').describe();
  await handleOf(name, 'monthly').delete();
  expect(await schedulesOf(name)).toMatchObject([{ state: 'missing', next: [] }, { state: 'active' }]);
  expect(await files.publish(report(name, { monthly, daily }))).toMatchObject({ version: 1, isNew: false });
  expect(await schedulesOf(name)).toMatchObject([{ state: 'active' }, { state: 'active' }]);
  const after = await handleOf(name, 'daily').describe();
  expect(after.info.lastUpdatedAt).toEqual(before.info.lastUpdatedAt);
});

test('whoever is late with an older version keeps the schedules of the newest one', async () => {
  const name = await published({ daily });
  const first = await newest(name);
  await files.publish(report(name, { monthly }));
  await keepSchedules(files.client, [first], files.taskQueue);
  expect(await schedulesOf(name)).toMatchObject([{ name: 'monthly', state: 'active' }]);
  await expect(handleOf(name, 'daily').describe()).rejects.toThrow(ScheduleNotFoundError);
});

test('a version that is taken back takes its schedules with it', async () => {
  const name = await published({ daily });
  await files.publish(report(name, { monthly }));
  const flows = new LockerFlows(files.client, { taskQueue: files.taskQueue });
  expect(await flows.publishVersion(name, 1)).toMatchObject({ version: 1, insteadOf: 2 });
  expect(await schedulesOf(name)).toMatchObject([{ name: 'daily', state: 'active' }]);
  await expect(handleOf(name, 'monthly').describe()).rejects.toThrow(ScheduleNotFoundError);
});

test('what Temporal does not take fails the publication, and is said', async () => {
  const name = await published({ daily });
  const { create } = files.client.schedule;
  vi.spyOn(files.client.schedule, 'create').mockImplementationOnce((options) =>
    create.call(files.client.schedule, {
      ...options,
      spec: { cronExpressions: ['0 8 * * NEVER'] },
    } as never),
  );
  await expect(files.publish(report(name, { monthly, daily }))).rejects.toThrow(
    `Temporal does not take the schedule ${name}.monthly: DayOfWeek is not in range [0-7]; correct it`,
  );
  // What is published again makes it.
  await files.publish(report(name, { monthly, daily }));
  expect(await schedulesOf(name)).toMatchObject([{ state: 'active' }, { state: 'active' }]);
});

test('a request that does not fit the input of the file is refused', async () => {
  const name = uniqueName('Report');
  const wrong = files.publish(report(name, { daily: { ...daily, request: { of: 3 } } }));
  await expect(wrong).rejects.toThrow(FlowFilesRefused);
  await expect(wrong).rejects.toThrow('a request in which request.of must be string, not 3 does not fit');
});

test('people pause, resume and run it, and are named', async () => {
  const name = await published({ daily });
  const lockerflow = async (...words: string[]) => await run(words, { taskQueue: files.taskQueue });
  const asked = [name, 'daily', '--by', 'anna', '--why', 'the desk is closed'];
  expect((await lockerflow('schedule', 'pause', ...asked)).out).toBe(
    'daily: paused by anna: the desk is closed\n',
  );
  expect((await lockerflow('flows', name)).out).toMatch(
    /daily +0 6 \* \* \* +UTC +paused by anna: the desk is closed/,
  );
  const started = await lockerflow('schedule', 'run', ...asked);
  const [, key = ''] = started.out.split(' ');
  expect(started.out).toMatch(new RegExp(`^${name} ${name}\\.daily-\\S+Z is started\n$`));
  expect(await files.client.workflow.getHandle(key).result()).toBe('keys');
  expect((await files.client.workflow.getHandle(key).describe()).memo).toMatchObject({
    who: { by: 'anna', why: 'the desk is closed' },
  });
  expect((await lockerflow('schedule', 'resume', ...asked)).out).toMatch(/^daily: next on .* 06:00 UTC\n$/);
  const near = await lockerflow('schedule', 'run', name, 'dayly');
  expect(near).toMatchObject({ code: 3, err: expect.stringContaining('did you mean daily?') });
});

test('one that Temporal does not have cannot be paused', async () => {
  const name = await published({ daily });
  await handleOf(name, 'daily').delete();
  const commandContext: CommandContext = {
    ...{ client: files.client, flows: new LockerFlows(files.client), taskQueue: files.taskQueue },
    ...{ by: 'anna', why: 'a test' },
  };
  const refused = scheduleCommands.pause.do(commandContext, { flow: name, schedule: 'daily' }, {});
  await expect(refused.then(orThrow)).rejects.toMatchObject({ code: 'ScheduleMissing' });
});
