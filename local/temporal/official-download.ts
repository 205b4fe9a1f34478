// Obtains Temporal by the TypeScript SDK's official download, where the open internet answers at once.
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode } from '../child-process.ts';
import type { TemporalSource } from './program.ts';

const ADDRESS = 'https://temporal.download/';
/** If nothing answers in this time, in ms, there is no open internet. Then Temporal is built instead. */
const ANSWER_WITHIN_MS = 5_000;
/** Some 50 MB take minutes over a slow line; after this time, in ms, a build is faster. */
export const DOWNLOAD_WITHIN_MS = 300_000;

export const downloadTemporal: TemporalSource = {
  name: 'a download',
  async obtain(folder, { env, say, asked }) {
    requireSdk();
    await answers();
    say('downloading Temporal, about 1 min');
    await download(folder, env, asked);
    const [name, ...others] = await readdir(folder);
    if (name === undefined || others.length > 0) {
      throw new Error(`expected one file from the download, got ${[name, ...others].join(', ') || 'none'}`);
    }
    return join(folder, name);
  },
};

/** It is no part of what a worker needs. */
function requireSdk(): void {
  try {
    createRequire(import.meta.url).resolve('@temporalio/testing');
  } catch (cause) {
    throw new Error('it needs a package: npm install --save-dev @temporalio/testing', { cause });
  }
}

async function answers(): Promise<void> {
  try {
    await fetch(ADDRESS, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    throw new Error(`${ADDRESS} does not answer`, { cause: error });
  }
}

/** In a process of its own: the SDK's native download cannot be aborted. */
export async function download(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  asked?: AbortSignal,
): Promise<void> {
  const script = fileURLToPath(new URL(`./download-with-sdk${extname(import.meta.url)}`, import.meta.url));
  const child = startNode([script, folder], { env, stopSignal: 'KILL' });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    void child.kill();
  }, DOWNLOAD_WITHIN_MS);
  asked?.addEventListener('abort', () => void child.kill(), { once: true });
  const [code, said] = await Promise.all([child.exitCode, child.ended]);
  clearTimeout(late);
  if (isLate) throw new Error(`the download took longer than ${DOWNLOAD_WITHIN_MS / 1000} s; try again`);
  if (code !== 0) throw new Error(said);
}
