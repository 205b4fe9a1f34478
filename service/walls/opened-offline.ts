// An opening that a wall made by an offline list and tells later. The rules decide what it still means, as for any opening
// that is told late; it is kept whatever it means, and counts once.
import { sql, type Transaction } from 'kysely';
import type { JournalMessage } from '../../contract/index.ts';
import { insertAuditEntry } from '../audit/audit-entry.ts';
import { type Meaning, type SettlingContext, settleOpening } from '../shipments/opening/settle-opening.ts';
import type { Database } from '../storage/database.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { momentOfUid, newUid } from '../uid.ts';
import { type KnownEntry, knownEntry } from './offline-entries.ts';
import type { WallLocker } from './session.ts';
import type { SettledCommand } from './settle-command.ts';

type OpenedOffline = Extract<JournalMessage, { type: 'openedOffline' }>;

interface Teller {
  readonly client: ApiClient;
  readonly place: WallPlace;
  readonly locker: WallLocker;
  /** By the clock of the service. */
  readonly openedAt: Date;
}

/** Undefined if it was told before. */
export async function settleOffline(
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
