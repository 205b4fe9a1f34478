// The example programs over HTTP run as they stand, from their beginning to their end, against everything real.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { newConsoleOf } from '../console-world.ts';

const folder = join(import.meta.dirname, '../../../examples/over-http');
const PATIENCE_MS = 300_000;
const installation = useInstallation(ourService);

async function said(program: string, file: string): Promise<string> {
  process.env.TEMPORAL_ADDRESS = inject('temporalAddress');
  await using server = await newConsoleOf(installation());
  const { stdout } = await promisify(execFile)(program, [join(folder, file)], {
    env: { ...process.env, LOCKER_API_URL: installation().service.address, CONSOLE_URL: server.address },
    timeout: PATIENCE_MS,
  });
  return stdout;
}

test('the TypeScript program plays a shipment to its end', async () => {
  const words = await said(process.execPath, 'loan.ts');
  expect([...words.matchAll(/somebody opens locker \S+ of pup-central/g)]).toHaveLength(2);
  expect(JSON.parse(words.slice(words.indexOf('\n{')))).toMatchObject({ outcome: 'Done' });
});

test('the shell program books a shipment and cancels it', async () => {
  const answers = (await said('sh', 'cancel.sh'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(answers).toMatchObject([
    { flow: 'Issue', status: 'Running' },
    { command: 'cancel', isDone: true },
    { flow: 'Issue' },
  ]);
});
