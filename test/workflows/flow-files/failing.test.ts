// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What fails while a process runs, on a real Temporal: a process that another one has invoked, a local call that never succeeds,
// and half of a surrogate pair, which Temporal does not take in any text.
// test/flows/language/failing.test.ts has each kind of failure without Temporal.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import proto from '@temporalio/proto';
import { expect, onTestFinished, test } from 'vitest';
import { correlationActivities } from '../../../activities/flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { writeWholeTexts } from '../../../shared/codec/whole-texts.ts';
import { connectClient, newTaskQueue, runWorker } from '../../support/temporal.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();

test('a process that fails tells the code and the data to the one that has invoked it', async () => {
  const [inner, outer] = [uniqueName('Inner'), uniqueName('Outer')];
  await files.publish(`
name: ${inner}
meaning: Fails at once.
initial: failed
states:
  failed:
    type: final
    entry: { type: fail, params: { code: PartsMissing, message: "no hinge", detail: { part: hinge } } }
`);
  await files.publish(`
name: ${outer}
meaning: Invokes it, and then the locker API.
context: { inner: null, refused: null }
initial: waiting
states:
  waiting:
    invoke: { src: ${inner}, input: {}, onDone: over, onError: { target: asking, actions: { type: assign, params: { inner: "\${event.error}" } } } }
  asking:
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: { target: over, actions: { type: assign, params: { refused: "\${event.error}" } } } }
  over: { type: final }
output: "\${context}"
`);
  files.answer = () => {
    throw ApplicationFailure.nonRetryable('no', 'InvalidPupUid', { httpStatus: 404, evidence: 'not found' });
  };
  const handle = await files.start(outer, { request: {} });
  expect(await handle.result()).toEqual({
    inner: { code: 'PartsMissing', message: 'no hinge', status: null, detail: { part: 'hinge' } },
    refused: { code: 'InvalidPupUid', message: 'no', status: 404, detail: 'not found' },
  });
});

test('processes whose local call never succeeds leave the worker to others, and go on once it does', async () => {
  const { client, close } = await connectClient();
  onTestFinished(close);
  const taskQueue = newTaskQueue();
  let isFailing = true;
  const worker = await runWorker({
    taskQueue,
    maxConcurrentWorkflowTaskExecutions: 2,
    activities: {
      ...correlationActivities,
      fetchFlowDefinition,
      passOn: async (given: Parameters<typeof correlationActivities.passOn>[0]) => {
        if (isFailing) throw ApplicationFailure.retryable('not now');
        await correlationActivities.passOn(given);
      },
    },
  });
  onTestFinished(() => worker.stop());
  const [listens, other] = [uniqueName('Listens'), uniqueName('Other')];
  const key = randomUUID();
  const published = async (name: string, more: string) => {
    const text = `name: ${name}\nmeaning: Goes on.\n${more}\ninitial: waiting
states: { waiting: { after: { PT1S: over } }, over: { type: final } }`;
    await publishFiles(client, [{ path: 'flow.yaml', text }], taskQueue);
  };
  await published(listens, `correlate: { key: ${key} }`);
  await published(other, '');
  const start = (name: string) =>
    client.workflow.start(name, {
      taskQueue,
      workflowId: `${name}-${randomUUID()}`,
      args: [{ request: {} }],
    });
  const failing = await Promise.all(Array.from({ length: 4 }, () => start(listens)));
  expect(await (await start(other)).result()).toBeNull();
  isFailing = false;
  for (const handle of failing) expect(await handle.result()).toBeNull();
});

// As each worker and each client does by its data converter.
writeWholeTexts();

test('a text for Temporal has no half of a surrogate pair, whatever its length', () => {
  const { WorkflowExecution } = proto.temporal.api.common.v1;
  for (const text of ['a\ud83d', `${'a'.repeat(50)}\ud83d`, '🔑']) {
    const { workflowId } = WorkflowExecution.decode(WorkflowExecution.encode({ workflowId: text }).finish());
    expect(workflowId).toBe(text.toWellFormed());
  }
});

test('a process, and a call, that fail with half of one fail, and their worker goes on', async () => {
  const name = uniqueName('Half');
  await files.publish(`
name: ${name}
meaning: Fails with the first half of a character.
input: { type: object, properties: { text: { type: string } } }
initial: looking
states:
  looking:
    invoke: { id: look, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 1 }, onDone: failed, onError: failed }
  failed: { type: final, entry: { type: fail, params: { code: X, message: "\${input.text.substring(0, 1)}" } } }
`);
  const outcome = async () =>
    await (await files.start(name, { request: { text: '😀' } }))
      .result()
      .catch((error: Error) => error.cause);
  files.answer = () => {
    throw ApplicationFailure.nonRetryable('\ud83d', 'CallRefused');
  };
  expect(await outcome()).toMatchObject({ message: '\ufffd', type: 'X' });
  files.answer = () => ({});
  expect(await outcome()).toMatchObject({ message: '\ufffd', type: 'X' });
});
