#!/usr/bin/env -S node --max-semi-space-size=4 --heap-growing-percent=20
// The process entry of the worker.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../shared/settings/secret-files.ts';
import { processTerminal } from '../shared/terminal/terminal.ts';

try {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  // Imported here: an installation that only starts flows has no parts of a worker, and the error must say so.
  const { runWorker } = await import('./run.ts');
  await runWorker(process.env);
} catch (error) {
  processTerminal('lockerflow-worker').complain(messageOf(error));
  process.exit(1);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return error.message;
  const needed = '@temporalio/worker @temporalio/workflow @temporalio/activity';
  return `${error.message}; a worker needs: npm install ${needed}`;
}
