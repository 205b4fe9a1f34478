// The folder of a local installation is nobody else's, also where it was there before.
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encryptionKey } from '../../local/api-settings.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test.each([
  ['new', false],
  ['there before', true],
])('a folder that is %s is readable by its owner alone', async (_, isThere) => {
  const home = join(await temporaryFolder(), '.lockerflow');
  if (isThere) {
    await mkdir(home);
    await chmod(home, 0o755);
  }
  await encryptionKey(home);
  expect(await modeOf(home)).toBe('700');
});
