// The worker of the benchmark of migrations: the project's own workflows, as a process that can be killed.
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { migrationActivities } from '../../../activities/migrations/migration-activities.ts';

const [address = '', taskQueue = '', codePath = ''] = process.argv.slice(2);
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
});
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath },
  activities: { ...migrationActivities(), fetchFlowDefinition },
  // As in production.
  maxCachedWorkflows: 500,
});
const ended = worker.run();
process.send?.('ready');
await ended;
