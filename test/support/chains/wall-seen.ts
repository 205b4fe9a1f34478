// The lockers as GET /sandbox/wall shows them to their tenant.

import { z } from 'zod';
import type { Sandbox } from '../sandbox.ts';

const lockers = z.object({
  pickUpPoints: z.array(
    z.object({
      pupUid: z.string(),
      lockers: z.array(
        z.object({
          lockerUid: z.string(),
          lockerName: z.string(),
          state: z.enum(['Booked', 'OutOfOrder', 'ToBeEmptied', 'Free']),
          toBeEmptied: z.boolean(),
          door: z.object({ openings: z.number() }),
          shipments: z.array(
            z.looseObject({
              shipmentUid: z.string(),
              stateCode: z.string(),
              toUserUid: z.string().nullable(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type SeenLocker = z.infer<typeof lockers>['pickUpPoints'][number]['lockers'][number];

/** Of one pick up point. */
export async function lockersSeen(sandbox: Sandbox, pupUid: string): Promise<SeenLocker[]> {
  const { body } = await sandbox('GET', `wall?pupUid=${pupUid}`);
  return lockers.parse(body).pickUpPoints.flatMap((pickUpPoint) => pickUpPoint.lockers);
}

export async function lockerSeen(
  sandbox: Sandbox,
  { pupUid, lockerUid }: { readonly pupUid: string; readonly lockerUid: string },
): Promise<SeenLocker | undefined> {
  const seen = await lockersSeen(sandbox, pupUid);
  return seen.find((locker) => locker.lockerUid === lockerUid);
}
