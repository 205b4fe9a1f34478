// Records the outcome that a wall reports for a command to open a door: once, with its effect on the shipment.

import { type Kysely, sql, type Transaction } from 'kysely';
import { CODE_LIVES_MS, type JournalMessage, type ServiceMessage } from '../../contract/index.ts';
import { languageSeenBy } from '../accounts/account.ts';
import { type AuditEntry, insertAuditEntry } from '../audit/audit-entry.ts';
import { ANSWER_WITHIN_MS, type CommandOutcome } from '../hardware/wall-commands.ts';
import { accessBy } from '../lockers/access-locker.ts';
import { Refusal } from '../refusal.ts';
import { chainSteps } from '../shipments/chain-steps.ts';
import { lockChain, storedShipmentOf } from '../shipments/lock-chain.ts';
import {
  askDoor,
  type Opening,
  type SettlingContext,
  settleOpening,
  stayedShut,
} from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import type { Switches } from '../switches/switches.ts';
import type { ApiClient, WallPlace } from '../token/api-clients.ts';
import { newUid } from '../uid.ts';
import {
  closeCodes,
  countWrongCodes,
  retryAfterWrongCodes,
  type WallLocker,
  WallRefused,
} from './session.ts';

export interface ReportedOutcome {
  readonly commandId: string;
  readonly pickUpPointId: number;
  readonly outcome: 'Opened' | 'StayedShut';
  readonly reason?: string;
  /** The door in the wall's report, if it has one. */
  readonly lockerId?: number | undefined;
  /** By the clock of the service. Null: the report has no time. */
  readonly openedAt: Date | null;
}

export interface SettledCommand extends CommandOutcome {
  readonly lockerId: number;
  readonly operation: string;
  readonly shipmentUid: string;
  /** The instance of the service whose request waits for the outcome; null: none waits. */
  readonly instanceId: string | null;
}

interface CommandRow extends Opening {
  readonly lockerId: number;
  readonly instanceId: string | null;
}

/** Undefined if the wall has no such command, or if the outcome was recorded before. */
export async function settleCommand(
  transaction: Transaction<Database>,
  reported: ReportedOutcome,
  context: SettlingContext,
): Promise<SettledCommand | undefined> {
  const { commandId, outcome, openedAt } = reported;
  const { rows } = await sql<CommandRow>`
    select tenant_id as "tenantId", locker_id as "lockerId", shipment_uid as "shipmentUid",
      case when takes_left_item then 'LeftItemPickedUp' else event_type end as "eventType", client_id as "clientId", on_behalf_of as "onBehalfOf", operation, request_id as "requestId", key_hash as "keyHash",
      request_hash as "requestHash", instance_id as "instanceId"
    from door_commands
    where command_id = ${commandId} and pick_up_point_id = ${reported.pickUpPointId} and outcome is null
    for update
  `.execute(transaction);
  const [command] = rows;
  if (!command) return undefined;
  if (reported.lockerId !== undefined && reported.lockerId !== command.lockerId)
    throw new WallRefused(closeCodes.wrongMessage, `lockerUid: the command ${commandId} is for another door`);
  const { meaning, reason } =
    outcome === 'Opened'
      ? await settleOpening(transaction, { ...command, ...whenIfLate(openedAt) }, context)
      : { meaning: null, reason: reported.reason ?? null };
  await sql`
    update door_commands set outcome = ${outcome}, reason = ${reason}, meaning = ${meaning},
      settled_at = clock_timestamp(),
      opened_at = case when ${outcome} = 'Opened' then coalesce(${openedAt}::timestamptz, clock_timestamp()) end
    where command_id = ${commandId}
  `.execute(transaction);
  const { lockerId, operation, shipmentUid, instanceId } = command;
  return { commandId, outcome, reason, meaning, lockerId, operation, shipmentUid, instanceId };
}

/** An opening that is told while its request may wait is of now. */
const whenIfLate = (openedAt: Date | null) =>
  openedAt && openedAt.getTime() < Date.now() - ANSWER_WITHIN_MS ? { openedAt } : {};

/** Which of the listed commands, and of the sent ones without an outcome, are settled and which are still open. */
export async function commandsOf(
  database: Kysely<Database>,
  pickUpPointId: number,
  listed: readonly string[],
): Promise<{ readonly settled: ReadonlySet<string>; readonly sent: ReadonlySet<string> }> {
  const { rows } = await sql<{ commandId: string; isSettled: boolean }>`
    select command_id as "commandId", outcome is not null as "isSettled" from door_commands
    where pick_up_point_id = ${pickUpPointId}
      and (command_id = any(${listed}::text[]) or (outcome is null and sent_at is not null))
  `.execute(database);
  const idsOf = (isSettled: boolean) =>
    new Set(rows.filter((row) => row.isSettled === isSettled).map(({ commandId }) => commandId));
  return { settled: idsOf(true), sent: idsOf(false) };
}

// A code that a person typed at a wall. The rules decide what it opens, as with SimulateLockerAccess; the door is opened
// after the commit.

type TypedCodeMessage = Extract<JournalMessage, { type: 'codeTyped' }>;

interface Typist {
  readonly client: ApiClient;
  readonly switches: Switches;
  readonly place: WallPlace;
  /** Where the person stands, if the wall knows. */
  readonly locker: WallLocker | null;
  /** When the code was typed, by the clock of the service. */
  readonly typedAt: Date;
}

const OPERATION = 'codeTyped';
const NO_KEY = { keyHash: null, requestHash: null };

/** The answers for the wall, in order. */
export async function takeCode(
  transaction: Transaction<Database>,
  { id, code }: TypedCodeMessage,
  typist: Typist,
): Promise<ServiceMessage[]> {
  const { place, locker, typedAt } = typist;
  const refused = (error: string, message: string, retryAt: Date | null = null): ServiceMessage[] => [
    { type: 'codeAnswered', id, opens: null, error, message, retryAt: retryAt?.toISOString() ?? null },
  ];
  if (Date.now() - typedAt.getTime() > CODE_LIVES_MS)
    return refused('UnlockFailed', `the code was typed more than ${CODE_LIVES_MS} ms ago`);
  const bucket = { pickUpPointId: place.pickUpPointId, lockerId: locker?.lockerId ?? null };
  const retryAt = await retryAfterWrongCodes(transaction, bucket);
  if (retryAt)
    return refused('RateLimitExceeded', 'too many wrong codes: the code was not looked at', retryAt);
  try {
    return await openBy(transaction, id, code, typist);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const entry = auditOf(typist, locker ? [place.pupUid, locker.lockerUid] : [place.pupUid]);
    await insertAuditEntry({ ...entry, outcome: error.code }).execute(transaction);
    if (error.code !== 'InvalidAccessCode') return refused(error.code, error.message);
    if (await countWrongCodes(transaction, bucket))
      await insertAuditEntry({ ...entry, outcome: 'RateLimitExceeded' }).execute(transaction);
    return refused(error.code, error.message);
  }
}

async function openBy(
  transaction: Transaction<Database>,
  id: number,
  code: string,
  { client, place, locker, switches }: Typist,
): Promise<ServiceMessage[]> {
  const asker = { ...auditOf({ client }, []), ...NO_KEY, instanceId: null, isSent: true };
  const typed = { pupUid: place.pupUid, code, ...(locker && { lockerName: locker.lockerName }) };
  const locked = await lockChain(transaction, asker, NO_KEY, typed, []);
  if ('answered' in locked) throw new TypeError('without a key there is no former answer');
  const access = accessBy(locked, code);
  if (locked.locker.command)
    throw stayedShut(
      locked.locker.lockerName,
      locked.locker.command.isLive
        ? 'it is being opened already'
        : 'it is not known yet whether it opened before; the service asks its wall',
    );
  chainSteps(locked, [access], [], { dispatcherUserUid: client.mainUserUid, switches });
  const opening = { shipmentUid: access.shipmentUid, eventType: access.type };
  const { commandId, lockerUid, openBy: by } = await askDoor(transaction, asker, locked, opening);
  const goal = access.type === 'ItemDroppedOff' ? 'DropOff' : 'PickUp';
  // The person at the wall: the sender drops off, the receiver picks up.
  const { fromUserUid, toUserUid } = storedShipmentOf(locked, access.shipmentUid);
  const userUid = goal === 'DropOff' ? fromUserUid : toUserUid;
  const languageCode = await languageSeenBy(transaction, client.tenantId, userUid);
  return [
    { type: 'codeAnswered', id, opens: { lockerUid, commandId, goal, languageCode } },
    { type: 'openDoor', commandId, lockerUid, by: by.toISOString() },
  ];
}

function auditOf(
  { client }: Pick<Typist, 'client'>,
  uids: readonly string[],
): Omit<AuditEntry, 'outcome' | 'clientId'> & { readonly clientId: string } {
  const { tenantId, clientId } = client;
  return { tenantId, clientId, onBehalfOf: null, operation: OPERATION, requestId: newUid(), uids };
}
