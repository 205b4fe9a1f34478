// The doors of staging that no wall opens, which are in the database alone: each opens at once, unless a test has switched a
// fault on. And how the doors of all lockers are counted and shown.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { counter } from '../../shared/telemetry/metrics.ts';
import type { Database } from '../storage/database.ts';

const doors = counter('lockerflow_doors_total', 'Doors that were to open, by outcome and meaning.');

/** @param meaning what an opening means for its shipment, where a wall told it */
export const countDoor = (
  outcome: 'Opened' | 'StayedShut',
  meaning: 'Next' | 'Stale' | 'Contradictory' | null = null,
): void => doors({ outcome, meaning: meaning ?? '' });

export type DoorFault = 'stuck' | 'offline';

export const doorFailures: Readonly<Record<DoorFault, string>> = {
  stuck: 'the door is stuck',
  offline: 'the pick up point does not answer',
};

/** Gives why the door stays shut; undefined when it is open. */
export async function openSimulatedDoor(
  transaction: Transaction<Database>,
  lockerId: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ fault: DoorFault | null }>`
    select fault from simulated_doors where locker_id = ${lockerId}
  `.execute(transaction);
  const fault = rows[0]?.fault;
  countDoor(fault ? 'StayedShut' : 'Opened');
  return fault ? doorFailures[fault] : undefined;
}

/** In SQL: whether no booking gets the locker because of its door (assumptions: Lockers and codes). */
export const standsOpen = (lockerId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from lockers_standing_open() as standing where standing.locker_id = ${lockerId})`;

/** Open, Closed or Unknown, in SQL: as the locker's wall last told, and unknown while that is not connected. */
export const doorState = (lockerId: RawBuilder<unknown>): RawBuilder<string> => sql<string>`coalesce((
  select case when not coalesce((opening -> 'wall' ->> 'isConnected')::boolean, true) then 'Unknown'
    when opening -> 'wall' <> 'null' then case when told.door = 'open' then 'Open' else 'Closed' end
    when door.fault = 'offline' then 'Unknown' else 'Closed' end
  from opening_of_locker(${lockerId}) as opening
  left join simulated_doors as door on door.locker_id = ${lockerId}
  left join wall_doors as told on told.locker_id = ${lockerId}), 'Closed')`;
