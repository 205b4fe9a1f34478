// What walls are asked to open, in the database. Any instance may ask; the one that has the wall's connection sends; the
// one that hears the outcome settles. A command goes out once at most: after a lost connection the wall is only asked.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { OpeningEvent } from '../../contract/machines/access.ts';
import type { AuditedRequest } from '../audited-request.ts';
import type { Database } from '../storage/database.ts';
import { newUid } from '../uid.ts';
import { countDoor } from './doors.ts';

/** The door must not open later: the person has given up, or the request is about to be answered. */
const OPEN_WITHIN_MS = 4_000;
/** How long a request waits for its door. The rest is for the way of the wall's answer. */
export const ANSWER_WITHIN_MS = 5_000;

/** What stands in the place of an operation where somebody typed a code at a wall. */
export const CODE_TYPED = 'codeTyped';

/** In SQL: whether the row `wall`, where there is one, has a connection. */
export const isWallConnected = sql<boolean>`is_wall_connected(wall.session_id, wall.seen_at)`;

/** How lock_chain shows the wall of a locker's pick up point. */
export interface WallOfLocker {
  readonly isConnected: boolean;
  readonly instanceId: string | null;
}

/** A command of the locker whose outcome is not known yet. */
export interface OpenCommand {
  readonly commandId: string;
  /** It may still open the door. */
  readonly isLive: boolean;
}

export interface NewCommand extends AuditedRequest {
  readonly pickUpPointId: number;
  readonly lockerId: number;
  /** Null: somebody looks into the locker, for no shipment. */
  readonly shipmentUid: string | null;
  /** Null: the opening does not advance the shipment. */
  readonly eventType: OpeningEvent | null;
  readonly keyHash: Buffer | null;
  readonly requestHash: Buffer | null;
  /** The instance to tell of the outcome; null if nobody waits. */
  readonly instanceId: string | null;
  /** The connection that asks will send it itself, and no other may. */
  readonly isSent: boolean;
}

/** The locker's chain must be locked: then no other command of this door can be there. */
export async function insertCommand(
  transaction: Transaction<Database>,
  command: NewCommand,
): Promise<{ readonly commandId: string; readonly openBy: Date }> {
  const commandId = newUid();
  const { rows } = await sql<{ openBy: Date }>`
    insert into door_commands (command_id, tenant_id, pick_up_point_id, locker_id, shipment_uid, event_type,
      client_id, on_behalf_of, why, operation, request_id, key_hash, request_hash, instance_id, asked_at,
      open_by, sent_at)
    select ${commandId}, ${command.tenantId}, ${command.pickUpPointId}, ${command.lockerId}, ${command.shipmentUid},
      ${command.eventType}, ${command.clientId}, ${command.onBehalfOf}, ${command.why}, ${command.operation}, ${command.requestId},
      ${command.keyHash}, ${command.requestHash}, ${command.instanceId}, moment, moment + ${OPEN_WITHIN_MS} * interval '1 millisecond',
      case when ${command.isSent} then moment end
    from clock_timestamp() as moment
    returning open_by as "openBy"
  `.execute(transaction);
  const [row] = rows;
  if (!row) throw new TypeError('the command was not written, expected one row');
  return { commandId, openBy: row.openBy };
}

interface SendableCommand {
  readonly commandId: string;
  readonly lockerUid: string;
  readonly openBy: Date;
}

/**
 * Marks the commands of walls as sent and gives them: each to one caller, once, and only while the door may open. A session
 * that another one has replaced gets none: its wall is not at the other end any more.
 */
export async function takeUnsent(
  database: Kysely<Database>,
  sessionIds: readonly string[],
): Promise<(SendableCommand & { readonly pickUpPointId: number })[]> {
  const { rows } = await sql<SendableCommand & { pickUpPointId: number }>`
    update door_commands as command set sent_at = clock_timestamp()
    from lockers as locker, walls as wall
    where wall.session_id = any(${sessionIds}::uuid[]) and command.pick_up_point_id = wall.pick_up_point_id
      and command.outcome is null and command.sent_at is null and command.open_by > clock_timestamp()
      and locker.locker_id = command.locker_id
    returning command.command_id as "commandId", locker.locker_uid as "lockerUid", command.open_by as "openBy",
      command.pick_up_point_id as "pickUpPointId"
  `.execute(database);
  return rows;
}

/** Commands that never went out and must not any more: their doors stayed shut. */
export async function giveUpUnsent(database: Kysely<Database>, reason: string): Promise<string[]> {
  const { rows } = await sql<{ commandId: string }>`
    update door_commands set outcome = 'StayedShut', reason = ${reason}, settled_at = clock_timestamp()
    where outcome is null and sent_at is null and open_by <= clock_timestamp()
    returning command_id as "commandId"
  `.execute(database);
  for (const _ of rows) countDoor('StayedShut');
  return rows.map(({ commandId }) => commandId);
}

/** Commands that went out, whose time is over, and whose outcome the wall has not told. */
export async function doubtfulCommands(
  database: Kysely<Database>,
  sessionIds: readonly string[],
): Promise<{ readonly commandId: string; readonly pickUpPointId: number }[]> {
  const { rows } = await sql<{ commandId: string; pickUpPointId: number }>`
    select command_id as "commandId", pick_up_point_id as "pickUpPointId"
    from door_commands join walls as wall using (pick_up_point_id)
    where wall.session_id = any(${sessionIds}::uuid[]) and outcome is null and sent_at is not null
      and open_by + interval '1 second' < clock_timestamp()
  `.execute(database);
  return rows;
}

export interface CommandOutcome {
  readonly commandId: string;
  readonly outcome: 'Opened' | 'StayedShut';
  readonly reason: string | null;
  readonly meaning: 'Next' | 'Stale' | 'Contradictory' | null;
}

export async function knownOutcomes(
  database: Kysely<Database>,
  commandIds: readonly string[],
): Promise<CommandOutcome[]> {
  const { rows } = await sql<CommandOutcome>`
    select command_id as "commandId", outcome, reason, meaning from door_commands
    where command_id = any(${commandIds}::text[]) and outcome is not null
  `.execute(database);
  return rows;
}
