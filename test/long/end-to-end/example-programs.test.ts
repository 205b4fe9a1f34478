// The example programs run as they stand, from their beginning to their end, against everything real.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { demoSettings } from '../../support/caller.ts';
import { pythonWith } from '../../support/python/python.ts';

const folder = join(import.meta.dirname, '../../../docs/examples/first-flow');
// Two flows, on two cores that other tests keep busy; the first time Python's SDK is installed.
const PATIENCE_MS = 300_000;

const installation = useInstallation(ourService);

async function said(program: string, file: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { service, taskQueue } = installation();
  const { stdout } = await promisify(execFile)(program, [join(folder, file)], {
    env: {
      ...env,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      ...demoSettings(service.address),
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

test.for([
  ['TypeScript', 'first-flow.ts'],
  ['Python', 'first_flow.py'],
] as const)(
  'the %s program brings a device into stock, plays its loan to the end, and prints the result',
  { timeout: PATIENCE_MS },
  async ([language, file], { skip }) => {
    const python = language === 'Python' ? await pythonWith('temporalio') : undefined;
    if (typeof python === 'string') return skip(python);
    const words = await said(python?.program ?? process.execPath, file, python?.env);
    expect(words).toContain('loan: waiting for issue to be picked up until');
    expect(people(words)).toBe(3);
    expect(resultIn(words)).toMatchObject(wholeLoan);
  },
);
