// `npm run backup` of a real installation that runs and is written to, and `npm run restore` of it: each store is as it was at
// one moment, and what is not a whole backup, or would destroy something, is refused. In the long suite a backup is killed
// too.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { restore } from '../../../scripts/backup/restore.ts';
import { startChild } from '../../../scripts/child-process.ts';
import { databaseComponent } from '../../../scripts/components/database.ts';
import { freePort } from '../../../scripts/ports.ts';
import { readLocalSettings } from '../../../scripts/settings.ts';
import { startTemporalServer } from '../../../scripts/temporal/server.ts';
import { query } from '../../support/query.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { connectClient } from '../../support/temporal.ts';
import { command, refusal, said } from './commands.ts';

// Each command is a process, and copies some 60 MB, on a machine that has other work.
const SLOW_MS = 240_000;

interface Running {
  readonly url: string;
  readonly temporal: string;
  stop(): Promise<void>;
}

async function start(home: string): Promise<Running> {
  const port = String(await freePort());
  const settings = readLocalSettings({ LOCKERFLOW_HOME: home, POSTGRES_PORT: port });
  const database = databaseComponent(settings);
  const [postgres, temporal] = await Promise.all([
    database.start(() => undefined),
    startTemporalServer({ databaseFile: join(home, 'temporal.sqlite') }),
  ]);
  const stop = async () => void (await Promise.all([postgres.stop(), temporal.stop()]));
  return { url: database.url(), temporal: temporal.address, stop };
}

/** Two tables that every transaction keeps equal, and one number more each time. */
const WRITE = `
  WITH one AS (INSERT INTO first SELECT coalesce(max(n), 0) + 1, repeat('x', 2000) FROM first RETURNING n)
  INSERT INTO second SELECT n FROM one`;

/** Of all tests. */
let folder: string;
let home: string;
let running: Running;
let isWriting = true;
let writing: Promise<void>;
let backup: string;
let told: string;

async function writeOn(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // After a checkpoint the log from before it counts no more, but to a backup that has begun before it.
  for (let times = 1; isWriting; times++) await client.query(times % 20 === 0 ? 'CHECKPOINT' : WRITE);
  await client.end();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-'));
  home = join(folder, 'home');
  backup = join(folder, 'backup');
  running = await start(home);
  await query(
    running.url,
    'CREATE TABLE first (n int PRIMARY KEY, filler text); CREATE TABLE second (n int)',
  );
  await query(running.url, "ALTER SYSTEM SET work_mem = '5MB'");
  await writeFile(join(home, 'callback-key'), 'whsec_c2VjcmV0\n');
  await mkdir(join(home, 'walls'));
  await writeFile(join(home, 'walls', 'pup-central.json'), '{}\n');
  const { client, close } = await connectClient(running.temporal);
  await client.workflow.start('NobodyRunsIt', { workflowId: 'kept', taskQueue: 'none' });
  await close();
  writing = writeOn(running.url);
  told = await said('backup', home, backup);
}, SLOW_MS);

afterAll(async () => {
  isWriting = false;
  await writing?.catch(() => undefined);
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
}, SLOW_MS);

describe('while the installation runs', () => {
  test('a backup is made, and another into the same folder is refused', { timeout: SLOW_MS }, async () => {
    expect(told).toContain(`${backup} has ${home}`);
    expect((await readdir(backup)).sort()).toEqual([
      'backup.json',
      'backup.mac',
      'keys',
      'postgres',
      'temporal.sqlite',
      'walls',
    ]);
    expect(await refusal('backup', home, backup)).toContain(
      'is not empty: name a new folder for each backup',
    );
    const slots = await query(running.url, 'SELECT slot_name FROM pg_replication_slots');
    expect(slots).toEqual([]);
  });

  test('a restore over it is refused, and changes nothing', async () => {
    expect(await refusal('restore', home, backup)).toMatch(
      /Postgres runs on .* \(process \d+\): stop npm start \(Ctrl-C\) before you restore/,
    );
    expect((await query(running.url, 'SELECT count(*) > 0 AS is_there FROM first'))[0]).toEqual({
      is_there: true,
    });
  });

  test('a backup that is killed leaves no folder that counts as one, and the next is whole', {
    timeout: SLOW_MS,
  }, async () => {
    const folder = join(await temporaryFolder(), 'killed');
    const { program, words, options } = command('backup', home, folder);
    const child = startChild(program, words, options);
    await vi.waitUntil(() => existsSync(join(`${folder}.making`, 'postgres', 'data', 'base')), {
      timeout: SLOW_MS,
      interval: 1,
    });
    await child.kill();
    expect(existsSync(folder)).toBe(false);
    const other = await temporaryFolder();
    expect(await refusal('restore', other, `${folder}.making`)).toContain('it has no backup.json');
    expect(await readdir(other)).toEqual([]);
    await said('backup', home, folder);
    expect(existsSync(`${folder}.making`)).toBe(false);
    // Nothing holds the log of the killed one.
    const held = 'SELECT 1 FROM pg_replication_slots';
    await vi.waitUntil(async () => (await query(running.url, held)).length === 0, { timeout: 300_000 });
    await restoredAsOfOneMoment(folder);
  });
});

/** In another folder than that of the installation. */
async function restoredAsOfOneMoment(folder: string): Promise<void> {
  const other = await temporaryFolder();
  const { at } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
  const words = await said('restore', other, folder, '--from-elsewhere');
  expect(words).toContain(`npx lockerflow compare --since ${at}`);
  expect(words).not.toContain('what was there before');
  expect(await readFile(join(other, 'callback-key'), 'utf8')).toBe('whsec_c2VjcmV0\n');
  expect(await readFile(join(other, 'walls', 'pup-central.json'), 'utf8')).toBe('{}\n');
  const restored = await start(other);
  try {
    const [first] = await query(restored.url, 'SELECT count(*)::int AS n, max(n) AS most FROM first');
    const [second] = await query(restored.url, 'SELECT count(*)::int AS n, max(n) AS most FROM second');
    expect(first).toEqual(second);
    expect(first?.n).toBeGreaterThan(0);
    expect(first?.n).toBe(first?.most);
    // That of a new installation.
    expect(await query(restored.url, 'SHOW work_mem')).toEqual([{ work_mem: '4MB' }]);
    const { client, close } = await connectClient(restored.temporal);
    const { status } = await client.workflow.getHandle('kept').describe();
    expect(status.name).toBe('RUNNING');
    await close();
  } finally {
    await restored.stop();
  }
  expect(await refusal('backup', other, join(other, 'again'))).toContain(
    'Postgres does not run: start it with npm start, then back up',
  );
}

describe('a backup', () => {
  test('is restored as the stores were at one moment, whatever was written meanwhile', {
    timeout: SLOW_MS,
  }, async () => {
    await restoredAsOfOneMoment(backup);
  });

  test('takes the place of a stopped installation, whose data is moved aside', {
    timeout: SLOW_MS,
  }, async () => {
    const other = await temporaryFolder();
    await cp(backup, other, { recursive: true });
    // The installation that has made it restores it without a question.
    await cp(join(home, 'backup-key'), join(other, 'backup-key'));
    const words = await said('restore', other, backup);
    const [, aside = ''] = /what was there before is in (\S+);/.exec(words) ?? [];
    expect((await readdir(aside)).sort()).toEqual(['postgres', 'temporal.sqlite', 'walls']);
    expect(await readFile(join(other, 'backup-key'), 'utf8')).toMatch(/^.{44}\n$/);
    expect((await readdir(backup, { recursive: true })).join()).not.toMatch(/backup-key|\.conf/);
  });

  test.each<[string, (folder: string) => Promise<void>, RegExp]>([
    [
      'a file is missing',
      (folder) => rm(join(folder, 'postgres/data/global/pg_control')),
      /pg_control is missing .*: the backup is not whole\. Use another backup/,
    ],
    [
      'a file is shorter',
      (folder) => writeFile(join(folder, 'temporal.sqlite'), 'half'),
      /temporal\.sqlite has 4 bytes that are not those of the backup .* Use another backup/,
    ],
    [
      'the keys are kept apart',
      (folder) => rm(join(folder, 'keys'), { recursive: true }),
      /keys\/callback-key is missing .* Copy the folder keys\/ back from the place where you keep it apart/,
    ],
    [
      'it is of another major version',
      async (folder) => {
        const file = join(folder, 'backup.json');
        const manifest = JSON.parse(await readFile(file, 'utf8'));
        await writeFile(file, JSON.stringify({ ...manifest, postgresMajor: 11 }));
      },
      /the backup is of Postgres 11, this checkout has Postgres \d+: restore it with a checkout of the version that made it/,
    ],
  ])('is refused where %s, and nothing is changed', async (_title, change, expected) => {
    // By what the command calls: other tests here show that it says a refusal, and ends with 1.
    const folder = join(await temporaryFolder(), 'changed');
    await cp(backup, folder, { recursive: true });
    await change(folder);
    const other = await temporaryFolder();
    await expect(restore(other, folder, async () => undefined)).rejects.toThrow(expected);
    expect(await readdir(other)).toEqual([]);
  });
});
