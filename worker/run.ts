// The worker as a process: its settings, its log, the worker itself, and its stop on a signal.
import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { traceFields } from '../shared/telemetry/spans.ts';
import { startTelemetry } from '../shared/telemetry/telemetry.ts';
import { notListeningAt } from '../shared/terminal/listening.ts';
import { programLog } from '../shared/terminal/program-log.ts';
import { shutdownSignal } from '../shared/terminal/shutdown-signal.ts';
import { readWorkerSettings, type WorkerSettings } from './settings.ts';
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

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

function installRuntime({ metricsAddress }: WorkerSettings, log: Logger): void {
  try {
    install(metricsAddress, log);
  } catch (cause) {
    if (metricsAddress === undefined) throw cause;
    throw notListeningAt(metricsAddress, 'WORKER_METRICS_ADDRESS', cause);
  }
}

function install(metricsAddress: string | undefined, log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('TRACE', (entry) => write(log, entry)),
    // The process handles Ctrl-C and SIGTERM itself: it stops more than the worker.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} },
      ...(metricsAddress !== undefined && { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  });
}

function write(log: Logger, { level, message, meta }: LogEntry): void {
  const { error, ...fields } = meta ?? {};
  log[levels[level]]({ ...fields, ...(error !== undefined && { err: error }) }, message);
}
