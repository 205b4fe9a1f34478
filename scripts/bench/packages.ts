// npm packages that the project itself does not need: installed once into the cache folder that all clones of this user share,
// from a lock file of their own.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';
import { startChild } from '../child-process.ts';
import { withFileLock } from '../file-lock.mjs';

interface WantedPackages {
  /** The folder with their package.json and package-lock.json. */
  readonly listedIn: string;
  /** What the folder in the cache begins with. */
  readonly name: string;
  /** As in "installing Restate and DBOS". */
  readonly words: string;
}

/** Gives the folder that they are in. */
export async function obtainPackages(
  { listedIn, name, words }: WantedPackages,
  say: (line: string) => void,
): Promise<string> {
  // Another lock file, another folder.
  const digest = createHash('sha256')
    .update(readFileSync(join(listedIn, 'package-lock.json')))
    .digest('hex');
  const folder = join(cacheFolder(process.env), `${name}-${digest.slice(0, 12)}-${platform()}-${arch()}`);
  const install = async () => {
    if (existsSync(folder)) return;
    say(`installing ${words} into ${folder}`);
    await mkdir(dirname(folder), { recursive: true });
    const building = await mkdtemp(`${folder}.new-`);
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(listedIn, file), join(building, file));
    // None of them needs its install script.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = startChild('npm', args, { cwd: building });
    if ((await npm.exitCode) !== 0) throw new Error(`npm ci failed: ${await npm.ended}`);
    // Whole or not at all: a rename is atomic.
    await rename(building, folder);
  };
  const wait = () => say(`another run is installing ${words}; waiting for it`);
  if (!existsSync(folder)) await withFileLock(`${folder}.lock`, install, wait);
  return folder;
}
