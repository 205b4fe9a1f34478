// A shipment whose callbacks this sender has for the time of its lease, with the event that is to go out first.
import { type Kysely, sql } from 'kysely';
import type { CallbackAuthType } from '../../contract/index.ts';
import type { Database } from '../storage/database.ts';
import type { FrozenEvent } from './callback-body.ts';

interface Claim {
  readonly shipment_id: number;
  readonly tenant_id: number;
  readonly lease_id: string;
  /** Failed ones before, of the event that goes out first. */
  readonly attempts: number;
  /** The one attempt that is to find out whether a receiver that was down is back. */
  readonly is_probe: boolean;
  readonly url: string;
  readonly auth_type: CallbackAuthType;
  readonly auth_key: string | null;
  readonly former_auth_key: string | null;
}

/** Without an event: it has been delivered or taken away since. */
export type ClaimedCallback = Claim &
  (({ readonly event_id: number } & FrozenEvent) | { readonly event_id: null });

/** What a sender has at work of one tenant already. */
export interface Busy {
  readonly total: number;
  readonly repeated: number;
}

export interface ClaimLimits {
  readonly parallel: number;
  readonly parallelRepeated: number;
  readonly total: number;
  readonly leaseMs: number;
}

export async function claimCallbacks(
  database: Kysely<Database>,
  busy: ReadonlyMap<number, Busy>,
  { parallel, parallelRepeated, total, leaseMs }: ClaimLimits,
): Promise<ClaimedCallback[]> {
  const counts = [...busy.values()];
  const { rows } = await sql<ClaimedCallback>`
    select * from claim_callbacks(
      ${[...busy.keys()]}, ${counts.map((count) => count.total)}, ${counts.map((count) => count.repeated)},
      ${parallel}, ${parallelRepeated}, ${total}, ${leaseMs}::float8 * interval '1 millisecond')
  `.execute(database);
  return rows;
}

/** Milliseconds until something becomes due that is not due now; undefined when nothing will. */
export async function untilNextDue(database: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    select (extract(epoch from next_callback_due() - now()) * 1000)::float8 as milliseconds
  `.execute(database);
  return rows[0]?.milliseconds ?? undefined;
}

/** Gives back at once what has not been tried to the end, instead of letting the lease lapse. */
export async function releaseCallbacks(
  database: Kysely<Database>,
  claims: readonly ClaimedCallback[],
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    update callback_queue set lease_id = null, due_at = now()
    where (shipment_id, lease_id) in (
      select * from unnest(${claims.map(({ shipment_id }) => shipment_id)}::bigint[],
        ${claims.map(({ lease_id }) => lease_id)}::uuid[]))
  `.execute(database);
  await sql`select pg_notify('callbacks_due', '')`.execute(database);
}
