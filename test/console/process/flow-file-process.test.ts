// What the console never cancels.
import { expect, test } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import { definitionWorkflowId } from '../../../flows/language/registry.ts';
import { cancel } from '../../../processes/commands/end.ts';
import { parkReport } from '../../../shared/routing/park.ts';
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

const waiting = (name: string) => `
name: ${name}
meaning: It waits.
initial: waiting
states: { waiting: { on: { came: over } }, over: { type: final } }
`;

test('nobody cancels what lockerflow keeps for itself: a published flow, a parked callback', async () => {
  const name = uniqueName('Waiting');
  await files.publish(waiting(name));
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
    for (const act of [cancel.preview, cancel.do])
      expect(await act({ ...acting, why: 'a mistake' }, key, {})).toMatchObject({
        done: false,
        refusal: { message: refused },
      });
    const { events } = await client.workflow.getHandle(key).fetchHistory();
    expect(events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes)).toBe(false);
  }
});
