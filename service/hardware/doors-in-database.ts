// A wall of lockers that exists in the database alone: every door opens at once, unless a test switched a fault on. It
// is the default hardware.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Settings } from '../settings.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { type Door, DoorFailure, type LockerHardware } from './doors.ts';

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
