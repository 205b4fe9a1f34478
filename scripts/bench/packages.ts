import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';
import { startChild } from '../child-process.ts';
import { withFileLock } from '../file-lock.mjs';

// npm packages that the project itself does not need: installed once into the cache folder that all clones of this user share,
// from a lock file of their own.

const names = ['package.json', 'package-lock.json'] as const;

interface WantedPackages {
  /** The folder with their package.json and package-lock.json. */
  readonly listedIn: string;
  /** What the folder in the cache begins with. */
  readonly name: string;
  /** As in "installing Restate and DBOS". */
  readonly words: string;
}

/** Where they are, or will be: another lock file, another folder. */
function packagesFolder({ listedIn, name }: Pick<WantedPackages, 'listedIn' | 'name'>): string {
  const lock = readFileSync(join(listedIn, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  return join(cacheFolder(process.env), `${name}-${digest}-${platform()}-${arch()}`);
}

export async function obtainPackages(wanted: WantedPackages, say: (line: string) => void): Promise<string> {
  const folder = packagesFolder(wanted);
  const { listedIn, words } = wanted;
  if (existsSync(folder)) return folder;
  await withFileLock(
    `${folder}.lock`,
    async () => {
      if (existsSync(folder)) return;
      say(`installing ${words}`);
      await installInto(folder, listedIn);
      say(`they are in ${folder}`);
    },
    () => say(`another run is installing ${words}; waiting for it`),
  );
  return folder;
}

/** Whole or not at all: a rename is atomic. */
async function installInto(folder: string, listedIn: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const isOld = (name: string) => name.startsWith(`${basename(folder)}.new-`);
  for (const name of (await readdir(dirname(folder))).filter(isOld))
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  const building = await mkdtemp(`${folder}.new-`);
  for (const name of names) await copyFile(join(listedIn, name), join(building, name));
  // None of them needs its install script.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = startChild('npm', args, { cwd: building });
  if ((await npm.exitCode) !== 0) throw new Error(`npm ci failed: ${await npm.ended}`);
  await rename(building, folder);
}
