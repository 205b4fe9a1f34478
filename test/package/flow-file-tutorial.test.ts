// docs/flow-files.md, walked from an empty folder with the installed package: each command of the page as it stands there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../local/ports.ts';
import { productionBundle } from '../support/bundles.ts';
import { type InstalledPackage, installPackage, pathOfOldestNode, run } from './installed-package.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/flow-files.md'), 'utf8');
const SLOW_MS = 240_000;

let installed: InstalledPackage;
let folder: string;
let temporalAddress: string;
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  [installed, temporalAddress] = await Promise.all([installPackage(), npmStart()]);
  folder = join(installed.folder, 'parcel');
  await mkdir(folder);
}, 2 * SLOW_MS);
afterAll(async () => {
  for (const { stop } of started) await stop();
  await installed?.[Symbol.asyncDispose]();
}, SLOW_MS);

/** What `npm start` brings up, less its set-up and the demo. Gives the address of its Temporal. */
async function npmStart(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-home-'));
  const names = ['POSTGRES', 'SERVICE', 'TEMPORAL', 'TEMPORAL_UI', 'CALLBACK', 'WORKER'];
  const ports: Record<string, string> = {};
  for (const name of names) ports[`${name}_PORT`] = String(await freePort());
  const child = spawn(process.execPath, ['local/start.ts', '--no-demo'], {
    cwd: root,
    env: {
      ...process.env,
      ...ports,
      LOCKERFLOW_HOME: home,
      WORKER_WORKFLOW_BUNDLE: await productionBundle(),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'close');
  started.push({
    async stop() {
      child.kill('SIGINT');
      await exit;
      await rm(home, { recursive: true });
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  await vi.waitUntil(() => /everything is up|^lockerflow: /m.test(said), { timeout: SLOW_MS });
  if (!said.includes('everything is up')) throw new Error(said);
  return `127.0.0.1:${ports.TEMPORAL_PORT}`;
}

/** The blocks of a language, in the page's order. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

/** Runs a line of the page as a shell would, with what the package has installed. */
async function typed(line: string): Promise<string> {
  const path = `${join(installed.folder, 'node_modules/.bin')}:${await pathOfOldestNode()}`;
  return await run('sh', ['-c', line], folder, {
    ...{ PATH: path, HOME: installed.folder, TEMPORAL_ADDRESS: temporalAddress },
  });
}

test(
  'a person comes from an empty folder to a process that has run, by the page alone',
  async () => {
    const [flow = '', stories = ''] = blocks('yaml');
    await writeFile(join(folder, 'parcel.flow.yaml'), flow);
    await writeFile(join(folder, 'parcel.stories.yaml'), stories);
    const [linted = '', told = '', shown = ''] = blocks('text');
    expect(await typed('npx lockerflow lint parcel.flow.yaml')).toBe(linted);
    const tested = await typed('npx lockerflow test .');
    expect(tested.replace(/\d+ ms/, '')).toBe(told.replace(/\d+ ms/, ''));
    const [, play = ''] = /^`(npx lockerflow try .*?)` plays it/m.exec(page) ?? [];
    const lines = [...page.matchAll(/`(pass P3D|answer desk .*?)`/g)].map(([, line]) => line);
    const played = await typed(`printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} | ${play}`);
    expect(played).toMatch(/waiting.*asked.*Is P-1 still there\?.*waiting/s);

    const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));
    const mine = commands.filter((line) => line.startsWith('npx lockerflow'));
    expect(mine.map((line) => line.split(' ')[2])).toEqual(['publish', 'start', 'show', 'event', 'watch']);
    const said: string[] = [];
    for (const line of mine) said.push(await typed(line));
    const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
    expect(timeless(said.slice(0, 3).join(''))).toContain(timeless(shown).trimEnd());
    expect(said.at(-1)).toContain('over');
  },
  2 * SLOW_MS,
);

test('the first line of its file names a schema that the package has', async () => {
  const [, schema = ''] = /\$schema=(\S+)/.exec(page) ?? [];
  expect(JSON.parse(await readFile(join(installed.folder, schema), 'utf8'))).toHaveProperty('properties');
});
