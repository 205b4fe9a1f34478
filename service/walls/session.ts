// The one connection of a wall that counts, in the database: whoever says hello last has it. Every effect of a message
// checks in its transaction that its connection still is the one. And how often a wrong code may be typed at a wall and at a
// door.
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { WallMessage } from '../../contract/index.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { writeOver } from './over.ts';

export type Hello = Extract<WallMessage, { type: 'hello' }>;

/** Ends a connection. The code is for the controller, the message for people. */
export class WallRefused extends Error {
  override readonly name = 'WallRefused';
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/** Application close codes (RFC 6455 section 7.4.2), with the numbers of the HTTP statuses that mean the same. */
export const closeCodes = { wrongMessage: 4400, revoked: 4401, replaced: 4409, tooMany: 4429 } as const;

export interface WallLocker {
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
}

export interface Session {
  readonly sessionId: string;
  readonly taken: number;
  readonly name: string;
  readonly lockers: ReadonlyMap<string, WallLocker>;
}

export function beginSession(
  database: Kysely<Database>,
  { client, place }: { readonly client: ApiClient; readonly place: WallPlace },
  instanceId: string,
  hello: Hello,
): Promise<Session> {
  const sessionId = randomUUID();
  return inTransaction(database, async (transaction) => {
    const lockers = await lockersOf(transaction, place);
    for (const { lockerUid } of hello.doors) requireOwn(lockers, lockerUid, place);
    const former = await transaction
      .selectFrom('walls')
      .select(['journal', 'seen_at'])
      .where('pick_up_point_id', '=', place.pickUpPointId)
      .forUpdate()
      .executeTakeFirst();
    const { rows } = await sql<{ taken: number; name: string }>`
      insert into walls as wall
        (pick_up_point_id, journal, taken, session_id, instance_id, seen_at)
      values (${place.pickUpPointId}, ${hello.journal}, 0, ${sessionId}, ${instanceId}, clock_timestamp())
      on conflict (pick_up_point_id) do update set journal = excluded.journal, session_id = excluded.session_id,
        instance_id = excluded.instance_id, seen_at = excluded.seen_at,
        taken = case when wall.journal = excluded.journal then wall.taken else 0 end
      returning taken, (select name from pick_up_points as pup where pup.pick_up_point_id = wall.pick_up_point_id) as name
    `.execute(transaction);
    await writeDoors(transaction, lockers, hello, former?.journal === hello.journal);
    const [row] = rows;
    if (!row) throw new TypeError('the connection of the wall was not written, expected one row');
    if (former?.seen_at)
      await writeOver(transaction, client, {
        operation: 'WallOnline',
        uids: [place.pupUid],
        since: former.seen_at,
        at: new Date(),
      });
    return { sessionId, ...row, lockers };
  });
}

export function requireOwn(
  lockers: ReadonlyMap<string, WallLocker>,
  lockerUid: string,
  { pupUid }: WallPlace,
): WallLocker {
  const locker = lockers.get(lockerUid);
  if (locker) return locker;
  throw new WallRefused(
    closeCodes.wrongMessage,
    `lockerUid: ${pupUid} has no locker ${lockerUid.slice(0, 200)}; welcome lists those that it has`,
  );
}

async function lockersOf(
  database: Kysely<Database>,
  { pickUpPointId }: WallPlace,
): Promise<Map<string, WallLocker>> {
  const { rows } = await sql<WallLocker>`
    select locker.locker_id as "lockerId", locker.locker_uid as "lockerUid", locker.locker_name as "lockerName",
      size.size
    from lockers as locker join locker_sizes as size using (locker_size_id)
    where locker.pick_up_point_id = ${pickUpPointId} order by locker.locker_id
  `.execute(database);
  return new Map(rows.map((locker) => [locker.lockerUid, locker]));
}

async function writeDoors(
  transaction: Transaction<Database>,
  lockers: ReadonlyMap<string, WallLocker>,
  { doors }: Hello,
  isSameJournal: boolean,
): Promise<void> {
  // A wall that names a door twice means the last time.
  const reported = new Map(doors.map((door) => [lockers.get(door.lockerUid)?.lockerId, door]));
  const rows = [...reported].map(([lockerId, { door }]) => ({ locker_id: lockerId, door }));
  // A hello does not say when a door was opened or shut. Its journal, which comes now, does where that was since the last connection:
  // until then it stays known since when a door stood open that is shut now. A new journal says nothing of it any more.
  await sql`
    insert into wall_doors as former (locker_id, door, opened_at)
    select locker_id, door, case when door = 'open' then clock_timestamp() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reported (locker_id bigint, door text)
    on conflict (locker_id) do update set door = excluded.door,
      opened_at = case when excluded.door = 'closed' and ${isSameJournal} then former.opened_at else excluded.opened_at end
      where former.door <> excluded.door
  `.execute(transaction);
}

/** Counts a message as taken, under the lock of the wall's row. False if it was taken before. */
export async function takeId(
  transaction: Transaction<Database>,
  place: WallPlace,
  session: Session,
  id: number,
): Promise<boolean> {
  if ((await requireCurrent(transaction, { place, session })) >= id) return false;
  await sql`update walls set taken = ${id} where pick_up_point_id = ${place.pickUpPointId}`.execute(
    transaction,
  );
  return true;
}

/** Locks the wall's row. Gives the last message that was taken. */
export async function requireCurrent(
  transaction: Transaction<Database>,
  {
    place: { pickUpPointId },
    session,
  }: { readonly place: WallPlace; readonly session?: Session | undefined },
): Promise<number> {
  const { rows } = await sql<{ taken: number; isCurrent: boolean }>`
    select taken, session_id is not distinct from ${session?.sessionId ?? null}::uuid as "isCurrent" from walls
    where pick_up_point_id = ${pickUpPointId} for update
  `.execute(transaction);
  const [row] = rows;
  if (!session || !row?.isCurrent) throw replaced();
  return row.taken;
}

export const replaced = () =>
  new WallRefused(
    closeCodes.replaced,
    'A newer connection of this wall has taken over: keep one connection, and end the old one before you make a new one',
  );

/** Says that this instance still has these connections. Gives those that it still has. */
export async function renewSessions(
  database: Kysely<Database>,
  sessionIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ sessionId: string }>`
    update walls set seen_at = clock_timestamp() where session_id = any(${sessionIds}::uuid[])
    returning session_id as "sessionId"
  `.execute(database);
  return new Set(rows.map(({ sessionId }) => sessionId));
}

export async function endSession(database: Kysely<Database>, sessionId: string): Promise<void> {
  await sql`
    update walls set session_id = null, instance_id = null where session_id = ${sessionId}::uuid
  `.execute(database);
}
