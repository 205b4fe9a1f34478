// Packs accounts that changed into blocks for the account search (search-blocks.ts). A search reads what is not packed
// yet row by row, so that its answer does not depend on this. It may run on every instance at once.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { packed } from './search-blocks.ts';

// 1,000 rows take a search some 0.1 ms; 100,000 of them, as a first import brings, some 12.
const INTERVAL_MS = 5_000;
const WORTH_PACKING = 1_000;
/** In one transaction, which locks them: some 20 ms. */
const ENTRIES_AT_ONCE = 2_000;

/** Gives the function that stops it. */
export function startPackingSearch(database: Kysely<Database>, log: FastifyBaseLogger): () => Promise<void> {
  let running = Promise.resolve();
  let isStopped = false;
  let timer = setTimeout(pack, INTERVAL_MS);
  function pack() {
    running = packSearch(database, () => isStopped)
      .catch((error: unknown) =>
        log.warn(
          { err: error },
          'the index of the account search was not packed; it is tried again in 5 s, and searches work meanwhile',
        ),
      )
      .then(() => {
        if (!isStopped) timer = setTimeout(pack, INTERVAL_MS);
      });
  }
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return running;
  };
}

/** `worth`: a tenant with fewer entries to pack is left alone. */
export async function packSearch(
  database: Kysely<Database>,
  isStopped = () => false,
  worth = WORTH_PACKING,
): Promise<void> {
  const { rows } = await sql<{ tenantId: number }>`
    select tenant_id as "tenantId" from account_search where block_id is null
    group by tenant_id having count(*) >= ${worth}
  `.execute(database);
  for (const { tenantId } of rows) {
    for (let full = true; full && !isStopped(); )
      full = (await packSome(database, tenantId)) === ENTRIES_AT_ONCE;
  }
}

async function packSome(database: Kysely<Database>, tenantId: number): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ key: number; text: string }>`
      select entry_id as key, text from account_search
      where tenant_id = ${tenantId} and block_id is null
      order by entry_id limit ${ENTRIES_AT_ONCE} for update skip locked
    `.execute(transaction);
    const blocks = packed(rows);
    await sql`
      with block as (
        insert into account_search_blocks (tenant_id, signature, entry_ids, text)
        select ${tenantId}, signature, keys, text
        from json_to_recordset(${JSON.stringify(blocks)}::json) as block (
          signature bit(2048), keys bigint[], text text)
        returning block_id, entry_ids
      )
      update account_search as entry set block_id = block.block_id
      from block cross join unnest(block.entry_ids) as packed (entry_id)
      where entry.entry_id = packed.entry_id
    `.execute(transaction);
    return rows.length;
  });
}
