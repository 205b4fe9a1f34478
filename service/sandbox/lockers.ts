// GET /sandbox/wall: every locker of the tenant as a person before the wall sees it, and the shipments that hold it. POST
// /sandbox/empty, /sandbox/outOfOrder and /sandbox/faults: what an operator does to lockers, and faults.

import { sql } from 'kysely';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { type DoorFault, OPEN_SECONDS } from '../hardware/doors.ts';
import {
  type HoldingShipment,
  holdingShipments,
  lockerState,
  shownShipments,
} from '../lockers/get-lockers.ts';
import { requireLocker, setLockerEmptied, setLockerOutOfOrder } from '../lockers/locker-changes.ts';
import { Refusal } from '../refusal.ts';
import type { Switches } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

/** assumptions: Lockers and codes: the operator's "emptied", for one locker or for all that are ToBeEmptied. */
export const empty = sandboxRoute({
  method: 'POST',
  path: '/sandbox/empty',
  meaning: 'Takes out the items that were left behind, in one locker or in all',
  input: z.strictObject({ lockerUid: uid.optional() }),
  example: {},
  answer: z.object({
    emptied: z.array(z.string()).describe('The lockerUid of each locker that was emptied'),
  }),
  errors: ['InvalidLockerUid'],
  handle: async ({ lockerUid }, { database, tenantId }) => {
    if (lockerUid !== undefined) await requireLocker(database, tenantId, lockerUid);
    const lockers = await database
      .selectFrom('lockers')
      .select(['locker_id as lockerId', 'locker_uid as lockerUid'])
      .where('tenant_id', '=', tenantId)
      .where('to_be_emptied', '=', true)
      .$if(lockerUid !== undefined, (query) => query.where('locker_uid', '=', lockerUid ?? ''))
      .execute();
    for (const locker of lockers) await setLockerEmptied(database, locker.lockerId);
    return { emptied: lockers.map((locker) => locker.lockerUid) };
  },
});

const order = z.strictObject({
  lockerUid: uid,
  outOfOrder: z.boolean().describe('false puts the locker back in order'),
});

export const outOfOrder = sandboxRoute({
  method: 'POST',
  path: '/sandbox/outOfOrder',
  meaning:
    'Puts a locker out of order, or back: while out of order it is never booked; a chain that has it continues',
  input: order,
  example: { lockerUid: 'pup-central-8', outOfOrder: true },
  answer: z.object(order.shape),
  errors: ['InvalidLockerUid'],
  handle: async (input, { database, tenantId }) => {
    const { lockerId } = await requireLocker(database, tenantId, input.lockerUid);
    await setLockerOutOfOrder(database, lockerId, input.outOfOrder);
    return input;
  },
});

const doorFault = z.enum(['stuck', 'offline']).nullable().describe('null takes the fault away');

/** For one door, or for all doors of a pick up point; null removes the fault. */
export const faults = sandboxRoute({
  method: 'POST',
  path: '/sandbox/faults',
  meaning: 'Keeps the door of a locker, or all doors of a pick up point, shut: opening them is UnlockFailed',
  input: z
    .strictObject({
      lockerUid: uid.optional(),
      pupUid: uid.optional(),
      fault: doorFault,
    })
    .refine(({ lockerUid, pupUid }) => (lockerUid === undefined) !== (pupUid === undefined), {
      path: ['lockerUid'],
      error: 'must have either lockerUid or pupUid',
    })
    .meta({ oneOf: [{ required: ['lockerUid'] }, { required: ['pupUid'] }] }),
  example: { lockerUid: 'pup-central-8', fault: 'stuck' },
  answer: z.object({
    fault: doorFault,
    lockers: z.array(z.string()).describe('The lockerUid of each locker whose door this changed'),
  }),
  errors: ['InvalidPupUid', 'InvalidLockerUid'],
  handle: async ({ lockerUid, pupUid, fault }, { database, tenantId }) => {
    const { rows } = await sql<{ lockerUid: string }>`
      with own as (
        select locker.locker_id, locker.locker_uid
        from lockers as locker join pick_up_points as pup using (pick_up_point_id)
        where locker.tenant_id = ${tenantId}
          and ${lockerUid === undefined ? sql`pup.pup_uid = ${pupUid}` : sql`locker.locker_uid = ${lockerUid}`}
      ), doors as (
        insert into simulated_doors (locker_id, fault) select locker_id, ${fault} from own
        on conflict (locker_id) do update set fault = excluded.fault
      )
      select locker_uid as "lockerUid" from own
    `.execute(database);
    if (rows.length === 0)
      throw lockerUid === undefined
        ? new Refusal('InvalidPupUid', `There is no pick up point ${pupUid} with lockers`)
        : new Refusal('InvalidLockerUid', `There is no locker ${lockerUid}`);
    return { fault, lockers: rows.map((row) => row.lockerUid) };
  },
});

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
