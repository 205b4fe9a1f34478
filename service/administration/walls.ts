// What the service keeps of a pick up point's wall, for operators.
import { type Kysely, sql, type Transaction } from 'kysely';
import { isWallConnected } from '../hardware/wall-commands.ts';
import type { Database } from '../storage/database.ts';

export async function ensureWall(transaction: Transaction<Database>, pickUpPointId: number): Promise<void> {
  await transaction
    .insertInto('walls')
    .values({ pick_up_point_id: pickUpPointId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface WallReport {
  readonly pupUid: string;
  readonly clientIds: readonly string[];
  readonly isConnected: boolean;
  /** Openings whose outcome is not known yet. */
  readonly waiting: number;
}

export interface DoubtfulOpening {
  readonly openedAt: Date;
  readonly pupUid: string;
  readonly lockerName: string;
  readonly shipmentUid: string;
  readonly goal: 'DropOff' | 'PickUp' | null;
  readonly operation: string;
  readonly meaning: 'Stale' | 'Contradictory';
  readonly reason: string;
}

/** Doors that opened, and whose shipments did not change: the latest ones, newest first. */
export async function doubtfulOpenings(
  database: Kysely<Database>,
  tenantId: number,
  most: number,
): Promise<DoubtfulOpening[]> {
  const { rows } = await sql<DoubtfulOpening>`
    select command.opened_at as "openedAt", pup.pup_uid as "pupUid", locker.locker_name as "lockerName",
      command.shipment_uid as "shipmentUid",
      case when command.event_type = 'ItemDroppedOff' then 'DropOff' when command.event_type is not null then 'PickUp' end as goal,
      command.operation, command.meaning, command.reason
    from door_commands as command
    join lockers as locker using (locker_id)
    join pick_up_points as pup on pup.pick_up_point_id = command.pick_up_point_id
    where command.tenant_id = ${tenantId} and command.meaning in ('Stale', 'Contradictory')
    order by command.opened_at desc limit ${most}
  `.execute(database);
  return rows;
}

export async function wallsOf(database: Kysely<Database>, tenantId: number): Promise<WallReport[]> {
  const { rows } = await sql<WallReport>`
    select pup.pup_uid as "pupUid", array_agg(client.client_id order by client.client_id) as "clientIds",
      bool_or(${isWallConnected}) as "isConnected",
      (select count(*) from door_commands as command
       where command.pick_up_point_id = pup.pick_up_point_id and command.outcome is null) as waiting
    from pick_up_points as pup
    join api_clients as client on client.wall_pick_up_point_id = pup.pick_up_point_id and client.revoked_at is null
    left join walls as wall on wall.pick_up_point_id = pup.pick_up_point_id
    where pup.tenant_id = ${tenantId}
    group by pup.pick_up_point_id
    order by pup.pup_uid
  `.execute(database);
  return rows;
}
