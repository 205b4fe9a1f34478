// GET /sandbox/wall: every locker of the tenant as a person before the wall sees it, and the shipments that hold it.
import { sql } from 'kysely';
import { z } from 'zod';
import type { ShipmentType, StateCode } from '../../contract/index.ts';
import { uid } from '../../contract/wire/fields.ts';
import { type DoorFault, OPEN_SECONDS } from '../hardware/simulated-wall.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Switches } from '../switches/switches.ts';
import { asRenamed } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

interface LockerRow {
  readonly pupUid: string;
  readonly pupName: string;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
  readonly state: 'Booked' | 'OutOfOrder' | 'ToBeEmptied' | 'Free';
  readonly toBeEmptied: boolean;
  readonly outOfOrder: boolean;
  readonly doorOpen: boolean;
  readonly doorFault: DoorFault | null;
  readonly doorOpenings: number;
  readonly shipments: readonly WallShipment[];
}

interface WallShipment {
  readonly shipmentUid: string;
  readonly shipmentType: ShipmentType;
  readonly stateCode: StateCode;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
}

const lockerAnswer = z.object({
  lockerUid: z.string(),
  lockerName: z.string(),
  size: z.string(),
  state: z.enum(['Booked', 'OutOfOrder', 'ToBeEmptied', 'Free']),
  toBeEmptied: z.boolean(),
  outOfOrder: z.boolean(),
  door: z.object({
    state: z.enum(['Open', 'Closed']),
    fault: z.enum(['stuck', 'offline']).nullable(),
    openings: z.number().describe('How often the door has been opened'),
  }),
  shipments: z.array(
    z.object({
      shipmentUid: z.string(),
      shipmentType: z.string(),
      stateCode: z.string(),
      fromUserUid: z.string().nullable(),
      toUserUid: z.string().nullable(),
    }),
  ),
});
const wallAnswer = z.object({ pupUid: z.string(), name: z.string(), lockers: z.array(lockerAnswer) });
type Wall = z.infer<typeof wallAnswer>;

export const wall = sandboxRoute({
  method: 'GET',
  path: '/sandbox/wall',
  meaning: 'Every locker: its size, state and door, and the shipments that hold it',
  input: z.object({ pupUid: uid.optional() }),
  example: {},
  answer: z.object({ pickUpPoints: z.array(wallAnswer) }),
  handle: async ({ pupUid }, { database, switchBoard, tenantId }) => {
    const switches = await switchBoard.of(tenantId);
    const { rows } = await sql<LockerRow>`
      select pup.pup_uid as "pupUid", pup.name as "pupName", locker.locker_uid as "lockerUid",
        locker.locker_name as "lockerName", size.size,
        case when locker.chain_id is not null then 'Booked' when locker.out_of_order then 'OutOfOrder'
          when locker.to_be_emptied then 'ToBeEmptied' else 'Free' end as state,
        locker.to_be_emptied as "toBeEmptied", locker.out_of_order as "outOfOrder",
        coalesce(door.opened_at > now() - make_interval(secs => ${OPEN_SECONDS}), false) as "doorOpen",
        door.fault as "doorFault", coalesce(door.openings, 0) as "doorOpenings",
        coalesce(held.shipments, '[]') as shipments
      from lockers as locker
      join pick_up_points as pup using (pick_up_point_id)
      join locker_sizes as size using (locker_size_id)
      left join simulated_doors as door using (locker_id)
      left join lateral (
        select jsonb_agg(jsonb_build_object(
          'shipmentUid', shipment.shipment_uid, 'shipmentType', shipment.shipment_type,
          'stateCode', shipment.state_code, 'fromUserUid', sender.user_uid, 'toUserUid', receiver.user_uid
        ) order by shipment.shipment_id) as shipments
        from shipments as shipment
        left join accounts as sender on sender.account_id = shipment.from_account_id
        left join accounts as receiver on receiver.account_id = shipment.to_account_id
        where shipment.locker_id = locker.locker_id and shipment.state_code in (${activeStateCodes})
      ) as held on true
      where locker.tenant_id = ${tenantId} and pup.pup_uid = coalesce(${pupUid ?? null}, pup.pup_uid)
      order by pup.pick_up_point_id, locker.locker_id
    `.execute(database);
    return { pickUpPoints: byPickUpPoint(rows, switches) };
  },
});

function byPickUpPoint(rows: readonly LockerRow[], switches: Switches): Wall[] {
  const walls = new Map<string, Wall>();
  for (const { pupUid, pupName, doorOpen, doorFault, doorOpenings, shipments, ...locker } of rows) {
    const found = walls.get(pupUid) ?? { pupUid, name: pupName, lockers: [] };
    walls.set(pupUid, found);
    found.lockers.push({
      ...locker,
      door: { state: doorOpen ? 'Open' : 'Closed', fault: doorFault, openings: doorOpenings },
      shipments: shipments.map((shipment) => ({
        ...shipment,
        stateCode: asRenamed(switches, shipment.stateCode),
      })),
    });
  }
  return [...walls.values()];
}
