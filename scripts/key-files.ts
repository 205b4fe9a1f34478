import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyLine } from '../shared/settings/key-ring.ts';

/** The key that the local service signs its callbacks with and the local receiver checks. */
export const callbackKey = (home: string): Promise<string> =>
  keyIn(home, 'callback-key', () => `whsec_${randomBytes(32).toString('base64')}`);

/** The key that encrypts the keys in the service's database. Without this file a kept database cannot be used. */
export const encryptionKey = (home: string): Promise<string> => keyIn(home, 'encryption-key', newKeyLine);

async function keyIn(home: string, name: string, newKey: () => string): Promise<string> {
  const file = join(home, name);
  await mkdir(home, { recursive: true });
  try {
    // Only one of two starts at once makes it; the other reads that one.
    await writeFile(file, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
