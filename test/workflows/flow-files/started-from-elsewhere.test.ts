// Any Temporal client can start a flow file by its name: Temporal's own command line, and its SDK for Python (in the long suite).
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { publishedFlow } from '../../../client/flow-files/published-flows.ts';
import { readFlowFile } from '../../../flow-files/reading/read-flow-file.ts';
import { temporalProgram } from '../../../local/temporal/program.ts';
import { pythonWith } from '../../support/python/python.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { isLongSuite } from '../../support/suite.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const run = promisify(execFile);
const files = runningFiles();

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
    (await run(String(program), ['workflow', ...args, '--address', inject('temporalAddress')])).stdout;
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

const python = `
import asyncio, json, sys
from temporalio.client import Client, WorkflowFailureError

address, name, task_queue, workflow_id = sys.argv[1:]

async def main():
    client = await Client.connect(address)
    handle = await client.start_workflow(name, {"request": {"user": "Bram"}}, id=workflow_id, task_queue=task_queue)
    await handle.signal("event", {"type": "greet", "id": "1", "data": {"word": "hello"}})
    print(json.dumps(await handle.result()), flush=True)
    try:
        await client.execute_workflow(name, {"request": {}}, id=workflow_id + "-2", task_queue=task_queue)
    except WorkflowFailureError as error:
        print(error.cause.type + ": " + str(error.cause), flush=True)

asyncio.run(main())
`;

test.runIf(isLongSuite)(
  'by a Python program, which tells it an event, gets its result, and hears why another start is refused',
  async ({ skip }) => {
    const found = await pythonWith('temporalio');
    if (typeof found === 'string') return skip(found);
    const name = uniqueName('Greeting');
    await files.publish(greeting(name));
    const file = join(await temporaryFolder(), 'greet.py');
    await writeFile(file, python);
    const args = [file, inject('temporalAddress'), name, files.taskQueue, `greeting-${randomUUID()}`];
    // We have seen Python crash in the native part of the SDK at its very end, after it had printed everything.
    const { stdout } = await run(found.program, args, { env: found.env }).catch((error) => error);
    expect(stdout).toContain('{"said": "Good day, Bram: hello"}');
    expect(stdout).toContain('InvalidRequest');
    expect(stdout).toContain('request.user is required');
  },
);
