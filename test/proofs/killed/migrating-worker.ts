// A worker of the project's workflows as a process of its own, to be killed while it migrates processes, does a batch,
// hands out events or calls the connector `shop`, which is at the address SHOP_ADDRESS. With HANGS_AFTER=passOn what a process says to others
// arrives, and the process does not learn of it.
import { flushCompileCache } from 'node:module';
import { NativeConnection, Worker } from '@temporalio/worker';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import type { ConnectorCall } from '../../../activities/flow-file-activities.ts';
import { correlationActivities } from '../../../activities/flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { migrationActivities } from '../../../activities/migrations/migration-activities.ts';
import { batchActivities } from '../../../processes/batches/batch-activities.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';

const [address = '', taskQueue = '', codePath = ''] = process.argv.slice(2);
const { SHOP_ADDRESS: shop, HANGS_AFTER: hangsAfter } = process.env;
const settings = {
  connectors: shop ? { shop: { address: shop, allow: ['POST /*'], idempotencyKeyHours: 24 } } : {},
};
const passOn: typeof correlationActivities.passOn = async (messages) => {
  const passed = await correlationActivities.passOn(messages);
  if (hangsAfter === 'passOn') await new Promise(() => undefined);
  return passed;
};
const connectors = new Connectors(readConnectors(JSON.stringify(settings), () => ''));
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath },
  // Its default of 10 s is how long a task waits for a worker that is gone.
  stickyQueueScheduleToStartTimeout: '300 ms',
  activities: {
    ...migrationActivities(),
    ...batchActivities(),
    ...correlationActivities,
    passOn,
    fetchFlowDefinition,
    callConnector: (call: ConnectorCall) => callConnector(connectors, call),
  },
});
const ended = worker.run();
// It is killed, and does not come to write it at its end.
flushCompileCache();
process.stdout.write('ready\n');
await ended;
