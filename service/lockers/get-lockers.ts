// GetLockers (assumptions: Operating): the tenant's lockers, what is with each, and what holds it, page by page.

import { type RawBuilder, sql } from 'kysely';
import type { Request, Response, ShipmentType, StateCode } from '../../contract/index.ts';
import type { Context, Handler } from '../handler.ts';
import { type DoorFault, doorFailures, doorState } from '../hardware/doors.ts';
import { isWallConnected } from '../hardware/wall-commands.ts';
import { offsetOf, pageOf } from '../page.ts';
import { type AccessGoal, LOOK } from '../shipments/chain-steps.ts';
import { notConnected } from '../shipments/opening.ts';
import { activeStateCodes } from '../storage/open-states.ts';
import { asRenamed, type Switches } from '../switches/switches.ts';
import { withoutOffset } from '../wire-time.ts';

type Item = Response<'GetLockers'>['items'][number];

export const getLockers: Handler<'GetLockers'> = async (request, context) => {
  const { database, switches } = context;
  const filter = sql.join(conditions(request, context), sql` and `);
  const counted = await sql<{ items: number }>`
    select count(*) as items
    from lockers as locker join pick_up_points as pup using (pick_up_point_id) where ${filter}
  `.execute(database);
  const { rows } = await sql<Row>`
    select page.locker_uid as "lockerUid", page.locker_name as "lockerName", page.pup_uid as "pupUid", size.size,
      page.state, page.out_of_order as "outOfOrder", page.to_be_emptied as "toBeEmptied",
      leaver.shipment_uid as "leftShipmentUid", ${doorState(sql.ref('page.locker_id'))} as door,
      stands_open.opened_at as open_since, jsonb_build_object('width', size.small_side, 'height', size.middle_side, 'length', size.large_side) as "innerDimension",
      command.outcome as command_outcome, command.reason, command.settled_at, failing.failing_since, simulated.fault,
      lost.seen_at as wall_lost_at, real_moment(page.tenant_id, last.occurred_at) as occurred_at, last.access_goal, last.shipment_uid as accessed_shipment_uid,
      last.on_behalf_of, last.why, held.shipments
    from (
      select locker.*, pup.pup_uid, ${lockerState} as state
      from lockers as locker join pick_up_points as pup using (pick_up_point_id) where ${filter}
      order by pup.name, pup.pick_up_point_id, locker.locker_id
      limit ${request.pageSize} offset ${offsetOf(request)}
    ) as page
    join pick_up_points as pup using (pick_up_point_id)
    join locker_sizes as size using (locker_size_id)
    left join shipments as leaver on leaver.shipment_id = page.left_shipment_id and page.to_be_emptied
    left join lateral (${lastAccess(sql.ref('page.locker_id'))}) as last on true
    left join lateral (${lostWall(sql.ref('page.pick_up_point_id'))}) as lost on true
    left join lateral (${openDoor(sql.ref('page.locker_id'), sql.ref('page.pick_up_point_id'))}) as stands_open on true
    left join simulated_doors as simulated on simulated.locker_id = page.locker_id
    left join lateral (
      select outcome, reason, settled_at from door_commands
      where locker_id = page.locker_id and outcome is not null order by asked_at desc limit 1
    ) as command on true
    left join lateral (${firstFailure(sql.ref('page.locker_id'), sql.ref('command.outcome'))}) as failing on true
    left join lateral (${holdingShipments(sql.ref('page.locker_id'))}) as held on true
    order by pup.name, pup.pick_up_point_id, page.locker_id
  `.execute(database);
  const items = rows.map((row) => itemOf(row, switches));
  return pageOf(request, counted.rows[0]?.items ?? 0, items);
};

function conditions(
  {
    pupUid,
    lockerUid,
    lockerState: wanted,
    outOfOrder,
    doorStayedShut,
    doorOpenForSeconds,
  }: Request<'GetLockers'>,
  { tenantId }: Context,
): RawBuilder<unknown>[] {
  return [
    sql`locker.tenant_id = ${tenantId}`,
    ...(pupUid == null ? [] : [sql`pup.pup_uid = ${pupUid}`]),
    ...(lockerUid == null ? [] : [sql`locker.locker_uid = ${lockerUid}`]),
    ...(wanted == null ? [] : [sql`${lockerState} = any(${wanted})`]),
    ...(outOfOrder == null ? [] : [sql`locker.out_of_order = ${outOfOrder}`]),
    ...(doorStayedShut == null ? [] : [sql`(${stayedShut}) = ${doorStayedShut}`]),
    ...(doorOpenForSeconds == null ? [] : [standsOpen(doorOpenForSeconds)]),
  ];
}

/** For a shipment, or to look inside: whichever was later. */
const lastAccess = (lockerId: RawBuilder<unknown>) => sql`
  select opened.*, accessed.shipment_uid
  from (
    (select occurred_at, access_goal, shipment_id, on_behalf_of, why
      from locker_accesses where locker_id = ${lockerId} order by access_id desc limit 1)
    union all
    (select occurred_at, ${LOOK}, shipment_id, on_behalf_of, why
      from locker_looks where locker_id = ${lockerId} order by look_id desc limit 1)
  ) as opened left join shipments as accessed using (shipment_id)
  order by opened.occurred_at desc limit 1`;

/** Of the row `wall`: some client may connect it. */
const hasCredentials = sql<boolean>`exists (
  select from api_clients as client
  where client.wall_pick_up_point_id = wall.pick_up_point_id and client.revoked_at is null
)`;

/** One row if the pick up point has a wall whose connection is lost: none of its doors opens. */
const lostWall = (pickUpPointId: RawBuilder<unknown>) => sql`
  select wall.seen_at from walls as wall
  where wall.pick_up_point_id = ${pickUpPointId} and wall.seen_at is not null and not ${isWallConnected}
    and ${hasCredentials}`;

/** One row if the door stands open, as its wall says. While that is not connected, nobody knows. */
const openDoor = (lockerId: RawBuilder<unknown>, pickUpPointId: RawBuilder<unknown>) => sql`
  select told.opened_at from wall_doors as told join walls as wall on wall.pick_up_point_id = ${pickUpPointId}
  where told.locker_id = ${lockerId} and told.door = 'open' and ${isWallConnected} and ${hasCredentials}`;

/** By the real time, as all that doors do. */
const standsOpen = (seconds: number) => sql`exists (
  select from (${openDoor(sql.ref('locker.locker_id'), sql.ref('locker.pick_up_point_id'))}) as stands_open
  where opened_at <= clock_timestamp() - ${seconds} * interval '1 second'
)`;

/**
 * Whether the wall is cut off, or the last opening failed; of a door that no wall has been asked to open, whether a fault is
 * simulated.
 */
const stayedShut = sql<boolean>`
  exists (${lostWall(sql.ref('locker.pick_up_point_id'))}) or coalesce(
    (
      select outcome = 'StayedShut' from door_commands
      where locker_id = locker.locker_id and outcome is not null order by asked_at desc limit 1
    ),
    exists (select from simulated_doors where locker_id = locker.locker_id and fault is not null)
  )
`;

/**
 * Of the openings that failed since the door last opened, the first that housekeeping still keeps.
 * @param outcome of the last opening: none is looked for unless that failed
 */
const firstFailure = (lockerId: RawBuilder<unknown>, outcome: RawBuilder<unknown>) => sql`
  select settled_at as failing_since from door_commands
  where ${outcome} = 'StayedShut' and locker_id = ${lockerId} and outcome = 'StayedShut' and asked_at > coalesce(
    (
      select asked_at from door_commands
      where locker_id = ${lockerId} and outcome = 'Opened' order by asked_at desc limit 1
    ),
    '-infinity'
  )
  order by asked_at limit 1`;

interface Row extends Omit<Item, 'doorFailure' | 'doorOpenSince' | 'lastAccess' | 'shipments'> {
  readonly open_since: Date | null;
  /** The outcome of the last opening that its wall was asked for. */
  readonly command_outcome: 'Opened' | 'StayedShut' | null;
  readonly reason: string | null;
  readonly settled_at: Date | null;
  readonly failing_since: Date | null;
  readonly fault: DoorFault | null;
  /** When the wall was last heard, if it is cut off. */
  readonly wall_lost_at: Date | null;
  readonly occurred_at: Date | null;
  readonly access_goal: AccessGoal | typeof LOOK | null;
  /** Of a look. */
  readonly on_behalf_of: string | null;
  readonly why: string | null;
  readonly accessed_shipment_uid: string | null;
  readonly shipments: readonly HoldingShipment[] | null;
}

/** The answer has the contract's fields alone. */
const itemOf = (row: Row, switches: Switches): Item => ({
  ...row,
  doorOpenSince: row.open_since && withoutOffset(row.open_since),
  doorFailure: doorFailureOf(row),
  lastAccess: row.occurred_at && {
    occurredAt: withoutOffset(row.occurred_at),
    accessGoal: row.access_goal,
    shipmentUid: row.accessed_shipment_uid,
    onBehalfOf: row.on_behalf_of,
    why: row.why,
  },
  shipments: (row.shipments ?? []).map((shipment) => ({
    ...shipment,
    stateCode: asRenamed(switches, shipment.stateCode),
  })),
});

/** For a door without a wall, the fault that is switched on. */
function doorFailureOf(row: Row): Item['doorFailure'] {
  const { command_outcome, reason, settled_at, failing_since, fault, wall_lost_at, pupUid } = row;
  if (wall_lost_at)
    return {
      occurredAt: withoutOffset(wall_lost_at),
      failingSince: withoutOffset(wall_lost_at),
      reason: notConnected(pupUid ?? 'the pick up point'),
      wallOffline: true,
    };
  if (command_outcome === 'StayedShut')
    return {
      occurredAt: settled_at && withoutOffset(settled_at),
      failingSince: failing_since && withoutOffset(failing_since),
      reason: reason ?? 'it stayed shut',
      wallOffline: false,
    };
  if (command_outcome !== null || !fault) return null;
  return {
    occurredAt: null,
    failingSince: null,
    reason: doorFailures[fault],
    wallOffline: fault === 'offline',
  };
}

interface HoldingShipment {
  readonly shipmentUid: string;
  readonly shipmentType: ShipmentType;
  readonly stateCode: StateCode;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
}

/** Reads the row `locker`. */
const lockerState = sql<'Booked' | 'OutOfOrder' | 'ToBeEmptied' | 'Free'>`
  case when locker.chain_id is not null then 'Booked' when locker.out_of_order then 'OutOfOrder'
    when locker.to_be_emptied then 'ToBeEmptied' else 'Free' end`;

/** One row with `shipments`: null if no chain holds the locker. */
const holdingShipments = (lockerId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select jsonb_agg(jsonb_build_object(
    'shipmentUid', shipment.shipment_uid, 'shipmentType', shipment.shipment_type,
    'stateCode', shipment.state_code, 'fromUserUid', sender.user_uid, 'toUserUid', receiver.user_uid
  ) order by shipment.shipment_id) as shipments
  from shipments as shipment
  left join accounts as sender on sender.account_id = shipment.from_account_id
  left join accounts as receiver on receiver.account_id = shipment.to_account_id
  where shipment.locker_id = ${lockerId} and shipment.state_code in (${activeStateCodes})`;
