// Why a booking found no locker, in words and numbers that a person can act on. The numbers are read after the refusal,
// only for its message: other bookings may have changed them a little.
import { sql } from 'kysely';
import { type LockersTried, MAX_TRIED } from '../../contract/wire/lockers-tried.ts';
import { ApiError } from '../api-error.ts';
import type { Context } from '../handler.ts';
import { standsOpen } from '../hardware/doors.ts';
import { fits, formatSides, type Sides, sidesOf } from '../sides.ts';
import type { BookingRequest } from './planned-shipment.ts';

// ASSUMPTION: if a request names a locker that is larger than AllowLargerLockers permits, the answer is
// NoLockerAvailable; if it is too small, NoFittingLocker.
/** NotPermitted and NotFree: the request named a locker by its uid. */
export type NoLockerOutcome = 'NoFittingLocker' | 'NoLockerAvailable' | 'NotPermitted' | 'NotFree';

/** One size of lockers installed at one pick up point; smallest volume first, overflow pick up points after. */
interface InstalledSize extends Sides {
  readonly pupUid: string;
  readonly size: string;
  readonly lockers: number;
  readonly taken: number;
  readonly outOfOrder: number;
  readonly toBeEmptied: number;
  readonly doorOpen: number;
}

interface NamedLocker extends Sides {
  readonly size: string;
  readonly taken: boolean;
  readonly outOfOrder: boolean;
  readonly toBeEmptied: boolean;
  readonly doorOpen: boolean;
}

/** @param mayEmpty that the named locker is to be emptied is no reason against this booking */
export async function noLocker(
  context: Context,
  request: BookingRequest,
  outcome: NoLockerOutcome,
  mayEmpty: boolean,
): Promise<ApiError> {
  const code = outcome === 'NoFittingLocker' ? 'NoFittingLocker' : 'NoLockerAvailable';
  const sizes = await installedSizes(context, request);
  const locker = request.lockerUid == null ? undefined : await namedLocker(context, request.lockerUid);
  const named = locker && { ...locker, toBeEmptied: locker.toBeEmptied && !mayEmpty };
  return new ApiError(
    code,
    named ? explainNamed(request, sizes, named, outcome) : explain(request, sizes, code),
    named || code !== 'NoLockerAvailable' ? {} : lockersTried(request, sizes),
  );
}

/** The lockers that were tried, why none could be booked, and which permissions would allow more. */
function explain(
  request: BookingRequest,
  sizes: readonly InstalledSize[],
  code: 'NoFittingLocker' | 'NoLockerAvailable',
): string {
  const item = sidesOf(request.dimension);
  if (code === 'NoFittingLocker') {
    const installed = sizes.map((size) => `${size.size} at ${size.pupUid} (${formatSides(size)} inside)`);
    const against = installed.length > 0 ? `: ${installed.join(', ')}` : ', which has none installed';
    return (
      `The item of ${formatSides(item)} is too big for every locker that this booking permits${against}. ` +
      formatOverflow(request)
    );
  }
  const tried = triedSizes(request, sizes).map((size) => `${size.size} at ${size.pupUid} (${counted(size)})`);
  return (
    `No locker is free for the item of ${formatSides(item)}. Tried: ${tried.join(', ')}. ` +
    `${formatLarger(request)} ${formatOverflow(request)}`
  );
}

/** The same as data, for whoever words it otherwise. */
function lockersTried(request: BookingRequest, sizes: readonly InstalledSize[]): LockersTried {
  const { smallSide, middleSide, largeSide } = sidesOf(request.dimension);
  const tried = triedSizes(request, sizes).slice(0, MAX_TRIED);
  return {
    itemSides: [smallSide, middleSide, largeSide],
    tried: tried.map(({ pupUid, size, lockers, taken, outOfOrder, toBeEmptied, doorOpen }) => ({
      pupUid,
      size,
      lockers,
      taken,
      outOfOrder,
      toBeEmptied,
      doorOpen,
    })),
    allowLargerLockers: request.allowLargerLockers === true,
    allowOverflowLockers: request.allowOverflowLockers === true,
  };
}

/** At each pick up point the smallest size that fits, and the larger ones if the booking allows them. */
function triedSizes(request: BookingRequest, sizes: readonly InstalledSize[]): InstalledSize[] {
  const item = sidesOf(request.dimension);
  const fitting = sizes.filter((size) => fits(item, size));
  return fitting.filter(
    (size) => request.allowLargerLockers || size === fitting.find(({ pupUid }) => pupUid === size.pupUid),
  );
}

function explainNamed(
  request: BookingRequest,
  sizes: readonly InstalledSize[],
  locker: NamedLocker,
  outcome: NoLockerOutcome,
): string {
  const item = formatSides(sidesOf(request.dimension));
  const which = `The locker ${request.lockerUid} at ${request.pupUid}`;
  if (outcome === 'NoFittingLocker')
    return `${which} is of size ${locker.size} (${formatSides(locker)} inside): too small for the item of ${item}.`;
  if (outcome === 'NotPermitted') {
    const [smallest] = triedSizes({ ...request, allowLargerLockers: false }, sizes);
    return (
      `${which} is of size ${locker.size}, larger than ${smallest?.size ?? 'the size'}, ` +
      `the smallest installed that fits the item of ${item}. ${formatLarger(request)}`
    );
  }
  const reasons = [
    locker.taken && 'taken',
    locker.outOfOrder && 'out of order',
    locker.toBeEmptied && 'to be emptied (a collect-only booking that names it may have it)',
    locker.doorOpen && 'its door stands open (it is free once that is shut)',
  ].filter((reason) => reason !== false);
  return `${which} is not free: ${reasons.join(', ') || 'it was taken a moment ago'}.`;
}

const counted = ({ lockers, taken, outOfOrder, toBeEmptied, doorOpen }: InstalledSize): string =>
  [
    `${lockers} ${lockers === 1 ? 'locker' : 'lockers'}: ${taken} taken`,
    `${outOfOrder} out of order`,
    `${toBeEmptied} to be emptied`,
    ...(doorOpen > 0 ? [`${doorOpen} with ${doorOpen === 1 ? 'its door' : 'their doors'} open`] : []),
  ].join(', ');

const formatLarger = ({ allowLargerLockers }: BookingRequest): string =>
  `Larger lockers were ${allowLargerLockers ? '' : 'not '}allowed.`;

const formatOverflow = ({ allowOverflowLockers }: BookingRequest): string =>
  `Overflow pick up points were ${allowOverflowLockers ? '' : 'not '}allowed.`;

async function installedSizes(context: Context, request: BookingRequest): Promise<InstalledSize[]> {
  const { rows } = await sql<InstalledSize>`
    select pup.pup_uid as "pupUid", size.size, size.small_side as "smallSide",
      size.middle_side as "middleSide", size.large_side as "largeSide",
      count(*)::int as lockers,
      count(*) filter (where locker.chain_id is not null)::int as taken,
      count(*) filter (where locker.chain_id is null and locker.out_of_order)::int as "outOfOrder",
      count(*) filter (where locker.chain_id is null and not locker.out_of_order and locker.to_be_emptied)::int
        as "toBeEmptied",
      count(*) filter (where locker.chain_id is null and not locker.out_of_order and not locker.to_be_emptied
        and ${standsOpen(sql.ref('locker.locker_id'))})::int as "doorOpen"
    from pick_up_points own
    join lateral (
      select own.pick_up_point_id, 0 as position
      union all
      select overflow.overflow_pick_up_point_id, overflow.position from overflow_pick_up_points overflow
      where ${request.allowOverflowLockers} and overflow.pick_up_point_id = own.pick_up_point_id
    ) place on true
    join pick_up_points pup on pup.pick_up_point_id = place.pick_up_point_id
    join locker_sizes size on size.pick_up_point_id = place.pick_up_point_id
    join lockers locker
      on locker.locker_size_id = size.locker_size_id and locker.pick_up_point_id = place.pick_up_point_id
    where own.pup_uid = ${request.pupUid} and own.tenant_id = ${context.tenantId}
    group by place.position, pup.pup_uid, size.locker_size_id
    order by place.position, size.volume, size.locker_size_id
  `.execute(context.database);
  return rows;
}

function namedLocker(context: Context, lockerUid: string): Promise<NamedLocker | undefined> {
  return context.database
    .selectFrom('lockers as locker')
    .innerJoin('locker_sizes as size', 'size.locker_size_id', 'locker.locker_size_id')
    .select([
      'size.size',
      'size.small_side as smallSide',
      'size.middle_side as middleSide',
      'size.large_side as largeSide',
      sql<boolean>`locker.chain_id is not null`.as('taken'),
      'locker.out_of_order as outOfOrder',
      'locker.to_be_emptied as toBeEmptied',
      standsOpen(sql.ref('locker.locker_id')).as('doorOpen'),
    ])
    .where('locker.locker_uid', '=', lockerUid)
    .where('locker.tenant_id', '=', context.tenantId)
    .executeTakeFirst();
}
