// Why a booking found no free locker, as data: fields of the answer NoLockerAvailable beside the envelope. Ours: another service does
// not send them, and whoever reads them does without.
import { z } from 'zod';

const triedSize = z.object({
  pupUid: z.string(),
  size: z.string(),
  lockers: z.int(),
  taken: z.int(),
  outOfOrder: z.int(),
  toBeEmptied: z.int(),
  doorOpen: z.int().exactOptional().meta({ description: 'Free but for their doors, which stand open' }),
});

export const lockersTried = z.object({
  itemSides: z.array(z.number()).length(3).meta({ description: 'In centimeters, the smallest first' }),
  tried: z.array(triedSize).meta({ description: 'The sizes that fit, at each pick up point that was tried' }),
  allowLargerLockers: z.boolean(),
  allowOverflowLockers: z.boolean(),
});
export type LockersTried = Readonly<z.infer<typeof lockersTried>>;

/** A failure that Temporal keeps must not grow with the number of overflow pick up points. */
export const MAX_TRIED = 20;

/** @param value the fields of an answer, or what was kept of them */
export function readLockersTried(value: unknown): LockersTried | undefined {
  const { data } = lockersTried.safeParse(value);
  return data && { ...data, tried: data.tried.slice(0, MAX_TRIED) };
}

/** @param details of a failure, as activities make them */
export const lockersTriedIn = (details: unknown): LockersTried | undefined =>
  readLockersTried((details as { readonly lockersTried?: unknown } | null | undefined)?.lockersTried);
