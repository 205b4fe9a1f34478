// A worker as a process of its own, to be killed: address, task queue, and the path of its bundle.
import { flushCompileCache } from 'node:module';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address = '', taskQueue = '', codePath = ''] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowBundle: { codePath },
  // Its default of 10 s is how long a task waits for a worker that is gone.
  stickyQueueScheduleToStartTimeout: '300 ms',
  activities: {
    measure: async () => ({ value: 100 }),
  },
});
const ended = worker.run();
// It is killed, and does not come to write it at its end.
flushCompileCache();
process.stdout.write('ready\n');
await ended;
