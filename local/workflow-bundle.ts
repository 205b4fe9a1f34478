// The bundle of the workflows that the local worker runs: built when one of their files has changed, so that a second
// start does not wait for the bundler.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { bundleWorkflows } from '../worker/workflow-bundle.ts';

const root = join(import.meta.dirname, '..');
/** As source or as built. */
const ending = extname(import.meta.url);
/** What ends up in the bundle. */
const folders = ['workflows', 'engine', 'flows', 'contract', 'shared'];
/** What decides the version of what it is built with. */
const versions = join(root, ending === '.ts' ? 'package-lock.json' : '../package.json');

/** The path of an up-to-date bundle below `home`. A development build takes a quarter of the time, and more memory. */
export async function workflowBundle(
  home: string,
  mode: 'production' | 'development' = 'production',
): Promise<string> {
  const path = join(home, `workflows-${await digest(mode)}.js`);
  if (existsSync(path)) return path;
  await mkdir(home, { recursive: true });
  for (const name of await readdir(home)) if (/^workflows-.*\.js$/.test(name)) await rm(join(home, name));
  // Renamed when it is whole: a start that is stopped half-way leaves nothing that looks like a bundle.
  const building = `${path}.${process.pid}`;
  await writeFile(building, await bundleWorkflows({ mode }));
  await rename(building, path);
  return path;
}

async function digest(mode: string): Promise<string> {
  const hash = createHash('sha256').update(mode);
  const files = [versions, join(root, `worker/workflow-bundle${ending}`)];
  for (const folder of folders)
    for (const name of await readdir(join(root, folder), { recursive: true }))
      if (extname(name) === ending) files.push(join(root, folder, name));
  for (const file of files.sort()) hash.update(relative(root, file)).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
