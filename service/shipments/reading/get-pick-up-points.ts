// GetPickUpPoints (assumptions: Reading): the tenant's pick up points, with their lockers where asked, page by page.
import { sql } from 'kysely';
import type { Request } from '../../../contract/index.ts';
import type { Context, Handler } from '../../handler.ts';
import { standsOpen } from '../../hardware/doors.ts';
import { offsetOf, pageOf } from '../../page.ts';

export const getPickUpPoints: Handler<'GetPickUpPoints'> = async (request, context) => {
  const matching = matchingPickUpPoints(request, context);
  const { items } = await matching
    .select(({ fn }) => fn.countAll<number>().as('items'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .select([
      'pup.pick_up_point_id as pickUpPointId',
      'pup.pup_uid as pupUid',
      'pup.name',
      'pup.time_zone as timeZone',
      'pup.city',
      'pup.country_code as countryCode',
    ])
    .orderBy('pup.name')
    .orderBy('pup.pick_up_point_id')
    .limit(request.pageSize)
    .offset(offsetOf(request))
    .execute();
  const lockers = request.includeDetails
    ? await lockersOf(
        rows.map(({ pickUpPointId }) => pickUpPointId),
        context,
      )
    : undefined;
  return pageOf(
    request,
    items,
    rows.map(({ pickUpPointId, ...pickUpPoint }) => ({
      ...pickUpPoint,
      ...(lockers && { lockers: lockers.get(pickUpPointId) ?? [] }),
    })),
  );
};

function matchingPickUpPoints({ pupUid, searchText }: Request<'GetPickUpPoints'>, context: Context) {
  const own = context.database
    .selectFrom('pick_up_points as pup')
    .where('pup.tenant_id', '=', context.tenantId);
  const named = pupUid == null ? own : own.where('pup.pup_uid', '=', pupUid);
  if (!searchText) return named;
  // strpos and not LIKE: the caller's text must not act as a pattern.
  return named.where(
    sql<boolean>`strpos(lower(concat_ws(' ', pup.name, pup.city, pup.pup_uid)), lower(${searchText})) > 0`,
  );
}

async function lockersOf(pickUpPointIds: readonly number[], context: Context) {
  if (pickUpPointIds.length === 0) return new Map<number, never[]>();
  const rows = await context.database
    .selectFrom('lockers as locker')
    .innerJoin('locker_sizes as size', 'size.locker_size_id', 'locker.locker_size_id')
    .select([
      'locker.pick_up_point_id as pickUpPointId',
      'locker.locker_uid as lockerUid',
      'locker.locker_name as lockerName',
      'size.size',
      sql<boolean>`locker.chain_id is null and not locker.out_of_order and not locker.to_be_emptied
        and not ${standsOpen(sql.ref('locker.locker_id'))}`.as('free'),
    ])
    .where('locker.pick_up_point_id', 'in', pickUpPointIds)
    .orderBy('locker.locker_id')
    .execute();
  return Map.groupBy(rows, ({ pickUpPointId }) => pickUpPointId);
}
