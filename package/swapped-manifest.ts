// Where the checkout's package.json is kept while the published one stands in its place: npm packs no other.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
export const manifest = join(root, 'package.json');
export const keptManifest = join(root, '.lockerflow/package.json');

/** Does nothing where it is in its place. */
export async function restoreManifest(): Promise<void> {
  if (existsSync(keptManifest)) await rename(keptManifest, manifest);
}
