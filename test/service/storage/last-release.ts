// The commit of the last release in this clone. Found by its subject, `release: 0.2.0`: a plain clone always has that.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

export const git = async (...words: string[]): Promise<string> =>
  (await run('git', words, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim();

export interface Release {
  readonly commit: string;
  readonly version: string;
}

const SUBJECT = /^release: (\d+\.\d+\.\d+)$/;

/** Of lines like `<commit> <subject>`, the newest commit first. */
export function newestRelease(lines: readonly string[]): Release | undefined {
  for (const line of lines) {
    const [commit = '', ...subject] = line.split(' ');
    const version = SUBJECT.exec(subject.join(' '))?.[1];
    if (version !== undefined) return { commit, version };
  }
  return undefined;
}

export async function lastRelease(): Promise<Release> {
  const release = newestRelease((await git('log', '--format=%H %s')).split('\n'));
  if (release) return release;
  throw new Error(noRelease((await git('rev-parse', '--is-shallow-repository')) === 'true'));
}

export const noRelease = (isShallow: boolean): string =>
  isShallow
    ? 'This clone is shallow and does not reach the last release: git fetch --unshallow'
    : 'This clone has no commit with a subject like "release: 0.2.0", expected that of the last release: fetch the history of main';
