// Records the outcome that a wall reports for a command to open a door: once, with its effect on the shipment.

import { type Kysely, sql, type Transaction } from 'kysely';
import { ANSWER_WITHIN_MS, type CommandOutcome } from '../hardware/wall-commands.ts';
import { recordLook } from '../lockers/open-locker.ts';
import { type Meaning, type Opening, type SettlingContext, settleOpening } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import { closeCodes, WallRefused } from './session.ts';

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
  /** Null: somebody looked into the locker. */
  readonly shipmentUid: string | null;
  /** The instance of the service whose request waits for the outcome; null: none waits. */
  readonly instanceId: string | null;
}

interface CommandRow extends Omit<Opening, 'shipmentUid'> {
  readonly shipmentUid: string | null;
  readonly lockerId: number;
  readonly lockerUid: string;
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
      (select locker_uid from lockers where lockers.locker_id = door_commands.locker_id) as "lockerUid",
      event_type as "eventType", client_id as "clientId", on_behalf_of as "onBehalfOf", why, operation,
      request_id as "requestId", key_hash as "keyHash", request_hash as "requestHash", instance_id as "instanceId"
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
      ? await settle(transaction, { ...command, ...whenIfLate(openedAt) }, context)
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

function settle(
  transaction: Transaction<Database>,
  { shipmentUid, ...opening }: CommandRow,
  context: SettlingContext,
): Promise<Meaning> {
  return shipmentUid === null
    ? recordLook(transaction, opening)
    : settleOpening(transaction, { ...opening, shipmentUid }, context);
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
