// What processes use: processor and memory, from Linux's /proc (0 elsewhere). And what a database keeps: rows and bytes.
import { readdir, readFile, readlink } from 'node:fs/promises';
import pg from 'pg';

export interface Used {
  readonly processorMs: number;
  /** Shared memory is counted once: each process has its share. */
  readonly memoryBytes: number;
}

/** So far, by all of them together. */
export async function usedBy(...processIds: readonly number[]): Promise<Used> {
  const all = await Promise.all(processIds.map(usedByOne));
  const sum = (figure: keyof Used) => all.reduce((total, each) => total + each[figure], 0);
  return { processorMs: sum('processorMs'), memoryBytes: sum('memoryBytes') };
}

const CLOCK_TICK_MS = 10;

/** One that has ended meanwhile uses nothing. */
async function usedByOne(processId: number): Promise<Used> {
  const [line, memory] = await Promise.all(
    ['stat', 'smaps_rollup'].map((name) => readFile(`/proc/${processId}/${name}`, 'utf8').catch(() => '')),
  );
  // Behind its name, which may have blanks: the 12th and the 13th field, in clock ticks (man proc_pid_stat).
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  return {
    processorMs: (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS || 0,
    memoryBytes: 1_024 * Number(/^Pss: +(\d+) kB/m.exec(memory ?? '')?.[1] ?? 0),
  };
}

/** The command lines, by process, of those that have the folder in it or are in it, and of those that they started. */
export async function processesOf(folder: string): Promise<ReadonlyMap<number, string>> {
  const names = await readdir('/proc').catch(() => []);
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(processOf));
  const found = new Map<number, string>();
  for (const { id, line, at } of all) if (`${line} ${at}`.includes(folder)) found.set(id, line);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, line, parent } of all) if (found.has(parent)) found.set(id, line);
  }
  return found;
}

async function processOf(name: string) {
  const text = async (file: string) => await readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
  const parent = Number(/^PPid:\t(\d+)/m.exec(await text('status'))?.[1]);
  const at = await readlink(`/proc/${name}/cwd`).catch(() => '');
  return { id: Number(name), parent, line: await text('cmdline'), at };
}

/** One statement over a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** In its tables and their indexes, without the room that old versions of rows leave. */
export async function keptInPostgres(url: string) {
  await query(url, 'vacuum (full, analyze)');
  const [sum] = await query<{ rows: string; bytes: string }>(
    url,
    'select sum(n_live_tup) as rows, sum(pg_total_relation_size(relid)) as bytes from pg_stat_user_tables',
  );
  return { rows: Number(sum?.rows), bytes: Number(sum?.bytes) };
}
