// How often a wrong code may be typed, at a whole wall and at one of its doors: a bucket that fills up slowly. Once it is
// empty, codes are refused without a look, right ones too: or one could try all of them through.
import { sql, type Transaction } from 'kysely';
import { WRONG_CODES } from '../../contract/index.ts';
import { insertAuditEntry } from '../audit/audit-entry.ts';
import type { Database } from '../storage/database.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { newUid } from '../uid.ts';

const REFILL_SECONDS = WRONG_CODES.refillMs / 1_000;
const BURSTS = { wall: WRONG_CODES.most, door: 5 } as const;

const WHOLE_WALL = 0;

interface Bucket {
  readonly pickUpPointId: number;
  /** Null: the wall does not know at which door the person stands. */
  readonly lockerId: number | null;
}

const keysOf = ({ lockerId }: Bucket) => (lockerId === null ? [WHOLE_WALL] : [WHOLE_WALL, lockerId]);
const burstOf = (lockerId: number) => (lockerId === WHOLE_WALL ? BURSTS.wall : BURSTS.door);

/** Null if a code may be tried now; else from when on. */
export async function retryAfterWrongCodes(
  transaction: Transaction<Database>,
  bucket: Bucket,
): Promise<Date | null> {
  const { rows } = await sql<{ retryAt: Date | null }>`
    select max(counted_at + (1 - allowed) * ${REFILL_SECONDS} * interval '1 second') as "retryAt" from wrong_codes
    where pick_up_point_id = ${bucket.pickUpPointId} and locker_id = any(${keysOf(bucket)}::bigint[])
      and counted_at + (1 - allowed) * ${REFILL_SECONDS} * interval '1 second' > clock_timestamp()
  `.execute(transaction);
  return rows[0]?.retryAt ?? null;
}

/**
 * True if that was the last one that was allowed for now. `count`: so many at once, which the wall took without asking. Never
 * less than none is left: a wall that has taken them one by one over hours must not stay shut for hours.
 */
export async function countWrongCodes(
  transaction: Transaction<Database>,
  bucket: Bucket,
  count = 1,
): Promise<boolean> {
  let isLast = false;
  for (const lockerId of keysOf(bucket)) {
    const burst = burstOf(lockerId);
    const { rows } = await sql<{ allowed: number }>`
      insert into wrong_codes as former (pick_up_point_id, locker_id, allowed, counted_at)
      values (${bucket.pickUpPointId}, ${lockerId}, ${Math.max(0, burst - count)}, clock_timestamp())
      on conflict (pick_up_point_id, locker_id) do update set
        allowed = greatest(0, least(${burst}, former.allowed
          + extract(epoch from clock_timestamp() - former.counted_at) / ${REFILL_SECONDS}) - ${count}),
        counted_at = clock_timestamp()
      returning allowed
    `.execute(transaction);
    isLast ||= (rows[0]?.allowed ?? 0) < 1;
  }
  return isLast;
}

/** A list that is valid for a week lets a wall take 3,380: no wall that keeps to the protocol tells of more at once. */
const MAX_CONCURRENT = 4_000;

interface TriedOffline {
  readonly journal: string;
  readonly offlineWrongCodes?: number | null | undefined;
}

/**
 * Those that were typed at a wall while it had no connection, and that it has not told before. No more than a wall can have
 * taken since the service heard of it last, whatever it says and under whatever journal. One entry in the audit log has the
 * number.
 */
export async function countOfflineCodes(
  transaction: Transaction<Database>,
  { client, place: { pickUpPointId, pupUid } }: { readonly client: ApiClient; readonly place: WallPlace },
  { journal, offlineWrongCodes }: TriedOffline,
): Promise<void> {
  const { rows } = await sql<{ known: number; most: number }>`
    select case when journal = ${journal} then offline_wrong_codes else 0 end as known,
      ${BURSTS.wall} + floor(greatest(0, extract(epoch from clock_timestamp() - seen_at)) / ${REFILL_SECONDS})::float8 as most
    from walls where pick_up_point_id = ${pickUpPointId} for update
  `.execute(transaction);
  const { known = 0, most = MAX_CONCURRENT } = rows[0] ?? {};
  const count = Math.min((offlineWrongCodes ?? 0) - known, most, MAX_CONCURRENT);
  if (count <= 0) return;
  const { tenantId, clientId } = client;
  const request = {
    tenantId,
    clientId,
    onBehalfOf: null,
    operation: 'codeTypedOffline',
    requestId: newUid(),
  };
  const entry = { ...request, uids: [pupUid], outcome: 'InvalidAccessCode' };
  await insertAuditEntry({ ...entry, count }).execute(transaction);
  if (await countWrongCodes(transaction, { pickUpPointId, lockerId: null }, count))
    await insertAuditEntry({ ...entry, outcome: 'RateLimitExceeded' }).execute(transaction);
}
