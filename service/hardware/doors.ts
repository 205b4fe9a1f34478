// Opens doors for requests, with limits on their number and their time. A door that stays shut gives a refusal.
//
// A door is opened inside the transaction of the access, after everything is written and before the commit:
// - nothing is committed for a door that stayed shut: the failure rolls all of it back;
// - the chain is locked meanwhile, so a second access or a cancellation waits and finds the new state;
// - should the service die between the door and the commit, the state is as before and the code still opens: the same
//   person tries again. No change of state is lost, and none is made twice.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import pLimit, { type LimitFunction } from 'p-limit';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import { counter } from '../../shared/telemetry/metrics.ts';
import { Refusal } from '../refusal.ts';
import type { Settings } from '../settings.ts';
import { type Database, openDatabase } from '../storage/database.ts';

// ASSUMPTION: a pick up point that answers later counts as offline; its chain is locked while the service waits.
const OPENING_TIMEOUT_MS = 5_000;

export type OpenDoor = (door: Door) => Promise<void>;

export class Doors {
  readonly #hardware: LockerHardware;
  readonly #timeoutMs: number;
  readonly #limit: LimitFunction;

  /** Each opening holds a database connection: too many slow openings at a time would block all other requests. */
  constructor(hardware: LockerHardware, openingsAtATime: number, timeoutMs = OPENING_TIMEOUT_MS) {
    this.#hardware = hardware;
    this.#timeoutMs = timeoutMs;
    this.#limit = pLimit(openingsAtATime);
  }

  /** Runs the work of one access. Its opening comes last, and throws UnlockFailed when the door stays shut. */
  access<Result>(work: (openDoor: OpenDoor) => Promise<Result>): Promise<Result> {
    return this.#limit(() => work((door) => this.#open(door)));
  }

  async #open(door: Door): Promise<void> {
    using limit = new TimeLimit(this.#timeoutMs);
    try {
      await limit.race(this.#hardware.openDoor(door));
      countDoor('Opened');
    } catch (error) {
      countDoor('StayedShut');
      throw new Refusal(
        'UnlockFailed',
        `The locker ${door.lockerName} did not open: ${this.#reasonOf(error)}`,
        {},
        { cause: error },
      );
    }
  }

  #reasonOf(error: unknown): string {
    if (error instanceof TimeLimitReached)
      return `the pick up point did not answer within ${this.#timeoutMs} ms`;
    return error instanceof DoorFailure ? error.message : 'the hardware failed';
  }
}

export interface Door {
  readonly pupUid: string;
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** The doors in the database implement it; a driver of real lockers can too. */
export interface LockerHardware {
  /** Resolves when the door is open; throws DoorFailure if it did not open, or if that is unknown. */
  openDoor(door: Door): Promise<void>;
  /** Releases its resources; opens no door after that. */
  close(): Promise<void>;
}

export class DoorFailure extends Error {
  override readonly name = 'DoorFailure';
}

const doors = counter('lockerflow_doors_total', 'Doors that were to open, by outcome and meaning.');

/** @param meaning what an opening means for its shipment, where a wall told it */
export const countDoor = (
  outcome: 'Opened' | 'StayedShut',
  meaning: 'Next' | 'Stale' | 'Contradictory' | null = null,
): void => doors({ outcome, meaning: meaning ?? '' });

// A wall of lockers that exists in the database alone: every door opens at once, unless a test switched a fault on. It
// is the default hardware.

export type DoorFault = 'stuck' | 'offline';

export const doorFailures: Readonly<Record<DoorFault, string>> = {
  stuck: 'the door is stuck',
  offline: 'the pick up point does not answer',
};

// A simulated door is shown open for this time, because no person closes it.
export const OPEN_SECONDS = 5;

/** Open, Closed or Unknown, in SQL: as the locker's wall last told, and unknown while that is not connected. */
export const doorState = (lockerId: RawBuilder<unknown>): RawBuilder<string> => sql<string>`coalesce((
  select case when not coalesce((opening -> 'wall' ->> 'isConnected')::boolean, true) then 'Unknown'
    when opening -> 'wall' <> 'null' then case when told.door = 'open' then 'Open' else 'Closed' end
    when door.fault = 'offline' then 'Unknown'
    when door.opened_at > now() - make_interval(secs => ${OPEN_SECONDS}) then 'Open' else 'Closed' end
  from opening_of_locker(${lockerId}) as opening
  left join simulated_doors as door on door.locker_id = ${lockerId}
  left join wall_doors as told on told.locker_id = ${lockerId}), 'Closed')`;

// Its own connections: when a door opens, waiting transactions may hold every connection of the pool.
const CONNECTIONS = 2;

export function doorsInDatabase({ databaseUrl }: Settings, log: FastifyBaseLogger): DoorsInDatabase {
  return new DoorsInDatabase(
    openDatabase({
      url: databaseUrl,
      connections: CONNECTIONS,
      onBrokenConnection: (error) =>
        log.warn({ err: error }, 'a database connection of the simulated wall broke'),
    }),
  );
}

class DoorsInDatabase implements LockerHardware {
  readonly #database: Kysely<Database>;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  close(): Promise<void> {
    return this.#database.destroy();
  }

  async openDoor({ lockerId }: Door): Promise<void> {
    const { rows } = await sql<{ fault: DoorFault | null }>`
      insert into simulated_doors as door (locker_id, opened_at, openings) values (${lockerId}, now(), 1)
      on conflict (locker_id) do update set
        opened_at = case when door.fault is null then now() else door.opened_at end,
        openings = door.openings + case when door.fault is null then 1 else 0 end
      returning fault
    `.execute(this.#database);
    const fault = rows[0]?.fault;
    if (fault) throw new DoorFailure(doorFailures[fault]);
  }
}
