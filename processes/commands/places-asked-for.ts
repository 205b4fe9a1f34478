// Which locker a process has, or asks for, in words: "locker 12, Central", "any S locker, Central". One that the service chooses is
// not named: another booking may be faster.
import { t } from '../../shared/texts/text.ts';
import { unlessUnknown } from '../locker-service.ts';
import type { Service } from '../outreach/case-about.ts';
import { pickUpPointOf } from '../pick-up-points.ts';
import type { CommandContext } from '../temporal-context.ts';
import type { FieldChange } from './merge-patch.ts';

export interface PlaceChange {
  readonly from: string;
  readonly to: string;
}

export interface LockerHad {
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  readonly pupUid: string | null;
}

/** What else changes, where the place is said in words. */
export const besidePlace = (
  changes: readonly FieldChange[],
  place: object | null | undefined,
): readonly FieldChange[] => changes.filter(({ field }) => !place || field !== 'request.lockerUid');

/**
 * Null: nobody can say so now.
 * @param from the locker that it has, or with which request it asked for one
 */
export async function placesOf(
  { service }: Pick<CommandContext, 'service'>,
  from: unknown,
  to: unknown,
): Promise<PlaceChange | null> {
  if (!service) return null;
  const words = await Promise.all([from, to].map((each) => placeIn(service, (each ?? {}) as Place)));
  const [had, asked] = words;
  return had && asked ? { from: had, to: asked } : null;
}

type Place = Partial<LockerHad> & {
  readonly lockerUid?: string | null;
  readonly dimension?: Dimension | null;
  readonly allowLargerLockers?: boolean | null;
};
type Dimension = Readonly<Record<(typeof SIDES)[number], number | null>>;
const SIDES = ['width', 'height', 'length'] as const;

async function placeIn(service: Service, place: Place): Promise<string | null> {
  const { pupUid, lockerUid, lockerName } = place;
  if (typeof pupUid !== 'string') return null;
  const { name } = await pickUpPointOf(service, pupUid);
  if (typeof lockerName === 'string') return t`locker ${lockerName}, ${name}`;
  if (typeof lockerUid !== 'string') return `${await anyOf(service, pupUid, place)}, ${name}`;
  const page = await unlessUnknown(() => service.call('GetLockers', { pageNo: 1, pageSize: 1, lockerUid }));
  const found = page?.items.find((each) => each.lockerUid === lockerUid);
  return t`locker ${found?.lockerName ?? lockerUid}, ${name}`;
}

// The most that the service gives at a time.
const PAGE_SIZE = 500;

async function anyOf(
  service: Service,
  pupUid: string,
  { dimension, allowLargerLockers }: Place,
): Promise<string> {
  if (!dimension) return t`any locker`;
  const page = await unlessUnknown(() =>
    service.call('GetLockers', { pageNo: 1, pageSize: PAGE_SIZE, pupUid }),
  );
  const size = page?.items.find(
    ({ innerDimension: inner }) => inner && SIDES.every((side) => inner[side] === dimension[side]),
  )?.size;
  if (!size) return t`any locker that fits`;
  return allowLargerLockers ? t`any ${size} locker or a larger one` : t`any ${size} locker`;
}
