// GET /sandbox/wall: every locker of the tenant as a person before the wall sees it, and the shipments that hold it.
import { sql } from 'kysely';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { type DoorFault, OPEN_SECONDS } from '../hardware/doors-in-database.ts';
import {
  type HoldingShipment,
  holdingShipments,
  lockerState,
  shownShipments,
} from '../lockers/held-locker.ts';
import type { Switches } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

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

interface LockerRow extends Omit<z.infer<typeof lockerAnswer>, 'door' | 'shipments'> {
  readonly pupUid: string;
  readonly pupName: string;
  readonly doorOpen: boolean;
  readonly doorFault: DoorFault | null;
  readonly doorOpenings: number;
  readonly shipments: readonly HoldingShipment[] | null;
}

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
        ${lockerState} as state,
        locker.to_be_emptied as "toBeEmptied", locker.out_of_order as "outOfOrder",
        coalesce(door.opened_at > now() - make_interval(secs => ${OPEN_SECONDS}), false) as "doorOpen",
        door.fault as "doorFault", coalesce(door.openings, 0) as "doorOpenings",
        held.shipments
      from lockers as locker
      join pick_up_points as pup using (pick_up_point_id)
      join locker_sizes as size using (locker_size_id)
      left join simulated_doors as door using (locker_id)
      left join lateral (${holdingShipments(sql.ref('locker.locker_id'))}) as held on true
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
      shipments: shownShipments(shipments, switches),
    });
  }
  return [...walls.values()];
}
