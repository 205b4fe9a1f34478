// A worker of the project's workflows as a process of its own, to be killed while it migrates processes or hands out events.
import { flushCompileCache } from 'node:module';
import { NativeConnection, Worker } from '@temporalio/worker';
import { correlationActivities } from '../../../activities/flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { migrationActivities } from '../../../activities/migrations/migration-activities.ts';

const [address = '', taskQueue = '', codePath = ''] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath },
  // Its default of 10 s is how long a task waits for a worker that is gone.
  stickyQueueScheduleToStartTimeout: '300 ms',
  activities: { ...migrationActivities(), ...correlationActivities, fetchFlowDefinition },
});
const ended = worker.run();
// It is killed, and does not come to write it at its end.
flushCompileCache();
process.stdout.write('ready\n');
await ended;
