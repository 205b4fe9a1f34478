// Claims shipments with due callbacks: this sender has each one until its lease ends, and sends its oldest pending
// event first.

import { type Kysely, type Selectable, sql } from 'kysely';
import type { CallbackAuthType } from '../../../contract/index.ts';
import { wakeSenders } from '../../due-callbacks.ts';
import type { Database } from '../../storage/database.ts';
import type { CallbackKeyPurpose } from '../../storage/tables.ts';

/** The content of a callback, from the moment of the change. */
export type FrozenEvent = Pick<
  Selectable<Database['shipment_events']>,
  | 'shipment_uid'
  | 'state_code'
  | 'state_start'
  | 'shipment_type'
  | 'reference_no'
  | 'reference_case_no'
  | 'description'
  | 'pup_uid'
  | 'from_user_uid'
  | 'to_user_uid'
  | 'message_type'
  | 'accessed_at'
>;

/** A key in its stored form. */
interface ClaimedKey {
  readonly callbackKeyId: number;
  readonly purpose: CallbackKeyPurpose;
  readonly sealed: string;
}

interface Claim {
  readonly shipment_id: number;
  readonly tenant_id: number;
  readonly lease_id: string;
  /** Failed attempts so far of the first event. */
  readonly attempts: number;
  /** Whether this attempt is the probe that finds out whether a receiver that was down is back. */
  readonly is_probe: boolean;
  readonly url: string;
  readonly auth_type: CallbackAuthType;
  /** The tenant has asked for more than the interface's fields. */
  readonly extra_fields: boolean;
  /** Those that are valid now, the newest first. */
  readonly keys: readonly ClaimedKey[];
}

/** Without an event if it was delivered or removed meanwhile. */
export type ClaimedCallback = Claim &
  (({ readonly event_id: number } & FrozenEvent) | { readonly event_id: null });

/** How many callbacks of one tenant this sender is delivering. */
export interface Busy {
  readonly total: number;
  readonly repeated: number;
}

interface ClaimLimits {
  readonly parallel: number;
  readonly parallelRepeated: number;
  readonly total: number;
  readonly leaseMs: number;
}

interface Claimed {
  readonly callbacks: readonly ClaimedCallback[];
  /** If nothing is due: milliseconds until something will be; undefined if nothing will be due by itself. */
  readonly untilNextMs: number | undefined;
}

/** One statement: with two, a callback that becomes due between them would be in neither answer. */
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

/** Gives back a callback whose attempt did not end; else it would wait for the end of the lease. */
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
  await wakeSenders(database);
}
