// The example programs over HTTP run as they stand, from their beginning to their end, against everything real.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { newConsoleOf } from '../console-world.ts';
import { generators } from './generators.ts';

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

const HEAD =
  '// biome-ignore-all format lint: openapi-typescript made this of /openapi.json; docs/integrate.md (Over HTTP) says how.\n';

// With -u it writes them anew.
test(
  'the types of the TypeScript program are those of the document, as long as nothing is published',
  async () => {
    process.env.TEMPORAL_ADDRESS = inject('temporalAddress');
    // Other files of tests publish at the same Temporal.
    const published = vi.spyOn(LockerFlows.prototype, 'published').mockResolvedValue([]);
    onTestFinished(() => published.mockRestore());
    await using server = await newConsoleOf(installation());
    const headers = { cookie: await server.cookieOf('anna') };
    const document = await (await fetch(`${server.address}/openapi.json`, { headers })).text();
    const written = await mkdtemp(join(tmpdir(), 'lockerflow-types-'));
    onTestFinished(() => rm(written, { recursive: true }));
    const [from, to] = [join(written, 'openapi.json'), join(written, 'processes.d.ts')];
    await writeFile(from, document);
    const generator = join(await generators(), 'openapi-typescript/bin/cli.js');
    await promisify(execFile)(process.execPath, [generator, from, '-o', to]);
    const types = HEAD + (await readFile(to, 'utf8'));
    await expect(types).toMatchFileSnapshot(join(folder, 'processes.d.ts'));
  },
  PATIENCE_MS,
);
