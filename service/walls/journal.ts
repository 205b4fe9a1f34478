// One message of a wall's journal: in one transaction it is counted as taken and has its effect. What is to be told
// afterwards, to the wall and to a waiting request, is given back and told after the commit.

import { type Kysely, sql, type Transaction } from 'kysely';
import type { JournalMessage, ServiceMessage } from '../../contract/index.ts';
import { insertAuditEntry } from '../audit/audit-entry.ts';
import { type Meaning, type SettlingContext, settleOpening } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { momentOfUid, newUid } from '../uid.ts';
import { type KnownEntry, knownEntry } from './offline-entries.ts';
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
      if (locker) await writeDoor(transaction, locker, { door: 'open', at });
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
      if (locker) await writeDoor(transaction, locker, { door: 'closed', at });
      return NONE;
    case 'itemSensed':
      if (locker) await writeDoor(transaction, locker, { item: message.item, at });
      return NONE;
    case 'commandFailed': {
      const { commandId, reason } = message;
      const reported = { commandId, reason, pickUpPointId: place.pickUpPointId, openedAt: null };
      return afterSettling(
        await settleCommand(transaction, { ...reported, outcome: 'StayedShut' }, sender),
        commandId,
      );
    }
    case 'openedOffline': {
      if (!locker)
        throw new TypeError('an opening without a locker, expected the one that the message names');
      await writeDoor(transaction, locker, { door: 'open', at });
      const teller = { client, place, locker, openedAt: at };
      return { answers: [], settled: await settleOffline(transaction, message, teller, sender) };
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

async function writeDoor(
  transaction: Transaction<Database>,
  { lockerId }: WallLocker,
  { door, item, at }: { readonly door?: 'open' | 'closed'; readonly item?: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into wall_doors as former (locker_id, door, item, openings, changed_at)
    values (${lockerId}, ${door ?? 'closed'}, ${item ?? 'unknown'}, ${door === 'open' ? 1 : 0}, ${at})
    on conflict (locker_id) do update set door = coalesce(${door ?? null}, former.door),
      item = coalesce(${item ?? null}, former.item), openings = former.openings + excluded.openings,
      changed_at = excluded.changed_at
  `.execute(transaction);
}

// An opening that a wall made by an offline list and tells later. The rules decide what it still means, as for any opening
// that is told late; it is kept whatever it means, and counts once.

type OpenedOffline = Extract<JournalMessage, { type: 'openedOffline' }>;

interface Teller {
  readonly client: ApiClient;
  readonly place: WallPlace;
  readonly locker: WallLocker;
  /** By the clock of the service. */
  readonly openedAt: Date;
}

/** Undefined if it was told before. */
async function settleOffline(
  transaction: Transaction<Database>,
  message: OpenedOffline,
  teller: Teller,
  context: SettlingContext,
): Promise<SettledCommand | undefined> {
  const { client, place, locker, openedAt } = teller;
  const { pickUpPointId } = place;
  const { lockerId } = locker;
  const commandId = newUid();
  const inserted = await sql`
    insert into offline_accesses (pick_up_point_id, list_id, entry_id, opened_at, command_id)
    values (${pickUpPointId}, ${message.listId}, ${message.entryId}, ${message.at}::timestamptz, ${commandId})
    on conflict do nothing
  `.execute(transaction);
  if (inserted.numAffectedRows === 0n) return undefined;
  const { tenantId, clientId } = client;
  const request = { tenantId, clientId, onBehalfOf: null, operation: message.type, requestId: newUid() };
  const entry = await knownEntry(transaction, { pickUpPointId, lockerId }, message.entryId);
  const { meaning, reason } = await meaningOf(transaction, request, entry, teller, message, context);
  await sql`
    insert into door_commands (command_id, tenant_id, pick_up_point_id, locker_id, shipment_uid, event_type, client_id,
      operation, request_id, asked_at, open_by, sent_at, outcome, reason, settled_at, opened_at, meaning)
    values (${commandId}, ${tenantId}, ${pickUpPointId}, ${lockerId}, ${entry?.shipmentUid ?? null},
      ${entry?.eventType ?? null}, ${clientId}, ${message.type}, ${request.requestId}, ${openedAt}, ${openedAt},
      ${openedAt}, 'Opened', ${reason}, clock_timestamp(), ${openedAt}, ${meaning})
  `.execute(transaction);
  const shipmentUid = entry?.shipmentUid ?? '';
  const { type: operation } = message;
  return {
    commandId,
    outcome: 'Opened',
    reason,
    meaning,
    lockerId,
    operation,
    shipmentUid,
    instanceId: null,
  };
}

async function meaningOf(
  transaction: Transaction<Database>,
  request: { tenantId: number; clientId: string; onBehalfOf: null; operation: string; requestId: string },
  entry: KnownEntry | undefined,
  { place, locker, openedAt }: Teller,
  { entryId }: OpenedOffline,
  context: SettlingContext,
): Promise<Meaning> {
  if (entry && !isBefore(openedAt, entryId))
    return settleOpening(
      transaction,
      { ...request, ...entry, keyHash: null, requestHash: null, openedAt },
      context,
    );
  const uids = [place.pupUid, locker.lockerUid];
  await insertAuditEntry({ ...request, uids, outcome: 'Contradictory' }).execute(transaction);
  const reason = entry
    ? 'the door opened before the list that allows it was given, as the wall tells'
    : 'no list that the service gave has this entry for this door';
  return { meaning: 'Contradictory', reason };
}

/** A wall without a connection loses some seconds a day. */
const WALL_CLOCK_MS = 60_000;

/** Before the entry was listed first, and so before its shipment waited for an access: the uid of an entry has its time. */
const isBefore = (openedAt: Date, entryId: string): boolean =>
  openedAt.getTime() < momentOfUid(entryId) - WALL_CLOCK_MS;
