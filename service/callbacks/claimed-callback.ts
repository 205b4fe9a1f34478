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

export interface Claimed {
  readonly callbacks: readonly ClaimedCallback[];
  /** When nothing is due: milliseconds until something will be, undefined when nothing will by itself. */
  readonly untilNextMs: number | undefined;
}

/** One statement, so that both answers are of one moment: what becomes due in between would be in neither of them. */
export async function claimCallbacks(
  database: Kysely<Database>,
  busy: ReadonlyMap<number, Busy>,
  { parallel, parallelRepeated, total, leaseMs }: ClaimLimits,
): Promise<Claimed> {
  const counts = [...busy.values()];
  const { rows } = await sql<(ClaimedCallback | { shipment_id: null }) & { until_next_ms: number | null }>`
    select claimed.*, extract(epoch from
      case when claimed.shipment_id is null then next_callback_due() end - now())::float8 * 1000 as until_next_ms
    from (select) as always
    left join claim_callbacks(
      ${[...busy.keys()]}, ${counts.map((count) => count.total)}, ${counts.map((count) => count.repeated)},
      ${parallel}, ${parallelRepeated}, ${total}, ${leaseMs}::float8 * interval '1 millisecond') as claimed on true
  `.execute(database);
  return {
    callbacks: rows.filter((row) => row.shipment_id !== null),
    untilNextMs: rows[0]?.until_next_ms ?? undefined,
  };
}

/** Gives back at once what has not been tried to its end, instead of letting the lease lapse. */
export async function releaseCallback(
  database: Kysely<Database>,
  { shipment_id, lease_id, tenant_id, is_probe }: ClaimedCallback,
): Promise<void> {
  await sql`
    update callback_queue set lease_id = null, due_at = now()
    where shipment_id = ${shipment_id} and lease_id = ${lease_id}
  `.execute(database);
  if (is_probe)
    await sql`update callback_outages set probe_at = now(), first_try_at = now() where tenant_id = ${tenant_id}`.execute(
      database,
    );
  await sql`select pg_notify('callbacks_due', '')`.execute(database);
}
