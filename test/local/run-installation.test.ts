// One installation at a time has a folder: two would share one store of Temporal.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installationFile } from '../../cli/running-installation.ts';
import { aloneIn } from '../../local/run-installation.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

test('a second one in the folder is refused, and told of the first one', async () => {
  const home = join(await temporaryFolder(), 'home');
  await aloneIn(home, async () => {
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    await expect(aloneIn(home, async () => 'two')).rejects.toThrow(
      'lockerflow runs here already, with its data',
    );
    const variables = { CONSOLE_URL: 'http://127.0.0.1:8088' };
    await writeFile(installationFile(home), JSON.stringify({ pid: 4711, variables }));
    await expect(aloneIn(home, async () => 'two')).rejects.toThrow(
      'runs here already (process 4711, its console is http://127.0.0.1:8088)',
    );
  });
  expect(await aloneIn(home, async () => 'the next one')).toBe('the next one');
});
