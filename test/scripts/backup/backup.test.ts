// What `npm run backup`, `npm run restore` and a start after a restore refuse. The backups are in backup.long.test.ts.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { refusal, said } from './commands.ts';

const root = join(import.meta.dirname, '../../..');

test('what is restored is not started half: npm start refuses after a restore that was cut off', async () => {
  const other = await temporaryFolder();
  await writeFile(join(other, 'restore-unfinished'), '');
  const words = await promisify(execFile)(process.execPath, [join(root, 'scripts/start.ts')], {
    env: { ...process.env, LOCKERFLOW_HOME: other },
  }).catch((error: { stderr: string }) => error.stderr);
  expect(words).toContain('was cut off: run npm run restore -- <folder> again, then start');
});

test('both commands say how they are called, and what they are not for', async () => {
  const other = await temporaryFolder();
  expect(await refusal('backup', other)).toContain(
    'expected one folder: npm run backup -- ../lockerflow-backup',
  );
  expect(await refusal('restore', other, 'a', 'b')).toContain('expected one folder: npm run restore');
  expect(await refusal('backup', other, join(other, 'x'))).toContain('nothing was ever started there');
  expect(await refusal('backup', other, join(other, 'x'), '--from-elsewhere')).toContain('--from-elsewhere');
  expect(await said('backup', other, '--help')).toContain('is in no backup');
  expect(await said('restore', other, '--help')).toContain('is taken only if you say that you trust it');
});
