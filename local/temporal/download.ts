// Obtains Temporal by the TypeScript SDK's official download, where the open internet answers at once.
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TemporalSource } from './program.ts';

const ADDRESS = 'https://temporal.download/';
/** If nothing answers in this time, in ms, there is no open internet. Then Temporal is built instead. */
const ANSWER_WITHIN_MS = 5_000;
/** Some 50 MB take minutes over a slow line; after this time, in ms, a build is faster. */
const DOWNLOAD_WITHIN_MS = 300_000;

export const downloadTemporal: TemporalSource = {
  name: 'a download',
  async obtain(folder, { env, say }) {
    await answers();
    say('downloading Temporal, about 1 min');
    await download(folder, env);
    const [name, ...others] = await readdir(folder);
    if (name === undefined || others.length > 0) {
      throw new Error(`expected one file from the download, got ${[name, ...others].join(', ') || 'none'}`);
    }
    return join(folder, name);
  },
};

async function answers(): Promise<void> {
  try {
    await fetch(ADDRESS, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    throw new Error(`${ADDRESS} does not answer`, { cause: error });
  }
}

/** In a process of its own: the SDK's native download cannot be aborted. */
function download(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const script = fileURLToPath(new URL('./download-with-sdk.ts', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });
  const late = setTimeout(() => child.kill('SIGKILL'), DOWNLOAD_WITHIN_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) resolve();
      else
        reject(
          new Error(
            signal === 'SIGKILL'
              ? `the download took longer than ${DOWNLOAD_WITHIN_MS / 1000} s; try again`
              : complaint.trim(),
          ),
        );
    });
  });
}
