// Schedules of flow files on a real Temporal: they are made, changed and removed with the file, keep their times over a change
// of summer time, and can be paused and run by hand. Any Temporal client starts a process by the name of its file.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { publishFile } from '../../../client/flow-files/publish.ts';
import { publishedFlow } from '../../../client/flow-files/published-flows.ts';
import { flowSchedules, scheduleIdOf } from '../../../client/flow-files/schedules.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { eventStartsId } from '../../../flows/language/correlation.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { scheduleCommands } from '../../../processes/commands/start.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { temporalProgram } from '../../../scripts/temporal/program.ts';
import { isLongSuite, spreadOf } from '../../support/suite.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();

const report = (name: string, schedules: string) => `
name: ${name}
meaning: Reports what there is.
input: { type: object, required: [of], properties: { of: { type: string } } }
${schedules === '' ? '' : `schedules: { ${schedules} }`}
initial: reporting
states:
  reporting: { always: over }
  over: { type: final }
output: "\${input.of}"
`;

const weekly = 'weekly: { cron: "0 8 * * MON", zone: Europe/Amsterdam, request: { of: laptops } }';

async function published(schedules: string): Promise<string> {
  const name = uniqueName('Report');
  // The server is shared, and a schedule would go on.
  onTestFinished(async () => void (await files.publish(report(name, ''))));
  await files.publish(report(name, schedules));
  return name;
}

const schedulesOf = (name: string) => flowSchedules(files.client, name);

/** The list is not what was written last at once. */
const untilSchedules = (name: string, count: number) =>
  vi.waitUntil(async () => ((await schedulesOf(name)).length === count ? await schedulesOf(name) : false), {
    timeout: 30_000,
    interval: 100,
  });

const localTime = (at: string, zone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));

test('a published schedule starts at its times in its zone', async () => {
  const name = await published(weekly);
  const [schedule] = await untilSchedules(name, 1);
  expect(schedule).toMatchObject({
    name: `${name}/weekly`,
    flow: name,
    cron: '0 8 * * MON',
    zone: 'Europe/Amsterdam',
    overlap: 'skip',
    request: { of: 'laptops' },
    isPaused: false,
  });
  expect(schedule?.next.map((at) => localTime(at, 'Europe/Amsterdam'))).toEqual(Array(5).fill('Mon 08:00'));
});

test('a schedule runs by hand, is paused and resumed; publishing again changes none of that', async () => {
  const name = await published(weekly);
  await untilSchedules(name, 1);
  const { client, taskQueue } = files;
  const act = async (what: 'run' | 'pause' | 'resume', why: string) => {
    const acting = { client, taskQueue, flows: new LockerFlows(client, { taskQueue }), by: 'anna', why };
    return orThrow(await scheduleCommands[what].do(acting, `${name}/weekly`, {}));
  };
  await act('run', 'wanted today');
  const [{ last = [] } = {}] = await vi.waitUntil(
    async () => {
      const found = await schedulesOf(name);
      return (found[0]?.last.length ?? 0) > 0 && found;
    },
    { timeout: 30_000, interval: 100 },
  );
  const [{ key } = { key: '' }] = last;
  expect(key.startsWith(`${name}-weekly-`)).toBe(true);
  expect(await files.client.workflow.getHandle(key).result()).toBe('laptops');
  await act('pause', 'the desk is closed');
  await files.publish(report(name, weekly.replace('0 8', '30 9')));
  const [paused] = await schedulesOf(name);
  expect(paused).toMatchObject({
    isPaused: true,
    note: 'anna: the desk is closed',
    cron: '30 9 * * MON',
    next: [],
  });
  await act('resume', 'wanted today');
  const [resumed] = await schedulesOf(name);
  expect(resumed?.next.map((at) => localTime(at, 'Europe/Amsterdam'))).toEqual(Array(5).fill('Mon 09:30'));
});

test('a schedule that the file has no longer is gone, the others stay', async () => {
  const name = await published(`${weekly}, daily: { cron: "0 6 * * *", request: { of: keys } }`);
  await untilSchedules(name, 2);
  await files.publish(report(name, 'daily: { cron: "0 6 * * *", request: { of: keys } }'));
  expect((await untilSchedules(name, 1)).map((each) => each.name)).toEqual([`${name}/daily`]);
});

test('a publication that was cut off leaves no schedule and no start behind once it is repeated', async () => {
  const name = await published(weekly);
  const type = uniqueName('ordered');
  await files.publish(`${report(name, weekly)}starts: { ${type}: {} }\n`);
  await untilSchedules(name, 1);
  const starts = files.client.workflow.getHandle(eventStartsId(type));
  await vi.waitFor(async () => {
    const listed = files.client.workflow.list({ query: `WorkflowId = '${starts.workflowId}'` });
    for await (const { memo } of listed) return expect(memo).toEqual({ flows: [name] });
    expect.fail('it is not listed');
  }, 30_000);
  const bare = report(name, '');
  const { file } = readFlowFile(bare, { builtIn: [], published: [], connectors: null });
  // The version is there, and nothing else has been done.
  await publishFile(files.client, file as FlowFile, files.taskQueue);
  await files.publish(bare);
  await untilSchedules(name, 0);
  // It ends when it starts no flow any more.
  expect((await starts.describe()).status.name).toBe('COMPLETED');
});

const changesOfClocks: [zone: string, start: string, end: string][] = [
  ['Europe/Amsterdam', '2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z'],
  ['America/New_York', '2026-03-06T14:00:00Z', '2026-03-10T14:00:00Z'],
];

test.each(spreadOf(changesOfClocks, 2))(
  'a day on which the clocks of %s change has one run, at the same local time',
  async (zone, start, end) => {
    const name = await published(`daily: { cron: "0 8 * * *", zone: ${zone}, request: { of: keys } }`);
    await untilSchedules(name, 1);
    await files.client.schedule
      .getHandle(scheduleIdOf(`${name}/daily`))
      .backfill({ start: new Date(start), end: new Date(end), overlap: ScheduleOverlapPolicy.ALLOW_ALL });
    const last = await vi.waitUntil(
      async () => {
        const [{ last: runs = [] } = {}] = await schedulesOf(name);
        return runs.length >= 4 && runs;
      },
      { timeout: 30_000, interval: 100 },
    );
    const times = last.map(({ key }) => key.slice(`${name}-daily-`.length)).sort();
    expect(times).toHaveLength(4);
    expect(times.map((at) => localTime(at, zone).slice(4))).toEqual(Array(4).fill('08:00'));
    // The hour has moved, and no day is missing or doubled.
    expect(new Set(times.map((at) => at.slice(11))).size).toBe(2);
    expect(new Set(times.map((at) => at.slice(0, 10))).size).toBe(4);
  },
);

const runProgram = promisify(execFile);

const greeting = (name: string) => `
name: ${name}
meaning: Greets a user when it is told to.
input: { type: object, required: [user], properties: { user: { type: string } } }
initial: waiting
states:
  waiting: { on: { greet: { target: over } } }
  over: { type: final, output: { said: "Good day, \${input.user}: \${event.data.word}" } }
output: "\${event.output}"
`;

test.runIf(isLongSuite)('by Temporal’s own command line, which signals it and shows its result', async () => {
  const name = uniqueName('Greeting');
  await files.publish(greeting(name));
  const program = await temporalProgram();
  const temporal = async (...args: string[]) =>
    (await runProgram(String(program), ['workflow', ...args, '--address', inject('temporalAddress')])).stdout;
  const id = `greeting-${randomUUID()}`;
  const input = JSON.stringify({ request: { user: 'Anna' } });
  await temporal(
    'start',
    '--type',
    name,
    '--task-queue',
    files.taskQueue,
    '--workflow-id',
    id,
    '--input',
    input,
  );
  await expect
    .poll(() => temporal('query', '--workflow-id', id, '--type', 'progress'), { timeout: 60_000 })
    .toContain('waiting');
  const event = JSON.stringify({ type: 'greet', id: '1', data: { word: 'welcome' } });
  await temporal('signal', '--workflow-id', id, '--name', 'event', '--input', event);
  expect(await temporal('result', '--workflow-id', id)).toContain('Good day, Anna: welcome');
});

test('not with a workflow id of lockerflow’s own', async () => {
  const name = uniqueName('Greeting');
  await files.publish(greeting(name));
  const started = files.client.workflow.start(name, {
    taskQueue: files.taskQueue,
    workflowId: `flow-definition:${name}X`,
    args: [{ request: { user: 'Anna' } }],
  });
  await expect((await started).result()).rejects.toMatchObject({
    cause: {
      type: 'InvalidRequest',
      message: expect.stringContaining('key must not begin with "flow-definition:"'),
    },
  });
});

test('not from a workflow of another type that has the id of its registry', async () => {
  const name = uniqueName('Greeting');
  const { file } = readFlowFile(greeting(name), {
    builtIn: [],
    published: [],
    connectors: { calls: [], events: [] },
  });
  const newest = { file, version: 1, publishedAt: new Date().toISOString() };
  const squatter = await files.client.workflow.start('AnyType', {
    taskQueue: 'nobody-works-here',
    workflowId: `flow-definition:${name}`,
    memo: { newest },
  });
  onTestFinished(async () => void (await squatter.terminate()));
  const started = await files.start(name, { request: { user: 'Anna' } });
  await expect(started.result()).rejects.toMatchObject({ cause: { type: 'FlowUnknown' } });
  await expect(publishedFlow(files.client, name)).resolves.toBeUndefined();
});
