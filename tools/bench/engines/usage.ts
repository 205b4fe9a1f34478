// What an engine uses: memory and processor time, from Linux's /proc (0 elsewhere), and the bytes that it keeps.
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { processorMs } from '../local-process.ts';

export interface Used {
  readonly processorMs: number;
  /** Shared memory is counted once: each process has its share. */
  readonly memoryBytes: number;
}

export async function usedBy(processIds: readonly number[]): Promise<Used> {
  const all = await Promise.all(processIds.map(usedByOne));
  const sum = (figure: keyof Used) => all.reduce((total, each) => total + each[figure], 0);
  return { processorMs: sum('processorMs'), memoryBytes: sum('memoryBytes') };
}

async function usedByOne(processId: number): Promise<Used> {
  // One that has ended meanwhile uses nothing.
  const memory = await readFile(`/proc/${processId}/smaps_rollup`, 'utf8').catch(() => '');
  return {
    processorMs: (await processorMs(processId)) || 0,
    memoryBytes: 1_024 * Number(/^Pss: +(\d+) kB/m.exec(memory)?.[1] ?? 0),
  };
}

/** The processes that have the folder among their arguments, or are in it, and those that they started. */
export async function processesOf(folder: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(processOf));
  const found = new Set(all.filter(({ words }) => words.includes(folder)).map(({ id }) => id));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, parent } of all) if (found.has(parent)) found.add(id);
  }
  return [...found];
}

async function processOf(name: string) {
  const text = async (file: string) => await readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
  const [line, status, at] = await Promise.all([
    ...['cmdline', 'status'].map(text),
    readlink(`/proc/${name}/cwd`).catch(() => ''),
  ]);
  return {
    id: Number(name),
    parent: Number(/^PPid:\t(\d+)/m.exec(status ?? '')?.[1]),
    words: `${line} ${at}`,
  };
}

/** Tasks and queues come and go with the work: they are not kept. */
const isKept = (table: string): boolean => !/task|queue/.test(table);

/** The size of its tables and their indexes. */
export function sqliteBytes(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    const rows = database
      .prepare(
        'select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by 1',
      )
      .all();
    return rows
      .filter(({ name }) => isKept(String(name)))
      .reduce((total, { bytes }) => total + Number(bytes), 0);
  } finally {
    database.close();
  }
}

/** The size of its tables and their indexes, without the room that old versions of rows leave. */
export async function postgresBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('vacuum full');
    const { rows } = await client.query<{ name: string; bytes: string }>(
      'select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables',
    );
    return rows.filter(({ name }) => isKept(name)).reduce((total, { bytes }) => total + Number(bytes), 0);
  } finally {
    await client.end();
  }
}

/** What its files hold, without what is only set aside for them. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const found = await stat(join(parentPath, name)).catch(() => null);
      return found?.size ?? 0;
    });
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
