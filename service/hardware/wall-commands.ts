// What walls are asked to open, in the database. Any instance may ask; the one that has the wall's connection sends; the
// one that hears the outcome settles. A command goes out once at most: after a lost connection the wall is only asked.

import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { OpeningEvent } from '../../contract/machines/access.ts';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import type { AuditedRequest } from '../audited-request.ts';
import type { Database } from '../storage/database.ts';
import { Listener } from '../storage/listener.ts';
import { newUid } from '../uid.ts';
import { countDoor } from './doors.ts';

/** The door must not open later: the person has given up, or the request is about to be answered. */
const OPEN_WITHIN_MS = 4_000;
/** How long a request waits for its door. The rest is for the way of the wall's answer. */
export const ANSWER_WITHIN_MS = 5_000;

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
  readonly shipmentUid: string;
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
      client_id, on_behalf_of, operation, request_id, key_hash, request_hash, instance_id, asked_at,
      open_by, sent_at)
    select ${commandId}, ${command.tenantId}, ${command.pickUpPointId}, ${command.lockerId}, ${command.shipmentUid},
      ${command.eventType}, ${command.clientId}, ${command.onBehalfOf}, ${command.operation}, ${command.requestId},
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

async function knownOutcomes(
  database: Kysely<Database>,
  commandIds: readonly string[],
): Promise<CommandOutcome[]> {
  const { rows } = await sql<CommandOutcome>`
    select command_id as "commandId", outcome, reason, meaning from door_commands
    where command_id = any(${commandIds}::text[]) and outcome is not null
  `.execute(database);
  return rows;
}

// Between the requests that wait for a wall's door and the connection that has the wall, within this instance and between
// instances (NOTIFY). No transaction is open while anything waits here. A lost notification only costs time: waiting
// requests and connections look for themselves, too.

const CHANNEL = 'walls';
const LOOK_EVERY_MS = 500;

/** What one instance tells another. */
type Notification = { readonly asked: number } | { readonly settled: string };

interface WallDoorsOptions {
  readonly database: Kysely<Database>;
  readonly databaseUrl: string;
  readonly log: FastifyBaseLogger;
}

export class WallDoors {
  /** Names this process among the instances of the service. */
  readonly instanceId = randomUUID();
  /** Called when a wall of this instance may have something to open. */
  onAsked: (pickUpPointId: number) => void = () => undefined;
  readonly #database: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #listener: Listener;
  readonly #waiting = new Map<string, Set<(outcome: CommandOutcome) => void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor({ database, databaseUrl, log }: WallDoorsOptions) {
    this.#database = database;
    this.#log = log;
    this.#listener = new Listener({
      databaseUrl,
      channel: CHANNEL,
      applicationName: 'lockerflow-walls',
      onWake: (payload) => this.#receive(payload),
      onError: (error) =>
        log.warn(
          { err: error },
          'the connection that listens for the outcomes of openings broke; this instance polls until it is back',
        ),
    });
  }

  /** Only an instance that has a wall, or waits for one, needs the connection. */
  listen(): void {
    this.#listener.start();
  }

  /** After the commit: tells the instance that has the wall's connection. */
  async asked(pickUpPointId: number, instanceId: string | null): Promise<void> {
    if (instanceId === this.instanceId) this.onAsked(pickUpPointId);
    else await this.#notify({ asked: pickUpPointId });
  }

  /** After the commit: tells the request that waits, if it waits at another instance. */
  async settled(outcome: CommandOutcome, instanceId: string | null): Promise<void> {
    this.#resolve(outcome);
    if (instanceId !== null && instanceId !== this.instanceId)
      await this.#notify({ settled: outcome.commandId });
  }

  /** Undefined if the outcome is not known in time. */
  async outcomeOf(commandId: string, withinMs: number): Promise<CommandOutcome | undefined> {
    this.listen();
    const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
    const others = this.#waiting.get(commandId) ?? new Set();
    this.#waiting.set(commandId, others.add(resolve));
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS);
    // It may have been settled before this waits.
    void this.#look();
    try {
      using limit = new TimeLimit(withinMs);
      return await limit.race(promise);
    } catch (error) {
      if (!(error instanceof TimeLimitReached)) throw error;
      // A command that never went out is not in doubt: nobody will send it any more.
      await giveUpUnsent(this.#database, 'its wall was not connected in time');
      const [outcome] = await knownOutcomes(this.#database, [commandId]);
      return outcome;
    } finally {
      others.delete(resolve);
      if (others.size === 0) this.#waiting.delete(commandId);
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#listener.stop();
    await this.#looking;
  }

  #receive(payload: string | undefined): void {
    if (payload === undefined) return void this.#look();
    const word = JSON.parse(payload) as Notification;
    if ('asked' in word) this.onAsked(word.asked);
    else if (this.#waiting.has(word.settled)) void this.#look();
  }

  /** One statement for all that wait here. */
  #look(): Promise<void> {
    // Before the look begins: one that ended without waiting for anything would count as under way for ever.
    if (this.#waiting.size === 0) return Promise.resolve();
    this.#looking ??= (async () => {
      try {
        for (const outcome of await knownOutcomes(this.#database, [...this.#waiting.keys()]))
          this.#resolve(outcome);
      } catch (error) {
        this.#log.warn(
          { err: error },
          'the outcomes of openings could not be read; they are read again soon',
        );
      } finally {
        this.#looking = undefined;
      }
    })();
    return this.#looking;
  }

  #resolve(outcome: CommandOutcome): void {
    for (const resolve of this.#waiting.get(outcome.commandId) ?? []) resolve(outcome);
  }

  async #notify(word: Notification): Promise<void> {
    // Nothing is written, so there is no reason to wait for the disk.
    await sql`
      select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${JSON.stringify(word)})
    `
      .execute(this.#database)
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'another instance was not told of an opening; it finds it by polling'),
      );
  }
}
