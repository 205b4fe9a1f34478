// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Half a surrogate pair, as an expression that cuts a text in the middle of an emoji makes it, or as another system sends it: Temporal
// takes no such text, and a worker that gave it one would end, again after each restart.

import { ApplicationFailure } from '@temporalio/common';
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { writeWholeTexts } from '../../../runtime/codec/whole-texts.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();
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
