// What Node compiles of the command lines is kept in the user's cache, and they work where that is not possible.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/set-up-process.ts';

const root = join(import.meta.dirname, '../../../..');

async function help(program: string, variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, ...variables };
  return await promisify(execFile)(process.execPath, [join(root, program), '--help'], { env });
}

const isKeptIn = async (folder: string) =>
  (await readdir(join(folder, 'lockerflow/compiled'), { recursive: true }).catch(() => [])).length > 10;

test.each(['cli/main.ts', 'service/main.ts'])(
  '%s keeps what is compiled in the cache of its user, unless it is told not to',
  async (program) => {
    const [kept, notKept] = [await temporaryFolder(), await temporaryFolder()];
    await help(program, { XDG_CACHE_HOME: kept });
    expect(await isKeptIn(kept)).toBe(true);
    await help(program, { XDG_CACHE_HOME: notKept, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await isKeptIn(notKept)).toBe(false);
  },
);

test('where the cache cannot be written, a command works and says nothing of it', async () => {
  const { stdout, stderr } = await help('cli/main.ts', { XDG_CACHE_HOME: '/dev/null' });
  expect(stdout).toContain('lockerflow');
  expect(stderr).toBe('');
});
