// A service of somebody else, with nothing of lockerflow but its package: starts flows, runs them in a worker of its own,
// and takes the callbacks in its own HTTP server. It writes what came of it as one JSON object.
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { flowWorkerOptions } from 'lockerflow/activities';
import { LockerApi } from 'lockerflow/api';
import {
  callbackHandler,
  connectTemporal,
  FlowFailed,
  LockerFlows,
  readReceiverSettings,
  receiveCallback,
  registerSearchAttributes,
} from 'lockerflow/client';
import { readServiceProfile, type StateCode, serviceProfileSettings, stateCodes } from 'lockerflow/contract';
import { bundleWorkflows } from 'lockerflow/worker';

const { SERVICE_ADDRESS, TEMPORAL_ADDRESS, LOCKERFLOW_TASK_QUEUE, LOCKER_CALLBACK_KEY, BUSINESS_KEY } =
  process.env;
assert(SERVICE_ADDRESS && TEMPORAL_ADDRESS && LOCKERFLOW_TASK_QUEUE && LOCKER_CALLBACK_KEY && BUSINESS_KEY);

const api = new LockerApi({
  apiUrl: SERVICE_ADDRESS,
  authUrl: SERVICE_ADDRESS,
  clientId: 'demo',
  clientSecret: 'demo-secret',
});
const temporal = await connectTemporal();
await registerSearchAttributes(temporal.client);

// Its own server, with the callbacks under one of its own paths.
const callbacks: (string | null)[] = [];
const settings = readReceiverSettings(process.env);
const receive = receiveCallback(temporal.client, {
  ...settings,
  onReceived: ({ became, shipmentUid }) => void callbacks.push(became === 'signalled' ? shipmentUid : became),
});
const handleCallback = callbackHandler(receive, settings);
const server = createServer((request, response) => {
  if (request.url === '/lockers/callbacks') void handleCallback(request, response);
  else response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
await api.call('ConfigureCallback', {
  url: `http://127.0.0.1:${port}/lockers/callbacks`,
  authType: 'HMAC',
  authKey: LOCKER_CALLBACK_KEY,
});

// People at the locker.
const goals: Partial<Record<StateCode, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};
const isStateCode = (code: string | null | undefined): code is StateCode =>
  stateCodes.some((known) => known === code);

// Its own worker.
const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS });
const worker = await Worker.create({
  connection,
  taskQueue: LOCKERFLOW_TASK_QUEUE,
  workflowBundle: {
    code: await bundleWorkflows({ workflowsPath: fileURLToPath(import.meta.resolve('./workflows.js')) }),
  },
  ...flowWorkerOptions({
    api,
    serviceProfile: readServiceProfile(serviceProfileSettings.parse(process.env)),
  }),
});

const booking = {
  toUserUid: 'user-anna',
  pupUid: 'pup-central',
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: true,
  allowOverflowLockers: false,
};

const outcome = await worker.runUntil(async () => {
  const flows = new LockerFlows(temporal.client, { taskQueue: LOCKERFLOW_TASK_QUEUE });
  const handle = await flows.start('Issue', BUSINESS_KEY, { request: booking });
  const opened = new Set<StateCode>();
  for await (const { shipments } of handle.follow({ everyMs: 100 })) {
    const { shipmentUid, stateCode } = shipments.issue ?? {};
    if (!shipmentUid || !isStateCode(stateCode) || opened.has(stateCode)) continue;
    opened.add(stateCode);
    const unlockGoal = goals[stateCode];
    if (unlockGoal) await api.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
  }
  const result = await handle.result();
  const dimension = { width: 900, height: 900, length: 900 };
  const refused = await flows.start('Issue', `${BUSINESS_KEY}-refused`, {
    request: { ...booking, dimension },
  });
  const refusal: unknown = await refused.result().catch((error: unknown) => error);
  const ownRun = (count: number) =>
    temporal.client.workflow.execute('evaluated', {
      workflowId: `${BUSINESS_KEY}-own-${count}`,
      taskQueue: LOCKERFLOW_TASK_QUEUE,
    });
  const toldFlow = callbacks.splice(0);
  return {
    callbacks: toldFlow,
    followed: await followedToItsEnd(),
    evaluated: [await ownRun(1), await ownRun(2)],
    outcome: result.outcome,
    shipmentUid: result.shipments.issue?.shipmentUid ?? null,
    refusal: refusal instanceof FlowFailed ? refusal.code : String(refusal),
  };
});

/** A workflow of its own gets the callbacks of a shipment that no flow has booked. */
async function followedToItsEnd(): Promise<{ ended: string; callbacks: readonly (string | null)[] }> {
  const { shipmentUids } = await api.call('CreateLocalShipmentAsIssue', booking);
  const [shipmentUid = ''] = shipmentUids;
  const handle = await temporal.client.workflow.start('FollowShipment', {
    workflowId: `${BUSINESS_KEY}-followed`,
    taskQueue: LOCKERFLOW_TASK_QUEUE ?? '',
    args: [shipmentUid],
  });
  await api.call('CancelShipment', { shipmentUid });
  const ended: string = await handle.result();
  return { ended, callbacks };
}

await api.call('ConfigureCallback', { url: null, authType: 'None' });
server.close();
await Promise.all([connection.close(), temporal.close(), api.close()]);
process.stdout.write(JSON.stringify(outcome));
