// docs/flow-files.md, walked from an empty folder: each command of the page as it stands there, with the
// installed package and what npm start brings up.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../local/ports.ts';
import { productionBundle } from '../../support/bundles.ts';
import { compileCache } from '../../support/processes/compile-cache.ts';
import { nodeProgram } from '../../support/processes/node-program.ts';
import { installPackage, pathOfOldestNode, run } from './installed-package.ts';

const root = join(import.meta.dirname, '../../..');
// Up to the part that goes on with other files.
const [page = ''] = (await readFile(join(root, 'docs/flow-files.md'), 'utf8')).split(
  '\n## Events by business data\n',
);
const SLOW_MS = 240_000;

/** Where the person types, and with what. */
interface Place {
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
}

let place: Place;
let folder: string;
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  place = await installed();
  folder = join(place.home, 'parcel');
  await mkdir(folder);
}, 2 * SLOW_MS);
afterAll(async () => {
  for (const { stop } of started) await stop();
}, SLOW_MS);

async function installed(): Promise<Place> {
  const [{ folder: home, ...made }, TEMPORAL_ADDRESS] = await Promise.all([installPackage(), npmStart()]);
  started.push({ stop: async () => await made[Symbol.asyncDispose]() });
  const PATH = `${join(home, 'node_modules/.bin')}:${await pathOfOldestNode()}`;
  return { home, variables: { PATH, TEMPORAL_ADDRESS } };
}

/** What `npm start` brings up, less its set-up and the demo. Gives the address of its Temporal. */
async function npmStart(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-home-'));
  const names = ['POSTGRES', 'SERVICE', 'TEMPORAL', 'TEMPORAL_UI', 'CALLBACK', 'WORKER'];
  const ports: Record<string, string> = {};
  for (const name of names) ports[`${name}_PORT`] = String(await freePort());
  const child = nodeProgram(['local/start.ts', '--no-demo'], {
    env: {
      ...process.env,
      ...ports,
      LOCKERFLOW_HOME: home,
      WORKER_WORKFLOW_BUNDLE: await productionBundle(),
    },
    stopSignal: 'INT',
  });
  started.push({
    async stop() {
      await child.stop();
      await rm(home, { recursive: true });
    },
  });
  await child.until(() => /everything is up|^lockerflow: /m.test(child.said()));
  if (!child.said().includes('everything is up')) throw new Error(child.said());
  return `127.0.0.1:${ports.TEMPORAL_PORT}`;
}

/** The blocks of a language, in the page's order. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );

/** Runs a line of the page as a shell would. */
const typed = (line: string): Promise<string> =>
  run('sh', ['-c', line], folder, {
    HOME: place.home,
    TEMPORAL_CONFIG_FILE: '/nonexistent',
    ...compileCache,
    ...place.variables,
  });

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
