// One message of a wall's journal: in one transaction it is counted as taken and has its effect. What is to be told
// afterwards, to the wall and to a waiting request, is given back and told after the commit.

import { type Kysely, sql, type Transaction } from 'kysely';
import type { JournalMessage, ServiceMessage } from '../../contract/index.ts';
import type { SettlingContext } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { writeOver } from './over.ts';
import { requireOwn, type Session, takeId, type WallLocker } from './session.ts';
import { type SettledCommand, settleCommand } from './settle-command.ts';
import { takeCode } from './typed-code.ts';

interface Sender extends SettlingContext {
  readonly database: Kysely<Database>;
  readonly client: ApiClient;
  readonly place: WallPlace;
  readonly session: Session;
  /** By how much the service's clock is ahead of the wall's, in ms. */
  readonly aheadMs: number;
}

interface Effect {
  readonly answers: readonly ServiceMessage[];
  readonly settled?: SettledCommand | undefined;
}

const NONE: Effect = { answers: [] };

export async function takeMessage(sender: Sender, message: JournalMessage): Promise<Effect> {
  const locker = lockerOf(sender, message);
  return inTransaction(sender.database, async (transaction) => {
    const isNew = await takeId(transaction, sender.place, sender.session, message.id);
    return isNew ? await effectOf(transaction, sender, message, locker) : NONE;
  });
}

function lockerOf({ session, place }: Sender, message: JournalMessage): WallLocker | null {
  const lockerUid = 'lockerUid' in message ? message.lockerUid : null;
  return lockerUid == null ? null : requireOwn(session.lockers, lockerUid, place);
}

async function effectOf(
  transaction: Transaction<Database>,
  sender: Sender,
  message: JournalMessage,
  locker: WallLocker | null,
): Promise<Effect> {
  const { client, place, switches } = sender;
  const at = momentOf(sender, message.at);
  switch (message.type) {
    case 'codeTyped':
      return {
        answers: await takeCode(transaction, message, { client, place, locker, typedAt: at, switches }),
      };
    case 'doorOpened': {
      if (locker) await writeDoor(transaction, locker, at);
      if (message.commandId == null) return NONE;
      const reported = {
        commandId: message.commandId,
        pickUpPointId: place.pickUpPointId,
        lockerId: locker?.lockerId,
        openedAt: at,
      };
      return afterSettling(
        await settleCommand(transaction, { ...reported, outcome: 'Opened' }, sender),
        message.commandId,
      );
    }
    case 'doorClosed':
      if (locker) await shutDoor(transaction, sender, locker, at);
      return NONE;
    case 'commandFailed': {
      const { commandId, reason } = message;
      const reported = { commandId, reason, pickUpPointId: place.pickUpPointId, openedAt: null };
      return afterSettling(
        await settleCommand(transaction, { ...reported, outcome: 'StayedShut' }, sender),
        commandId,
      );
    }
  }
}

/** The wall may forget a command whose outcome is kept, also one that was kept before. */
const afterSettling = (settled: SettledCommand | undefined, commandId: string): Effect => ({
  answers: [{ type: 'forget', commandId }],
  settled,
});

/** By the service's clock, and never later than now: a wall's clock may be wrong. */
const momentOf = ({ aheadMs }: Sender, at: string): Date =>
  new Date(Math.min(Date.parse(at) + aheadMs, Date.now()));

/** The row of the wall is locked: nobody else writes its doors meanwhile. */
async function shutDoor(
  transaction: Transaction<Database>,
  { client, place }: Sender,
  locker: WallLocker,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ openedAt: Date | null }>`
    select opened_at as "openedAt" from wall_doors where locker_id = ${locker.lockerId}
  `.execute(transaction);
  await writeDoor(transaction, locker, null);
  const uids = [locker.lockerUid, place.pupUid];
  const since = rows[0]?.openedAt;
  if (since) await writeOver(transaction, client, { operation: 'DoorShut', uids, since, at });
}

/** @param openedAt null: it was shut. A door that is opened while it is open stands open since the first time. */
async function writeDoor(
  transaction: Transaction<Database>,
  { lockerId }: WallLocker,
  openedAt: Date | null,
): Promise<void> {
  const door = openedAt ? 'open' : 'closed';
  await sql`
    insert into wall_doors as former (locker_id, door, opened_at) values (${lockerId}, ${door}, ${openedAt})
    on conflict (locker_id) do update set door = excluded.door,
      opened_at = case when excluded.door = 'open' and former.door = 'open'
        then least(former.opened_at, excluded.opened_at) else excluded.opened_at end
  `.execute(transaction);
}
