// Logs and metrics of the SDK: one runtime for the process, before anything else of the SDK is used.
import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { notListeningAt } from '../shared/terminal/listening.ts';
import type { WorkerSettings } from './settings.ts';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

export function installRuntime({ metricsAddress }: WorkerSettings, log: Logger): void {
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
