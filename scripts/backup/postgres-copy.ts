// A base backup of the embedded Postgres while it runs, as its manual describes it (Continuous Archiving, low-level API): the
// package has no pg_basebackup. The copied files need not agree with each other: the log that is copied after them makes them
// agree when Postgres starts on them.
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** What a data folder consists of. All else in it is a setting or a file of the running server, and stays behind. */
const DATA = new Set([
  ...['PG_VERSION', 'backup_label', 'base', 'global', 'pg_commit_ts', 'pg_dynshmem', 'pg_logical'],
  ...['pg_multixact', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat', 'pg_stat_tmp'],
  ...['pg_subtrans', 'pg_tblspc', 'pg_twophase', 'pg_wal', 'pg_xact'],
]);

/**
 * Settings can name programs that Postgres runs (archive_command), and who may connect (pg_hba.conf): no backup has them, and
 * none that has them can bring them in. `path` is one below the data folder.
 */
export const isPostgresData = (path: string): boolean => {
  const parts = path.split(/[\\/]/);
  return DATA.has(parts[0] ?? '') && !FILES_LEFT_OUT.test(parts.at(-1) ?? '');
};

// The manual's list: what belongs to the running server alone, or is made anew at each start.
const CONTENTS_LEFT_OUT = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'],
  ...['pg_stat_tmp', 'pg_subtrans'],
]);
const FILES_LEFT_OUT = /^(pg_internal\.init.*|pgsql_tmp.*)$/;
const CONTROL_FILE = join('global', 'pg_control');

export async function postgresMajorOf(dataFolder: string): Promise<number> {
  return Number((await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).trim());
}

/** Copies the data folder of the Postgres at `url` to `target`, which it makes. */
export async function copyPostgres(url: string, dataFolder: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    // The slot keeps the log from the backup's start on; it goes with this session, however that ends.
    const slot = `lockerflow_backup_${process.pid}`;
    await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
    await client.query("SELECT pg_backup_start('lockerflow', fast => true)");
    await copyData(dataFolder, target);
    const { rows } = await client.query<{
      labelfile: string;
      spcmapfile: string;
      first: string;
      last: string;
    }>(
      `SELECT labelfile, spcmapfile, substring(labelfile FROM 'file ([0-9A-F]{24})') AS first,
         pg_walfile_name(lsn) AS last
       FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const [stopped] = rows;
    if (!stopped) throw new TypeError('pg_backup_stop gave no row');
    await writeFile(join(target, 'backup_label'), stopped.labelfile, { mode: 0o600 });
    if (stopped.spcmapfile.trim() !== '')
      throw new Error(
        'the database has tablespaces, which npm start never makes: back it up with pg_basebackup',
      );
    await copyLog(join(dataFolder, 'pg_wal'), join(target, 'pg_wal'), stopped);
  } catch (cause) {
    if (!lost) throw cause;
    throw new Error(`Postgres stopped during the backup: ${lost.message}`, { cause });
  } finally {
    await client.end();
  }
}

/** The control file last: it tells Postgres from where to go on. */
async function copyData(from: string, to: string): Promise<void> {
  await copyFolder(from, to, '');
  await copyFile(join(from, CONTROL_FILE), join(to, CONTROL_FILE));
}

async function copyFolder(from: string, to: string, inside: string): Promise<void> {
  await mkdir(join(to, inside), { recursive: true, mode: 0o700 });
  if (CONTENTS_LEFT_OUT.has(inside)) return;
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    // That of an earlier backup belongs to another start.
    if (!isPostgresData(path) || path === CONTROL_FILE || path === 'backup_label') continue;
    if (entry.isDirectory()) await copyFolder(from, to, path);
    else await copyUnlessGone(join(from, path), join(to, path));
  }
}

/** A table that is dropped meanwhile takes its files along; the log tells so. */
async function copyUnlessGone(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** The segments from the backup's start to its end; their names follow each other. */
async function copyLog(
  from: string,
  to: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<void> {
  for (const name of ['archive_status', 'summaries'])
    await mkdir(join(to, name), { recursive: true, mode: 0o700 });
  const names = (await readdir(from)).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  );
  if (!names.includes(first) || !names.includes(last))
    throw new Error(`Postgres has not kept its log from ${first} to ${last}: run the backup again`);
  for (const name of names) await copyFile(join(from, name), join(to, name));
}
