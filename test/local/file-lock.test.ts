// The lock that set-ups of different processes share: one at a time, and none for ever.

import { access, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startNode } from '../../local/child-process.ts';
import { withFileLock } from '../../local/file-lock.mjs';
import { temporaryFolder } from '../support/set-up-process.ts';

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(), 'a.lock');
}

/** The number of a process that has ended. */
async function pidOfNobody(): Promise<number> {
  const { ended, processId } = startNode(['--version']);
  await ended;
  return processId;
}

test('many that want the lock get it one after the other', async () => {
  const path = await lockPath();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await access(path);
    log.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => withFileLock(path, work(name))));
  const pairs = [0, 2, 4].map((at) => log.slice(at, at + 2).map((entry) => entry[0]));
  expect(pairs.every(([begins, ends]) => begins === ends)).toBe(true);
});

test('work that fails gives the lock back', async () => {
  const path = await lockPath();
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withFileLock(path, async () => 'done')).toBe('done');
});

test('a lock of a process that has ended is taken over', async () => {
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ pid: await pidOfNobody(), host: hostname() }));
  expect(await withFileLock(path, async () => 'done')).toBe('done');
});

test('a lock of another host is taken over if it was not touched for long', async () => {
  const path = await lockPath();
  await writeFile(path, JSON.stringify({ pid: process.pid, host: 'another' }));
  const twoMinutesAgo = Date.now() / 1000 - 120;
  await utimes(path, twoMinutesAgo, twoMinutesAgo);
  expect(await withFileLock(path, async () => 'done')).toBe('done');
});

test('a lock of another host that was touched just now is waited for', async () => {
  const path = await lockPath();
  const theirs = JSON.stringify({ pid: await pidOfNobody(), host: 'another' });
  await writeFile(path, theirs);
  const waiting = Promise.withResolvers<void>();
  const mine = withFileLock(path, async () => 'done', waiting.resolve);
  await waiting.promise;
  expect(await readFile(path, 'utf8')).toBe(theirs);
  await utimes(path, 0, 0);
  expect(await mine).toBe('done');
});
