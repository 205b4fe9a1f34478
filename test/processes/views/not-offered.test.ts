// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What a locker service does not offer is known by code and operation, and not by words: of a call that is tried again, of a process
// that has failed, and of one that stands still; on a real Temporal, which keeps only so much of a failure.
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { refusedCallIn } from '../../../contract/wire/refused-call.ts';
import { tryingOf } from '../../../processes/views/execution.ts';
import { ProcessFailures } from '../../../processes/views/failures.ts';
import { formatFailure } from '../../../processes/views/readable.ts';
import { runningFiles, uniqueName, untilProgress } from '../../workflows/flow-files/running-files.ts';

const files = runningFiles();
const PLAIN = 'this locker service cannot list lockers';

/** Its message has more than anybody reads, and neither code nor operation. */
const refusal = (nonRetryable: boolean) =>
  ApplicationFailure.create({
    type: 'UnknownOperation',
    message: `nothing of this kind is here: ${'x'.repeat(500)}`,
    nonRetryable,
    details: [{ operation: 'GetLockers', code: 'UnknownOperation', httpStatus: 404 }],
  });

async function started(more: string): Promise<WorkflowHandle> {
  const name = uniqueName('Looks');
  await files.publish(`
name: ${name}
meaning: Looks for lockers.
initial: looking
states:
  looking:
    invoke: { src: GetLockers, input: { pageNo: 1, pageSize: 10 }, onDone: over${more} }
  over: { type: final }
  refused:
    type: final
    entry: { type: fail, params: { code: "\${event.error.code}", message: "\${event.error.message}" } }
`);
  return await files.start(name, {});
}

test('of a call that is tried again', async () => {
  files.answer = () => {
    throw refusal(false);
  };
  const handle = await started('');
  const trying = () => handle.describe().then((described) => tryingOf(files.client, described));
  const failed = await vi.waitUntil(async () => (await trying()).find(({ lastFailure }) => lastFailure), {
    timeout: 30_000,
  });
  expect(failed).toMatchObject({ activity: 'callLockerApi', notOffered: 'GetLockers' });
  await handle.terminate();
});

test('of a process that has failed', async () => {
  files.answer = () => {
    throw refusal(true);
  };
  const handle = await started(', onError: refused');
  await expect(handle.result()).rejects.toThrow();
  const { workflowId, runId } = await handle.describe();
  const failures = await new ProcessFailures({ client: files.client }).of([
    { workflowId, runId, status: 'Failed' },
  ]);
  expect(failures.get(runId)).toEqual({
    code: 'UnknownOperation',
    words: 'This locker service cannot list lockers.',
  });
});

test('of a process that stands still at the refusal', async () => {
  files.answer = () => {
    throw refusal(true);
  };
  const handle = await started('');
  const { halted } = await untilProgress(handle, (progress) => progress.halted !== null);
  expect(halted?.details?.refused).toEqual({ code: 'UnknownOperation', operation: 'GetLockers' });
  expect(formatFailure({ message: halted?.message ?? '', fault: halted?.details }, new Map())).toContain(
    PLAIN,
  );
  await handle.terminate();
});

test.each([
  ['UnknownOperation', { operation: 'GetLockers' }, { notOffered: 'GetLockers' }],
  ['NotAvailable', { operation: 'GetLockers' }, { notOffered: 'GetLockers' }],
  ['InvalidPupUid', { operation: 'GetLockers' }, {}],
  ['UnknownOperation', null, {}],
  [undefined, { operation: 3 }, {}],
])('a failure %s with %j says %j', (code, detail, said) => {
  expect(refusedCallIn(code, detail)).toEqual(said);
});
