// Any Temporal client starts a process by the name of its file, on a real Temporal.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { publishedFlow } from '../../../client/flow-files/published-flows.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { ContractError } from '../../../contract/wire/contract-error.ts';
import { issue } from '../../../flows/built-in/flows.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import { temporalProgram } from '../../../local/temporal/program.ts';
import { recordedProcess } from '../../../processes/views/backtest/recorded-process.ts';
import { newTaskQueue, runWorker } from '../../support/temporal.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();

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

test('by Temporal’s own command line, which signals it and shows its result', { tags: 'long' }, async () => {
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
    ...['--workflow-id', id, '--input', input],
  );
  await expect
    .poll(() => temporal('query', '--workflow-id', id, '--type', 'progress'), { timeout: 60_000 })
    .toContain('waiting');
  const event = JSON.stringify({ type: 'greet', id: '1', data: { word: 'welcome' } });
  await temporal('signal', '--workflow-id', id, '--name', 'event', '--input', event);
  expect(await temporal('result', '--workflow-id', id)).toContain('Good day, Anna: welcome');
});

test('by lockerflow it runs the version that its input was checked by, and a worker fetches nothing', async () => {
  const name = uniqueName('Greeting');
  await files.publish(greeting(name));
  const taskQueue = newTaskQueue();
  const flows = new LockerFlows(files.client, { taskQueue });
  const handle = await flows.startPublished(name, `${name}-1`, { request: { user: 'Anna' } });
  await files.publish(greeting(name).replace('Good day', 'Hello'));
  const { searchAttributes } = await files.client.workflow.getHandle(handle.workflowId).describe();
  expect(searchAttributes).toMatchObject({ LockerFlowVersion: [`${name}@1`] });
  const worker = await runWorker({ taskQueue, activities: {} });
  onTestFinished(() => worker.stop());
  await handle.sendEvent({ type: 'greet', data: { word: 'welcome' } });
  expect(await handle.result()).toEqual({ said: 'Good day, Anna: welcome' });
  expect(await files.replays(handle.workflowId)).toHaveLength(1);
  // Its start has said all that lists know of it.
  const { events } = await files.client.workflow.getHandle(handle.workflowId).fetchHistory();
  const upserts = events?.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes);
  expect(upserts).toEqual([]);
  expect(await recordedProcess(files.client, handle.workflowId)).toMatchObject({ version: 1 });
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
  const current = { file, version: 1, newest: 1, publishedAt: new Date().toISOString() };
  const squatter = await files.client.workflow.start('AnyType', {
    taskQueue: 'nobody-works-here',
    workflowId: `flow-definition:${name}`,
    memo: { current },
  });
  onTestFinished(async () => void (await squatter.terminate()));
  const started = await files.start(name, { request: { user: 'Anna' } });
  await expect(started.result()).rejects.toMatchObject({ cause: { type: 'FlowUnknown' } });
  await expect(publishedFlow(files.client, name)).resolves.toBeUndefined();
});

test('a copy of a built-in flow with what that flow does not take: refused by the client, and by a worker', async () => {
  const name = uniqueName('Parcel');
  await files.publish(JSON.stringify({ ...fileOf(issue), name }));
  const flows = new LockerFlows(files.client, { taskQueue: files.taskQueue });
  const { request } = examples.CreateLocalShipmentAsIssue;
  const input = {
    request: { ...request, pupUid: 3 },
    deadlines: { issue: { pickUp: '3 days' } },
    tell: { events: [] },
  };
  const refusal = await Promise.resolve()
    .then(() => flows.check('Issue', input))
    .catch((error: ContractError) => error);
  expect(refusal).toBeInstanceOf(ContractError);
  const { issues } = refusal as ContractError;
  for (const { field } of [{ field: 'request.pupUid' }, { field: 'deadlines.issue.pickUp' }])
    expect(issues.map((each) => each.field)).toContain(field);
  await expect(flows.checkAny(name, input)).rejects.toMatchObject({ code: 'InvalidRequest', issues });
  const started = await files.start(name, input);
  await expect(started.result()).rejects.toMatchObject({
    cause: {
      type: 'InvalidRequest',
      message: expect.stringContaining(`${name}: request.pupUid `),
      details: [{ issues }],
    },
  });
  // Nothing was tried: the first thing that a process does is to fetch its file.
  const { events } = await started.fetchHistory();
  expect(
    (events ?? []).some(({ activityTaskScheduledEventAttributes }) => activityTaskScheduledEventAttributes),
  ).toBe(false);
});
