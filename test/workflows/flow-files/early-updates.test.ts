// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Updates that come before a process has begun: it waits for its definition. With Temporal's Update-with-Start they come with the
// start itself.
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowUpdateFailedError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { refusalOf, runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();

const asking = (name: string) => `
name: ${name}
meaning: The desk looks at a device.
initial: checking
states:
  checking:
    invoke:
      id: check
      src: ask
      input: { of: desk, question: Whole?, fields: { isWhole: { type: yesNo } } }
      onDone: { target: over, actions: { type: assign, params: { isWhole: "\${event.output.isWhole}" } } }
  over: { type: final }
context: { isWhole: null }
output: "\${context.isWhole}"
`;

/** Starts a process together with an update. */
function startedWith(name: string, update: string, payload: object) {
  const startWorkflowOperation = new WithStartWorkflowOperation(name, {
    taskQueue: files.taskQueue,
    workflowId: `${name}-${randomUUID()}`,
    workflowIdConflictPolicy: 'FAIL',
    args: [{ request: {} }],
  });
  const answered = files.client.workflow.executeUpdateWithStart(update, {
    startWorkflowOperation,
    args: [payload],
  });
  return { answered, handle: startWorkflowOperation.workflowHandle() };
}

const answer = { by: 'anna', values: { isWhole: true } };

test('an answer that comes with the start is taken by the first question', async () => {
  const name = uniqueName('Early');
  await files.publish(asking(name));
  const { answered, handle } = startedWith(name, 'answer', answer);
  expect(await answered).toEqual({ question: 'check' });
  const { workflowId } = await handle;
  expect(await (await handle).result()).toBe(true);
  expect(await files.replays(workflowId)).toHaveLength(1);
});

test('what the process does not take is refused as later', async () => {
  const name = uniqueName('EarlyRefused');
  await files.publish(asking(name));
  const early = startedWith(name, 'answer', { by: 'anna', values: { isWhole: 'perhaps' } });
  const refused = await refusalOf(early.answered);
  const handle = await early.handle;
  const later = handle.executeUpdate('answer', { args: [{ by: 'anna', values: { isWhole: 'perhaps' } }] });
  expect(refused).toEqual(await refusalOf(later));
  const unknown = startedWith(name, 'perhaps', {});
  await expect(unknown.answered).rejects.toMatchObject({
    cause: { message: 'No registered handler for update: perhaps' },
  });
  await expect(handle.executeUpdate('perhaps', { args: [{}] })).rejects.toMatchObject({
    cause: { message: 'No registered handler for update: perhaps' },
  });
  for (const each of [handle, await unknown.handle]) await each.terminate();
});

test('whoever has sent one hears why the process could not begin', async () => {
  const { answered, handle } = startedWith(uniqueName('Unpublished'), 'answer', answer);
  const error = await answered.catch((failed: unknown) => failed);
  expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).toContain('neither a built-in flow');
  await expect((await handle).result()).rejects.toThrow();
});
