// POST /sandbox/faults: what keeps doors shut that no wall opens.

import { sql } from 'kysely';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { ApiError } from '../api-error.ts';
import { sandboxRoute } from './sandbox-route.ts';

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
    const { rows } = await sql<{ lockerUid: string; pupUid: string; hasWall: boolean }>`
      with own as (
        select locker.locker_id, locker.locker_uid, pup.pup_uid,
          opening_of_locker(locker.locker_id) -> 'wall' <> 'null' as has_wall
        from lockers as locker join pick_up_points as pup using (pick_up_point_id)
        where locker.tenant_id = ${tenantId}
          and ${lockerUid === undefined ? sql`pup.pup_uid = ${pupUid}` : sql`locker.locker_uid = ${lockerUid}`}
      ), doors as (
        insert into simulated_doors (locker_id, fault)
        select locker_id, ${fault} from own where not has_wall
        on conflict (locker_id) do update set fault = excluded.fault
      )
      select locker_uid as "lockerUid", pup_uid as "pupUid", has_wall as "hasWall" from own
    `.execute(database);
    if (rows.length === 0)
      throw lockerUid === undefined
        ? new ApiError('InvalidPupUid', `There is no pick up point ${pupUid} with lockers`)
        : new ApiError('InvalidLockerUid', `There is no locker ${lockerUid}`);
    const atWall = rows.find(({ hasWall }) => hasWall);
    if (atWall)
      throw new ApiError(
        'InvalidRequest',
        `A wall opens the doors of ${atWall.pupUid}, and has their faults: set the fault there (npm start: on the page of the simulated wall)`,
      );
    return { fault, lockers: rows.map((row) => row.lockerUid) };
  },
});
