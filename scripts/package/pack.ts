// `npm pack`. Before it packs: builds the package, and puts its package.json and its README in the places of the checkout's,
// because npm packs no others. Afterwards, with `restore`, these are back; by hand, after a pack that was ended in its middle.
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildPackage } from './build.ts';
import { packagesImportedBy, publishedManifest } from './published-manifest.ts';

const root = join(import.meta.dirname, '../..');
const kept = (name: string) => join(root, '.lockerflow/unpacked', name);
export const swappedNames = ['package.json', 'README.md'] as const;

async function pack(): Promise<void> {
  await buildPackage(root);
  const imported = new Set<string>();
  const importedByDev = new Set<string>();
  for await (const path of glob('dist/**/*.{js,d.ts}', { cwd: root }))
    for (const name of packagesImportedBy(await readFile(join(root, path), 'utf8')))
      (isOfDev(path) ? importedByDev : imported).add(name);
  const checkout: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await swap(
    'package.json',
    `${JSON.stringify(publishedManifest(checkout, { imported, importedByDev }), null, 2)}\n`,
  );
  await swap('README.md', await readFile(join(import.meta.dirname, 'README.md'), 'utf8'));
}

/** What `lockerflow dev` runs, and nothing else does. */
const isOfDev = (path: string): boolean => /^dist\/(?:local|service)\//.test(path);

async function swap(name: (typeof swappedNames)[number], published: string): Promise<void> {
  await mkdir(dirname(kept(name)), { recursive: true });
  await writeFile(kept(name), await readFile(join(root, name)));
  await writeFile(join(root, name), published);
}

async function restore(): Promise<void> {
  for (const name of swappedNames) if (existsSync(kept(name))) await rename(kept(name), join(root, name));
}

if (import.meta.main) {
  await restore();
  if (process.argv[2] !== 'restore') await pack();
}
