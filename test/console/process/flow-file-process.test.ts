// A process of a flow file in the console: what happened in it, and acted on.
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import { DetailedProcesses } from '../../../console/process/process-details.ts';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import { definitionWorkflowId } from '../../../flows/language/registry.ts';
import { doAll, previewAll } from '../../../processes/bulk.ts';
import { answer } from '../../../processes/commands/answer.ts';
import { cancel } from '../../../processes/commands/end.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { ShownProcesses, timelineOfProcess } from '../../../processes/views/shown-process.ts';
import { parkReport } from '../../../shared/routing/park.ts';
import { isLongSuite } from '../../support/suite.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { runningFiles, uniqueName } from '../../workflows/flow-files/running-files.ts';

const files = runningFiles();

function consoleParts(): ConsoleParts {
  const { client, taskQueue } = files;
  const flows = new LockerFlows(client, { taskQueue });
  const temporal = { client, taskQueue, flows };
  const as = ({ name }: { readonly name: string }) => ({ ...temporal, by: name });
  return { ...temporal, temporalUiUrl: 'http://127.0.0.1:8233', as } as unknown as ConsoleParts;
}

/** It tells the outside what it does between what it waits for. */
const telling = (name: string) => `
name: ${name}
meaning: The desk checks a device twice, and each time the outside is told.
initial: first
states:
  first:
    entry: { type: emit, params: { type: checks.begun, data: {} } }
    invoke: { id: first, src: ask, input: { of: ${name}-desk, question: "Is it whole?", fields: { whole: { type: yesNo } } }, onDone: waiting }
  waiting:
    entry: { type: emit, params: { type: checks.first, data: {} } }
    after: { PT1S: second }
  second:
    invoke: { id: second, src: ask, input: { of: ${name}-desk, question: "Is it clean?", fields: { clean: { type: yesNo } } }, onDone: over }
  over: { type: final }
`;

test.runIf(isLongSuite)(
  'what happened is told as the history has it, where the process emits events between its answers',
  async () => {
    const name = uniqueName('Telling');
    await files.publish(telling(name));
    const parts = consoleParts();
    const acting = parts.as({ name: 'anna' });
    const statuses = new DetailedProcesses(parts, new ShownProcesses(parts));
    const { workflowId: key } = await files.start(name, { request: {} });
    for (const [id, value] of [
      ['first', { whole: true }],
      ['second', { clean: false }],
    ] as const) {
      const question = await vi.waitUntil(
        async () => {
          const { active, choices } = await statuses.read(key);
          return active.includes(id) && choices.find((each) => each.id.startsWith('answer:'))?.request.body;
        },
        { timeout: 60_000, interval: 100 },
      );
      orThrow(await answer.do(acting, key, { question: String(question.question), values: value }));
    }
    await files.client.workflow.getHandle(key).result();
    const told = await timelineOfProcess(parts, { key, progress: null });
    const emitted = told.entries.filter(({ what }) => what.startsWith('done: event checks.'));
    expect(emitted.map(({ kind }) => kind)).toEqual(['came', 'came']);
  },
);

test('nobody cancels what lockerflow keeps for itself: a published flow, a parked callback', async () => {
  const name = uniqueName('Telling');
  await files.publish(telling(name));
  const { client } = files;
  const report = { shipmentUid: name, stateCode: 'ReadyForPickup', receivedAt: '2031-05-01T12:00:00Z' };
  const parked = await parkReport(
    client,
    { taskQueue: newTaskQueue(), parkFor: 'P1D' },
    report as ShipmentReport,
  );
  const parts = consoleParts();
  const acting = parts.as({ name: 'bram' });
  const refused = expect.stringContaining('of lockerflow itself');
  for (const key of [definitionWorkflowId(name), parked]) {
    for (const all of [previewAll, doAll])
      for await (const { outcome } of all(cancel, { ...acting, why: 'a mistake' }, [key], {}))
        expect(outcome).toMatchObject({ done: false, refusal: { message: refused } });
    const { events } = await client.workflow.getHandle(key).fetchHistory();
    expect(events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes)).toBe(false);
  }
});
