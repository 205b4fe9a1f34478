// A worker in a process of its own, so that its processor time and memory are its own: runs the workflows of the file that
// it is given. Asked over IPC what it has used so far.
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';

export interface Used {
  readonly bundleBytes: number;
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Until its parent lets it go. @param more of what it tells when it is asked */
export async function measuredWorker(
  options: Pick<WorkerOptions, 'activities' | 'maxCachedWorkflows'>,
  more: () => object = () => ({}),
): Promise<void> {
  const [workflowsPath = '', taskQueue = '', address = ''] = process.argv.slice(2);
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const code = await bundleWorkflows({ workflowsPath, preloadModules: [workflowsPath] });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({ connection, taskQueue, workflowBundle: { code }, ...options });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const used: Used = {
      bundleBytes: Buffer.byteLength(code),
      cpuMs: (user + system) / 1_000,
      residentBytes: process.memoryUsage().rss,
    };
    process.send?.({ ...used, ...more() });
  });
  process.on('disconnect', () => worker.shutdown());
  // Gone while this process was starting.
  if (!process.connected) process.exit();
  const ended = worker.run();
  process.send?.('ready');
  await ended;
  await connection.close();
}
