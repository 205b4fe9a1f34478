// The local Postgres: durable, alone on its data, and never left behind. Real servers, started and killed.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startChild } from '../../../../local/child-process.ts';
import { isListening } from '../../../../local/ports.ts';
import { startPostgres } from '../../../../local/postgres/postgres.ts';
import { postgresUser } from '../../../../local/postgres/postgres-user.ts';
import { endedWithTest, nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { query } from '../../../support/query.ts';
import { temporaryFolder } from '../../../support/set-up-process.ts';

async function started(folder: string, port = 0) {
  const postgres = await startPostgres({ folder, port });
  onTestFinished(() => postgres.stop());
  return postgres;
}

test('data survives a stop and a start, and commits are synced', async () => {
  const folder = await temporaryFolder();
  const first = await started(folder);
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
  await first.stop();
  const { url } = await started(folder);
  expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
  expect(await query(url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(url, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
});

test('a second Postgres on the same data folder is refused in clear words', async () => {
  const folder = await temporaryFolder();
  const { url } = await started(folder);
  await expect(startPostgres({ folder, port: 0 })).rejects.toThrow(
    /data folder .* is in use by another Postgres/,
  );
  expect(await query(url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
});

test('a stranger without the password is refused', async () => {
  const { url } = await started(await temporaryFolder());
  const stranger = new URL(url);
  stranger.password = 'guess';
  await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('a killed Postgres starts again with all committed data, even if another process has its process number', async () => {
  const folder = await temporaryFolder();
  const first = await started(folder);
  await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
  const lockFile = join(folder, 'data', 'postmaster.pid');
  const lock = await readFile(lockFile, 'utf8');
  process.kill(Number.parseInt(lock, 10), 'SIGKILL');
  await first.ended;
  // Of the same user: Postgres takes the process of another for no Postgres of its own.
  const { ids } = await postgresUser();
  const another = endedWithTest(startChild('sleep', ['60'], ids));
  await writeFile(lockFile, lock.replace(/^\d+/, String(await another.processId)));
  const { url } = await started(folder);
  expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
});

test('Postgres ends when the process that started it is killed', async () => {
  const folder = await temporaryFolder();
  const owner = nodeProgramOfTest(['test/local/processes/postgres-owner.ts', folder]);
  const url = await owner.until(() => /^.*(?=\n)/.exec(owner.out())?.[0]);
  expect(await isListening(Number(new URL(url).port))).toBe(true);
  await owner.kill();
  // Its lock file is the last thing that Postgres removes.
  await vi.waitUntil(() => !existsSync(join(folder, 'data', 'postmaster.pid')), { timeout: 180_000 });
  expect(await isListening(Number(new URL(url).port))).toBe(false);
});

test('an interrupted first start does not prevent the next one', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'data.making', 'base'), { recursive: true });
  const { url } = await started(folder);
  expect(await query(url, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
});
