// The bundle of the workflows that the local worker runs: built when one of their files has changed, so that a second
// start does not wait for the bundler.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflows } from '../worker/workflow-bundle.ts';

const root = join(import.meta.dirname, '..');
/** What ends up in the bundle, and what decides the version of what it is built with. */
const sources = [
  ...['workflows', 'engine', 'flows', 'contract', 'shared'].map((folder) => `${folder}/**/*.ts`),
  ...['package-lock.json', 'worker/workflow-bundle.ts'],
];

/** The path of an up-to-date bundle below `home`. */
export async function workflowBundle(home: string): Promise<string> {
  const path = join(home, `workflows-${await digest()}.js`);
  if (existsSync(path)) return path;
  await mkdir(home, { recursive: true });
  for await (const old of glob('workflows-*.js', { cwd: home })) await rm(join(home, old));
  // Renamed when it is whole: a start that is stopped half-way leaves nothing that looks like a bundle.
  const building = `${path}.${process.pid}`;
  await writeFile(building, await bundleWorkflows());
  await rename(building, path);
  return path;
}

async function digest(): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  for await (const file of glob(sources, { cwd: root })) files.push(file);
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
