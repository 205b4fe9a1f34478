// Where the checkout's package.json and README.md are kept while the published ones stand in their places: npm packs no
// others.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
const kept = (name: string) => join(root, '.lockerflow/unpacked', name);
export const swappedNames = ['package.json', 'README.md'] as const;

/** Puts the published text in the place of the checkout's. */
export async function swapFile(name: (typeof swappedNames)[number], published: string): Promise<void> {
  await mkdir(dirname(kept(name)), { recursive: true });
  await writeFile(kept(name), await readFile(join(root, name)));
  await writeFile(join(root, name), published);
}

export async function restoreFiles(): Promise<void> {
  for (const name of swappedNames) if (existsSync(kept(name))) await rename(kept(name), join(root, name));
}
