// The example programs over HTTP run as they stand, from their beginning to their end, against everything real.
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { generators } from '../../../console/api/generators.ts';
import { useConsoleOf } from '../../../console/console-world.ts';
import { ourService } from '../../../end-to-end/installation.ts';
import { useInstallation } from '../../../end-to-end/use-installation.ts';

const folder = join(import.meta.dirname, '../../../../docs/examples/over-http');
const PATIENCE_MS = 300_000;
const installation = useInstallation(ourService);
const server = useConsoleOf(installation);

async function said(program: string, file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [join(folder, file)], {
    env: { ...process.env, LOCKER_API_URL: installation().service.address, CONSOLE_URL: server().address },
    timeout: PATIENCE_MS,
  });
  return stdout;
}

test(
  'the TypeScript program plays a shipment to its end',
  async () => {
    const words = await said(process.execPath, 'loan.ts');
    expect([...words.matchAll(/somebody opens locker \S+ of pup-central/g)]).toHaveLength(2);
    expect(JSON.parse(words.slice(words.indexOf('\n{')))).toMatchObject({ outcome: 'Done' });
  },
  PATIENCE_MS,
);

test(
  'the shell program books a shipment and cancels it',
  async () => {
    const answers = (await said('sh', 'cancel.sh'))
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answers).toMatchObject([
      { flow: 'Issue', status: 'Running' },
      { command: 'cancel', isDone: true },
      { flow: 'Issue' },
    ]);
  },
  PATIENCE_MS,
);

test(
  'the TypeScript program compiles with the types that are made of the document',
  async () => {
    const headers = { cookie: await server().cookieOf('anna') };
    const written = await mkdtemp(join(import.meta.dirname, 'over-http-'));
    onTestFinished(() => rm(written, { recursive: true }));
    const document = join(written, 'openapi.json');
    await writeFile(document, await (await fetch(`${server().address}/openapi.json`, { headers })).text());
    const generator = join(await generators(), 'openapi-typescript/bin/cli.js');
    const run = promisify(execFile);
    await run(process.execPath, [generator, document, '-o', join(written, 'processes.d.ts')]);
    await copyFile(join(folder, 'loan.ts'), join(written, 'loan.ts'));
    const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext'];
    const options = [...strict, '--types', 'node', '--allowImportingTsExtensions', '--ignoreConfig'];
    const compiler = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
    await run(compiler, [...options, join(written, 'loan.ts')]).catch((error) => {
      throw new Error(String(error.stdout), { cause: error });
    });
  },
  PATIENCE_MS,
);
