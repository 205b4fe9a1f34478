// The package as others get it: packed by npm from a copy of this tree, installed by npm in a project outside of it. In
// the smoke test the tarball is unpacked there, beside links to this tree's packages: those that a manifest names, and no other.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { swappedNames } from '../../../scripts/package/pack.ts';

const root = join(import.meta.dirname, '../../..');
const consumer = join(import.meta.dirname, 'consumer');
const ownProject = join(root, 'docs/examples/own-project');
/** What is not a source of the package. The copy's dependencies are this tree's. */
const leftOut = new Set(['node_modules', '.git', '.lockerflow', 'dist', 'coverage', 'test', 'scripts/bench']);
const lock = z.object({ packages: z.record(z.string(), z.unknown()) });

export interface InstalledPackage extends AsyncDisposable {
  /** Of the project that it is installed in. */
  readonly folder: string;
  readonly tarball: string;
  /** The checkout's package.json and README.md as packing has left them. */
  readonly swappedAfterwards: readonly string[];
}

/** @param way 'linked' takes seconds: its dependencies are those of the checkout */
export async function installPackage(way: 'linked' | 'installed'): Promise<InstalledPackage> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'lockerflow-package-'));
  const folder = join(home, 'consumer');
  const tarball = join(folder, 'lockerflow.tgz');
  await cp(consumer, folder, { recursive: true });
  await cp(ownProject, join(folder, 'own-project'), { recursive: true });
  const swappedAfterwards = await pack(join(home, 'checkout'), tarball);
  await (way === 'linked' ? link : install)(folder, tarball);
  const remove = () => rm(home, { recursive: true, force: true });
  return { folder, tarball, swappedAfterwards, [Symbol.asyncDispose]: remove };
}

/** In a copy: whoever reads this tree meanwhile finds its own package.json. Gives what packing has left there of what it swaps. */
export async function pack(checkout: string, tarball: string): Promise<string[]> {
  await cp(root, checkout, {
    recursive: true,
    filter: (source) => !leftOut.has(relative(root, source)),
  });
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const into = join(checkout, 'packed');
  await mkdir(into);
  const said = await run('npm', ['pack', '--json', '--pack-destination', into], checkout);
  const name = /"filename": "([^"]+)"/.exec(said)?.[1];
  if (!name) throw new Error(`npm pack has told of no file: ${said}`);
  await cp(join(into, name), tarball);
  return await Promise.all(swappedNames.map((name) => readFile(join(checkout, name), 'utf8')));
}

async function install(folder: string): Promise<void> {
  await writeFile(join(folder, 'package-lock.json'), await lockOf(join(folder, 'package.json')));
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
}

const manifestParts = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
});
const partsOf = async (manifest: string) => manifestParts.parse(JSON.parse(await readFile(manifest, 'utf8')));

/** As npm lays it out, without a download and without the 280 MB of Temporal's native parts. */
async function link(folder: string, tarball: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  const own = join(packages, 'lockerflow');
  await mkdir(join(packages, '.bin'), { recursive: true });
  await mkdir(own);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', own], folder);
  const ofPackage = await partsOf(join(own, 'package.json'));
  const ofConsumer = await partsOf(join(folder, 'package.json'));
  const named = [ofPackage, ofConsumer].flatMap((parts) =>
    Object.keys({
      ...parts.dependencies,
      ...parts.devDependencies,
      ...parts.optionalDependencies,
      ...parts.peerDependencies,
    }),
  );
  for (const name of new Set(named.filter((each) => each !== 'lockerflow'))) {
    await mkdir(dirname(join(packages, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(packages, name));
  }
  for (const [name, path] of Object.entries(ofPackage.bin)) {
    await chmod(join(own, path), 0o755);
    await symlink(join(own, path), join(packages, '.bin', name));
  }
}

/** With this tree's versions, which npm's cache has: the newest of everything would be another test each day. */
async function lockOf(manifestPath: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(manifestPath, 'utf8'));
  const { packages } = lock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  return JSON.stringify({ lockfileVersion: 3, requires: true, packages: { ...packages, '': manifest } });
}

/** What it has written on its standard output. Throws an Error with all that it said when it fails. */
export async function run(
  program: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  try {
    return (await promisify(execFile)(program, words, { cwd, env })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A PATH on which `node` is 20.19 or a later 20, the oldest that the package supports, where this machine has one. */
export async function pathOfOldestNode(): Promise<string> {
  const path = process.env.PATH ?? '';
  for (const folder of path.split(delimiter)) {
    const version = await run(join(folder, 'node'), ['--version'], folder || '.').catch(() => '');
    if (/^v20\.(19|[2-9]\d)\./.test(version)) return [folder, path].join(delimiter);
  }
  return [dirname(process.execPath), path].join(delimiter);
}
