// Opens doors for requests, with limits on their number and their time. A door that stays shut gives a refusal.
//
// A door is opened inside the transaction of the access, after everything is written and before the commit:
// - nothing is committed for a door that stayed shut: the failure rolls all of it back;
// - the chain is locked meanwhile, so a second access or a cancellation waits and finds the new state;
// - should the service die between the door and the commit, the state is as before and the code still opens: the same
//   person tries again. No change of state is lost, and none is made twice.
import type { FastifyBaseLogger } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import pLimit from 'p-limit';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import { counter } from '../../shared/telemetry/metrics.ts';
import { Refusal } from '../refusal.ts';
import type { Settings } from '../settings.ts';
import { openDatabase } from '../storage/database.ts';

// ASSUMPTION: a pick up point that answers later counts as offline; its chain is locked while the service waits.
const OPENING_TIMEOUT_MS = 5_000;

export type OpenDoor = (door: Door) => Promise<void>;

/** Runs the work of one access. Its opening comes last, and throws UnlockFailed when the door stays shut. */
export type AccessDoors = <Result>(work: (openDoor: OpenDoor) => Promise<Result>) => Promise<Result>;

/** Each opening holds a database connection: too many slow openings at a time would block all other requests. */
export function doorsOf(
  hardware: LockerHardware,
  openingsAtATime: number,
  timeoutMs = OPENING_TIMEOUT_MS,
): AccessDoors {
  const limit = pLimit(openingsAtATime);
  return (work) => limit(() => work((door) => open(hardware, door, timeoutMs)));
}

async function open(hardware: LockerHardware, door: Door, timeoutMs: number): Promise<void> {
  using limit = new TimeLimit(timeoutMs);
  try {
    await limit.race(hardware.openDoor(door));
    countDoor('Opened');
  } catch (cause) {
    countDoor('StayedShut');
    const isLate = cause instanceof TimeLimitReached;
    const known = cause instanceof DoorFailure ? cause.message : 'the hardware failed';
    const reason = isLate ? `the pick up point did not answer within ${timeoutMs} ms` : known;
    throw new Refusal('UnlockFailed', `The locker ${door.lockerName} did not open: ${reason}`, {}, { cause });
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
const OPEN_SECONDS = 5;

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

export function doorsInDatabase({ databaseUrl }: Settings, log: FastifyBaseLogger): LockerHardware {
  const database = openDatabase({
    url: databaseUrl,
    connections: CONNECTIONS,
    onBrokenConnection: (error) =>
      log.warn({ err: error }, 'a database connection of the simulated wall broke'),
  });
  return {
    close: () => database.destroy(),
    openDoor: async ({ lockerId }) => {
      const { rows } = await sql<{ fault: DoorFault | null }>`
        insert into simulated_doors as door (locker_id, opened_at, openings) values (${lockerId}, now(), 1)
        on conflict (locker_id) do update set
          opened_at = case when door.fault is null then now() else door.opened_at end,
          openings = door.openings + case when door.fault is null then 1 else 0 end
        returning fault
      `.execute(database);
      const fault = rows[0]?.fault;
      if (fault) throw new DoorFailure(doorFailures[fault]);
    },
  };
}
