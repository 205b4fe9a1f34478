// The folder of a local installation: it holds keys, passwords and logs.
import { chmod, mkdir } from 'node:fs/promises';

/** Readable by its owner alone, also one that was there before. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}
