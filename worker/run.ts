// The worker as a process: its settings, its log, the worker itself, and its stop on a signal.
import { Runtime } from '@temporalio/worker';
import { traceFields } from '../shared/telemetry/spans.ts';
import { startTelemetry } from '../shared/telemetry/telemetry.ts';
import { programLog, shutdownSignal } from '../shared/terminal/program-log.ts';
import { readWorkerSettings } from './settings.ts';
import { installRuntime } from './telemetry.ts';
import { startWorker } from './worker.ts';

/** Resolves when the worker has ended after a request to stop. */
export async function runWorker(variables: NodeJS.ProcessEnv): Promise<void> {
  const settings = readWorkerSettings(variables);
  const { log } = programLog('worker', settings.logLevel, traceFields);
  const telemetry = await startTelemetry('worker', variables);
  installRuntime(settings, log);
  const worker = await startWorker(settings, Runtime.instance().logger);
  log.info({ health: worker.healthUrl, metrics: settings.metricsAddress ?? null }, 'worker started');
  void shutdownSignal().then(() => {
    // How it ends is told below.
    void worker.stop();
  });
  await worker.ended;
  await telemetry.stop();
  log.info('worker stopped');
}
