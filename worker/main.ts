#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=20
// The process entry of the worker.
import { readFileSync } from 'node:fs';
import { Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { takeSecretsFromFiles } from '../contract/secret-files.ts';
import { readWorkerSettings } from './settings.ts';
import { installRuntime } from './telemetry.ts';
import { startWorker } from './worker.ts';

try {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  const settings = readWorkerSettings(process.env);
  const log = pino({ base: { part: 'worker' }, level: settings.logLevel });
  installRuntime(settings, log);
  const worker = await startWorker(settings, Runtime.instance().logger);
  log.info({ health: worker.healthUrl, metrics: settings.metricsAddress ?? null }, 'worker started');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void worker.stop());
  await worker.ended;
  log.info('worker stopped');
} catch (error) {
  process.stderr.write(`lockerflow-worker: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
