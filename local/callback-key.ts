// The key that the local service signs its callbacks with and the local receiver checks: made once, kept with the data.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function callbackKey(home: string): Promise<string> {
  const file = join(home, 'callback-key');
  await mkdir(home, { recursive: true });
  try {
    // Only one of two starts at once makes it; the other reads that one.
    await writeFile(file, `whsec_${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
