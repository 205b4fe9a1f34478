// The packages of the other engines, which the project itself does not need: they are installed once into the cache folder
// that all clones of this user share. A worker of theirs finds them there by a hook of Node.js.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startChild } from '../../../local/child-process.ts';
import { withFileLock } from '../../../local/file-lock.mjs';
import { cacheFolder } from '../../../runtime/terminal/user-cache.ts';

const wanted = join(import.meta.dirname, 'others');
const names = ['package.json', 'package-lock.json'] as const;

/** Where they are, or will be: another lock file, another folder. */
export function othersFolder(): string {
  const lock = readFileSync(join(wanted, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  return join(cacheFolder(process.env), `bench-engines-${digest}-${platform()}-${arch()}`);
}

export const areOthersInstalled = (): boolean => existsSync(othersFolder());

export async function obtainOthers(say: (line: string) => void): Promise<string> {
  const folder = othersFolder();
  if (areOthersInstalled()) return folder;
  await withFileLock(
    `${folder}.lock`,
    async () => {
      if (areOthersInstalled()) return;
      say('installing Restate and DBOS into the cache, once: some 70 MB to load, about a minute');
      await installInto(folder);
      say(`Restate and DBOS are in ${folder}`);
    },
    () => say('another run is installing Restate and DBOS; waiting for it'),
  );
  return folder;
}

/** Whole or not at all: a rename is atomic. */
async function installInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const isOld = (name: string) => name.startsWith(`${basename(folder)}.new-`);
  for (const name of (await readdir(dirname(folder))).filter(isOld))
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  const building = await mkdtemp(`${folder}.new-`);
  for (const name of names) await copyFile(join(wanted, name), join(building, name));
  // None of them needs its install script.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = startChild('npm', args, { cwd: building });
  if ((await npm.exitCode) !== 0) throw new Error(`npm ci failed: ${await npm.ended}`);
  await rename(building, folder);
}

export const restateServer = (): string =>
  join(othersFolder(), `node_modules/@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`);

/** For a program that imports them: what it imports by these names comes from the cache. */
export function nodeOptionsForOthers(): string[] {
  const from = JSON.stringify(pathToFileURL(join(othersFolder(), 'package.json')).href);
  const hook = `import { registerHooks } from 'node:module';
    const others = /^@(?:restatedev|dbos-inc)\\//;
    registerHooks({ resolve: (name, context, next) =>
      next(name, others.test(name) ? { ...context, parentURL: ${from} } : context) });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
}
