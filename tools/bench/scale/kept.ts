// What is kept: the rows and the bytes of each table of a database, with its indexes and what is stored beside it.
import { query } from './query.ts';

export interface Kept {
  readonly rows: number;
  readonly bytes: number;
}

/** By table. @param isPacked takes away the room that old versions of rows leave: each table is locked for a moment */
export async function keptIn(url: string, isPacked: boolean): Promise<Map<string, Kept>> {
  await query(url, isPacked ? 'vacuum (full, analyze)' : 'vacuum (analyze)');
  const tables = await query<{ name: string; bytes: string }>(
    url,
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const kept = new Map<string, Kept>();
  for (const { name, bytes } of tables) {
    const [row] = await query<{ count: string }>(url, `select count(*) as count from "${name}"`);
    kept.set(name, { rows: Number(row?.count), bytes: Number(bytes) });
  }
  return kept;
}

/** What has come since, in all tables. */
export function grown(before: ReadonlyMap<string, Kept>, after: ReadonlyMap<string, Kept>): Kept {
  let rows = 0;
  let bytes = 0;
  for (const [name, kept] of after) {
    rows += kept.rows - (before.get(name)?.rows ?? 0);
    bytes += kept.bytes - (before.get(name)?.bytes ?? 0);
  }
  return { rows, bytes };
}
