// From a change of state in the service to the flow having seen it, with everything real and in processes of its own:
// service, callback, receiver, Temporal, worker. Measured from the state's own start, which is before its commit, to the
// end of the workflow task that took the signal, as Temporal's history has it.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, tsToMs } from '@temporalio/common';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { workflowBundle } from '../../local/workflow-bundle.ts';
import { inLanes } from './in-lanes.ts';
import { startLocalProcess } from './local-process.ts';
import { startLocalService } from './local-service.ts';
import { percentile, printTable } from './table.ts';

const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';
/** Changes that are under way at a time, and how many flows with two changes each are played so. */
const loads = [
  { atOnce: 1, flows: 40 },
  { atOnce: 8, flows: 120 },
];

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const service = await startLocalService();
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const receiver = await startLocalProcess('client/receiver/main.ts', 'receiver started', {
  TEMPORAL_ADDRESS: temporal.address,
  CALLBACK_PORT: '0',
  LOCKER_CALLBACK_KEY: KEY,
});
const worker = await startLocalProcess('worker/main.ts', 'worker started', {
  TEMPORAL_ADDRESS: temporal.address,
  LOCKER_API_URL: service.address,
  LOCKER_AUTH_URL: service.address,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
  LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
  WORKER_PORT: '0',
  WORKER_WORKFLOW_BUNDLE: await workflowBundle(folder),
});
await service.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
const connection = await Connection.connect({ address: temporal.address });
const client = new Client({ connection });
const flows = new LockerFlows(client);

/** Milliseconds of each change of the flow: until Temporal had the signal, and until the flow had seen it. */
interface Change {
  readonly signalled: number;
  readonly seen: number;
}

async function played(): Promise<Change[]> {
  const handle = await flows.start('Issue', `bench ${randomUUID()}`, {
    request: {
      pupUid: 'pup-central',
      toUserUid: 'user-anna',
      dimension: { width: 10, height: 10, length: 10 },
      allowLargerLockers: true,
      allowOverflowLockers: true,
    },
  });
  const shipmentUid = await untilBooked(handle);
  for (const unlockGoal of ['DropOff', 'PickUp'])
    await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
  await handle.result();
  return await changesOf(handle.workflowId);
}

async function untilBooked(handle: Awaited<ReturnType<typeof flows.start<'Issue'>>>): Promise<string> {
  for (;;) {
    const { shipments } = await handle.progress();
    if (shipments.issue) return shipments.issue.shipmentUid;
    await delay(20);
  }
}

async function changesOf(workflowId: string): Promise<Change[]> {
  const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
  const all = events ?? [];
  return all.flatMap((event, index) => {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (!signal) return [];
    const report = defaultPayloadConverter.fromPayload<ShipmentReport>(signal.input?.payloads?.[0] ?? {});
    const startedAt = Date.parse(report.stateStart ?? '');
    const task = all.slice(index).find((each) => each.workflowTaskCompletedEventAttributes);
    return [{ signalled: tsToMs(event.eventTime) - startedAt, seen: tsToMs(task?.eventTime) - startedAt }];
  });
}

async function measured({ atOnce, flows: count }: (typeof loads)[number]): Promise<Change[]> {
  const changes: Change[] = [];
  await inLanes(atOnce, count, async () => changes.push(...(await played())));
  return changes;
}

// The first flows pay for all that is made once.
await measured({ atOnce: 4, flows: 12 });
const rows = [];
for (const load of loads) {
  const changes = await measured(load);
  const of = (figure: keyof Change, share: number) =>
    percentile(
      changes.map((change) => change[figure]),
      share,
    );
  rows.push({
    'flows at once': load.atOnce,
    changes: changes.length,
    'in Temporal p50 ms': of('signalled', 0.5),
    'p99 ms': of('signalled', 0.99),
    'seen p50 ms': of('seen', 0.5),
    'seen p99 ms': of('seen', 0.99),
  });
}
printTable(rows);

await worker.stop();
await receiver.stop();
await connection.close();
await temporal.stop();
await service[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
