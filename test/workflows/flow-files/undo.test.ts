// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// assumptions: Connectors, Undoing steps
// Undoing finished steps on a real Temporal: over several runs of the process and another worker, in reverse, once each.
import { ApplicationFailure } from '@temporalio/activity';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { bundleOf } from '../../support/bundles.ts';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();
const STEPS = 6;

const file = (name: string) => `
name: ${name}
meaning: Opens some lockers, and cancels their shipments.
context: { booked: 0 }
initial: booking
states:
  booking:
    on: { cancelRequested: undoing }
    invoke:
      id: book
      src: UnlockShipmentLocker
      input: { shipmentUid: "s-\${context.booked + 1}" }
      undo: { src: CancelShipment, input: { shipmentUid: "s-\${context.booked + 1}" } }
      onDone:
        - { guard: "\${context.booked == ${STEPS - 1}}", target: waiting }
        - { target: booking, reenter: true, actions: { type: assign, params: { booked: "\${context.booked + 1}" } } }
      onError: over
  waiting:
    on: { cancelRequested: undoing }
  undoing: { invoke: { id: undo, src: undo, input: { of: desk }, onDone: over } }
  over: { type: final }
`;

test('steps are undone in reverse, once each, over runs and workers; a person decides about what is refused', async () => {
  const name = uniqueName('Booking');
  await files.publish(file(name));
  let refusals = 1;
  files.answer = ({ operation, request }) => {
    if (operation !== 'CancelShipment' || request.shipmentUid !== 's-4' || refusals-- <= 0) return {};
    throw ApplicationFailure.nonRetryable('it is being collected', 'InvalidShipmentState');
  };
  const handle = await files.start(name, { request: {} });
  await untilProgress(handle, ({ state }) => state === 'waiting');
  const { runId, raw } = await handle.describe();
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
  await handle.cancel();
  const { questions, undoable } = await untilProgress(handle, ({ questions: open }) => open.length > 0);
  expect(questions).toMatchObject([{ id: 'undo.book.failed', of: 'desk' }]);
  expect(undoable).toHaveLength(4);
  await files.restartWorker();
  await handle.executeUpdate('answer', { args: [{ values: { action: 'again' }, by: 'anna' }] });
  await expect(handle.result()).rejects.toThrow();
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  const undone = files.calls.filter(({ operation }) => operation === 'CancelShipment');
  expect(undone.map(({ request }) => request.shipmentUid)).toEqual([
    's-6',
    's-5',
    's-4',
    's-4',
    's-3',
    's-2',
    's-1',
  ]);
  // Each has a key of its own; what is tried again has the same.
  expect(new Set(undone.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(STEPS);
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: await bundleOf() }, history, handle.workflowId);
}, 120_000);
