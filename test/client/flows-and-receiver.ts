// A worker whose flows have an outside in memory, and a real receiver in front of them, for a file of tests.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, vi } from 'vitest';
import type { ParkInput } from '../../activities/flow-activities.ts';
import { parkedActivities } from '../../activities/parked-activities.ts';
import { parkReports } from '../../activities/parking.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { Received } from '../../client/receiver/receive-callback.ts';
import { type Receiver, startReceiver } from '../../client/receiver/server.ts';
import { readReceiverSettings } from '../../client/receiver/settings.ts';
import { examples } from '../../contract/examples.ts';
import type { Progress } from '../../contract/flow-messages.ts';
import { ownersOf } from '../../routing/owners.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
} from '../support/temporal.ts';
import { Outside } from '../workflows/outside.ts';

const workflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

export const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiB0aGUgY2FsbGJhY2sgdGVzdHM=';

export interface FlowsAndReceiver {
  readonly client: Client;
  readonly flows: LockerFlows;
  readonly outside: Outside;
  readonly received: Received[];
  readonly url: string;
  /** A running Issue flow that its uid finds. */
  issue(businessKey?: string): Promise<{ readonly workflowId: string; readonly shipmentUid: string }>;
  ledger(workflowId: string): Promise<Progress['ledger']>;
}

export function flowsAndReceiver(settings: Readonly<Record<string, string>> = {}): FlowsAndReceiver {
  const taskQueue = newTaskQueue();
  const outside = new Outside();
  const received: Received[] = [];
  let connected: RunningClient;
  let worker: RunningWorker;
  let receiver: Receiver;
  let flows: LockerFlows;

  beforeAll(async () => {
    connected = await connectClient();
    flows = new LockerFlows(connected.client, { taskQueue });
    const activities = {
      ...outside.activities,
      ...parkedActivities(),
      parkReports: (input: ParkInput) => parkReports({ parkFor: 'P30D' }, input),
    };
    worker = await runWorker({ taskQueue, workflows, activities });
    const options = readReceiverSettings({
      CALLBACK_PORT: '0',
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      ...settings,
    });
    receiver = await startReceiver(connected.client, {
      ...options,
      // The tests wait until a flow is found by its uid before they send its callbacks.
      routing: { ...options.routing, lookAgainForMs: 200 },
      onReceived: (one) => received.push(one),
    });
    outside.deliver = async (report) => {
      for (const owner of await ownersOf(connected.client, report.shipmentUid, 'running'))
        await connected.client.workflow.getHandle(owner).signal('shipmentStatus', report);
    };
  });
  afterAll(async () => {
    await receiver.close();
    await worker.stop();
    await connected.close();
  });

  const ledger = async (workflowId: string) => (await flows.handle<'Issue'>(workflowId).progress()).ledger;
  return {
    get client() {
      return connected.client;
    },
    get flows() {
      return flows;
    },
    outside,
    received,
    get url() {
      return receiver.url;
    },
    ledger,
    issue: async (workflowId = `issue ${randomUUID()}`) => {
      const handle = await flows.start('Issue', workflowId, {
        request: examples.CreateLocalShipmentAsIssue.request,
      });
      const shipmentUid = await vi.waitUntil(
        async () => (await handle.progress()).shipments.issue?.shipmentUid,
        { timeout: 20_000 },
      );
      await vi.waitUntil(async () => (await ownersOf(connected.client, shipmentUid, 'running')).length > 0, {
        timeout: 20_000,
      });
      return { workflowId, shipmentUid };
    },
  };
}
