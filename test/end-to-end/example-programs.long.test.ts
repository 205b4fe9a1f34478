// The example programs run as they stand, from their beginning to their end, against everything real.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoSettings } from '../support/caller.ts';
import { pythonWith } from '../support/python/python.ts';
import { type Installation, ourService, startInstallation } from './installation.ts';

const folder = join(import.meta.dirname, '../../docs/examples/first-flow');
// Two flows, on two cores that other tests keep busy; the first time Python's SDK is installed.
const PATIENCE_MS = 300_000;

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation(ourService);
});
afterAll(() => installation[Symbol.asyncDispose]());

async function said(program: string, file: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { address } = installation.service;
  const { stdout } = await promisify(execFile)(program, [join(folder, file)], {
    env: {
      ...env,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKERFLOW_TASK_QUEUE: installation.taskQueue,
      ...demoSettings(address),
    },
    timeout: PATIENCE_MS,
  });
  return stdout;
}

const people = (words: string) => [...words.matchAll(/ {2}somebody opens locker \S+ of pup-central/g)].length;

const wholeLoan = {
  outcome: 'Done',
  shipments: {
    issue: { stateCode: 'Completed' },
    intake: { stateCode: 'Completed' },
    circularStock: { stateCode: 'ReadyForPickup' },
  },
};

const resultIn = (words: string): unknown => JSON.parse(words.slice(words.indexOf('\n{') + 1));

test(
  'the TypeScript program brings a device into stock, plays its loan to the end, and prints the result',
  async () => {
    const words = await said(process.execPath, 'first-flow.ts');
    expect(words).toContain('loan: waiting for issue to be picked up until');
    expect(people(words)).toBe(3);
    expect(resultIn(words)).toMatchObject(wholeLoan);
  },
  PATIENCE_MS,
);

test(
  'the Python program does the same',
  async ({ skip }) => {
    const python = await pythonWith('temporalio');
    if (typeof python === 'string') return skip(python);
    const words = await said(python.program, 'first_flow.py', python.env);
    expect(words).toContain('loan: waiting for issue to be picked up until');
    expect(people(words)).toBe(3);
    expect(resultIn(words)).toMatchObject(wholeLoan);
  },
  PATIENCE_MS,
);
