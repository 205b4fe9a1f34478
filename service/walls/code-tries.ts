// How often a wrong code may be typed, at a whole wall and at one of its doors: a bucket that fills up slowly. Once it is
// empty, codes are refused without a look, right ones too: or one could try all of them through.
import { sql, type Transaction } from 'kysely';
import { WRONG_CODES } from '../../contract/index.ts';
import type { Database } from '../storage/database.ts';

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

/** True if that was the last one that was allowed for now. */
export async function countWrongCode(transaction: Transaction<Database>, bucket: Bucket): Promise<boolean> {
  let isLast = false;
  for (const lockerId of keysOf(bucket)) {
    const burst = burstOf(lockerId);
    const { rows } = await sql<{ allowed: number }>`
      insert into wrong_codes as former (pick_up_point_id, locker_id, allowed, counted_at)
      values (${bucket.pickUpPointId}, ${lockerId}, ${burst - 1}, clock_timestamp())
      on conflict (pick_up_point_id, locker_id) do update set
        allowed = least(${burst}, former.allowed
          + extract(epoch from clock_timestamp() - former.counted_at) / ${REFILL_SECONDS}) - 1,
        counted_at = clock_timestamp()
      returning allowed
    `.execute(transaction);
    isLast ||= (rows[0]?.allowed ?? 0) < 1;
  }
  return isLast;
}
