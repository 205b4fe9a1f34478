// docs/callbacks.md: Where a report goes
// A case number may be the key of any process of ours. One that does not follow the shipment hands the report on: nothing is
// swallowed, also while the process is halted, and by a flow without shipments.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import { eventsOf } from '../../support/history.ts';
import { Outside, reportOf } from '../outside.ts';
import { uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

withShortRunsToo((files) => {
  const waiting = (name: string) => `
name: ${name}
meaning: Waits for an event.
context: { sum: 0 }
initial: waiting
states:
  waiting:
    on:
      failing: { actions: { type: assign, params: { sum: "\${1 / context.sum}" } } }
      enough: over
  over: { type: final }
`;
  const started = async () => {
    const name = uniqueName('Waiting');
    await files.publish(waiting(name));
    const handle = await files.start(name, {});
    const outside = new Outside();
    files.attend(handle.workflowId, outside);
    await untilProgress(handle, ({ state }) => state === 'waiting');
    return { handle, outside };
  };
  const expectHandedOn = async (handle: WorkflowHandle, { unmatched }: Outside) => {
    const report = reportOf(randomUUID(), 'ReadyForPickup', '2031-01-01T10:00:00.000');
    await handle.signal('shipmentStatus', report);
    await vi.waitFor(() => expect(unmatched).toEqual([report]), { timeout: 20_000 });
  };

  test('a process of a flow file hands a report on, and goes on as before', async () => {
    const { handle, outside } = await started();
    await expectHandedOn(handle, outside);
    await handle.signal('shipmentStatus', null);
    await handle.signal('event', { type: 'enough' });
    await handle.result();
  });

  test('a halted one does so too', async () => {
    const { handle, outside } = await started();
    await handle.signal('event', { type: 'failing' });
    await untilProgress(handle, ({ halted }) => halted !== null && halted !== undefined);
    await expectHandedOn(handle, outside);
  });

  test('one that ends with the report in its way hands it on before', async () => {
    const { handle, outside } = await started();
    const report = reportOf(randomUUID(), 'ReadyForPickup', '2031-01-01T10:00:00.000');
    await Promise.all([
      handle.signal('event', { type: 'enough' }),
      handle.signal('shipmentStatus', report).catch(() => undefined),
    ]);
    await handle.result();
    const signals = (await eventsOf(handle)).filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED');
    // A process that has ended takes no more: then the receiver keeps it.
    if (signals.length === 2) expect(outside.unmatched).toEqual([report]);
  });

  test('a flow without shipments hands it on', async () => {
    const workflowId = `onboard-${randomUUID()}`;
    const { taskQueue, client } = files;
    const outside = new Outside();
    files.attend(workflowId, outside);
    const handle = await client.workflow.start('OnboardAccount', {
      workflowId,
      taskQueue,
      args: [{ request: examples.CreateAccount.request }],
    });
    const report = reportOf(randomUUID(), 'ReadyForPickup', '2031-01-01T10:00:00.000');
    await handle.signal('shipmentStatus', report);
    await handle.result();
    expect(outside.unmatched).toEqual([report]);
  });
});
