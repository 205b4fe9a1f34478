// GetPickUpPointUse (assumptions: Operating): how much a pick up point is used, from the records of held lockers, of refused
// bookings and of accesses. It only reads. Every moment is by the tenant's clock.
import { type Kysely, sql } from 'kysely';
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { momentOf, withoutOffset } from '../wire-time.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
// An answer of a month, at three sizes, has some 2,000 rows; more would keep other requests waiting.
const MAX_DAYS = 31;

interface UseWanted {
  readonly tenantId: number;
  readonly pickUpPointId: number;
  /** A full hour, as `until`. */
  readonly since: Date;
  readonly until: Date;
}

export interface PickUpPointUse {
  readonly sizes: readonly { readonly size: string; readonly lockerCount: number }[];
  /** How many lockers were held, on average over the hour. Hours without any are left out. */
  readonly hours: readonly { readonly hour: Date; readonly size: string; readonly held: number }[];
  readonly refusals: readonly { readonly hour: Date; readonly size: string; readonly refused: number }[];
  /** For the items that were picked up in this time. Seconds; null where there is none. */
  readonly timeInLocker: {
    readonly itemCount: number;
    readonly p50Seconds: number | null;
    readonly p95Seconds: number | null;
  };
}

export const getPickUpPointUse: Handler<'GetPickUpPointUse'> = async (request, { database, tenantId }) => {
  const { pupUid } = request;
  const pickUpPoint = await database
    .selectFrom('pick_up_points')
    .select('pick_up_point_id')
    .where('pup_uid', '=', pupUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!pickUpPoint) throw new Refusal('InvalidPupUid', `pupUid: there is no pick up point ${pupUid}`);
  const now = await tenantNow(database, tenantId);
  const period = periodOf(request, now);
  const use = await pickUpPointUse(database, {
    tenantId,
    pickUpPointId: pickUpPoint.pick_up_point_id,
    ...period,
  });
  return {
    pupUid,
    since: withoutOffset(period.since),
    until: withoutOffset(period.until),
    sizes: [...use.sizes],
    hours: use.hours.map(({ hour, ...rest }) => ({ hour: withoutOffset(hour), ...rest })),
    refusals: use.refusals.map(({ hour, size, refused }) => ({
      hour: withoutOffset(hour),
      size: size === '' ? null : size,
      refused,
    })),
    timeInLocker: use.timeInLocker,
  };
};

export async function tenantNow(database: Kysely<Database>, tenantId: number): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select tenant_moment(${tenantId}) as now`.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError('tenant_moment gave no row, expected one');
  return row.now;
}

export async function pickUpPointUse(database: Kysely<Database>, wanted: UseWanted): Promise<PickUpPointUse> {
  const { pickUpPointId, since, until } = wanted;
  const sizes = await sql<PickUpPointUse['sizes'][number]>`
    select size.size, count(locker.locker_id)::int as "lockerCount"
    from locker_sizes as size left join lockers as locker using (locker_size_id)
    where size.pick_up_point_id = ${pickUpPointId}
    group by size.locker_size_id order by size.volume, size.locker_size_id
  `.execute(database);
  const refusals = await sql<PickUpPointUse['refusals'][number]>`
    select hour, size, refused from locker_refusals
    where pick_up_point_id = ${pickUpPointId} and hour >= ${since} and hour < ${until}
    order by hour, size
  `.execute(database);
  const timeInLocker = await timesInLocker(database, wanted);
  return {
    sizes: sizes.rows,
    hours: await heldHours(database, wanted),
    refusals: refusals.rows,
    timeInLocker,
  };
}

/** For the hour that is not over yet, the average so far. */
async function heldHours(
  database: Kysely<Database>,
  { tenantId, pickUpPointId, since, until }: UseWanted,
): Promise<PickUpPointUse['hours']> {
  const { rows } = await sql<PickUpPointUse['hours'][number]>`
    with bounds as materialized (
      select least(${until}::timestamptz, tenant_moment(${tenantId})) as until
    ), uses as (
      select locker_size_id, greatest(held_from, ${since}::timestamptz) as held_from,
        least(coalesce(held_until, bounds.until), bounds.until) as held_until
      from locker_uses, bounds
      where pick_up_point_id = ${pickUpPointId} and held_from < bounds.until
        and (held_until > ${since} or held_until is null)
    )
    select hour, size.size,
      round(sum(extract(epoch from least(held_until, hour + interval '1 hour') - greatest(held_from, hour)))
        / nullif(extract(epoch from least(hour + interval '1 hour', max(bounds.until)) - hour), 0), 2)::double precision
        as held
    from uses, bounds,
      generate_series(date_trunc('hour', held_from, 'UTC'), held_until, interval '1 hour') as hour,
      locker_sizes as size
    where size.locker_size_id = uses.locker_size_id and hour < held_until
    group by hour, size.locker_size_id
    order by hour, size.volume, size.locker_size_id
  `.execute(database);
  return rows;
}

/**
 * From the access that put an item in to the one that took it out: the access of its chain before. A swap's is both, so the
 * next time begins with it. A collect-only shipment has none before: nobody knows when its item was put in.
 */
async function timesInLocker(
  database: Kysely<Database>,
  { pickUpPointId, since, until }: UseWanted,
): Promise<PickUpPointUse['timeInLocker']> {
  const { rows } = await sql<PickUpPointUse['timeInLocker']>`
    select count(*)::int as "itemCount",
      round(percentile_disc(0.5) within group (order by seconds))::double precision as "p50Seconds",
      round(percentile_disc(0.95) within group (order by seconds))::double precision as "p95Seconds"
    from (
      select extract(epoch from taken_out.occurred_at - put_in.occurred_at) as seconds
      from lockers as locker
      join locker_accesses as taken_out using (locker_id)
      join shipments as shipment using (shipment_id)
      join lateral (
        select access.occurred_at
        from locker_accesses as access join shipments as former using (shipment_id)
        where access.locker_id = locker.locker_id and access.access_id < taken_out.access_id
          and access.access_goal is not null and former.chain_id = shipment.chain_id
        order by access.access_id desc limit 1
      ) as put_in on true
      where locker.pick_up_point_id = ${pickUpPointId} and taken_out.access_goal = 'PickUp'
        and taken_out.occurred_at >= ${since} and taken_out.occurred_at < ${until}
    ) as item
  `.execute(database);
  const [row] = rows;
  if (!row) throw new TypeError('an aggregate gave no row, expected one');
  return row;
}

interface Period {
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
}

/** Whole hours: since is rounded down, until up. */
export function periodOf({ since, until }: Period, now: Date): { since: Date; until: Date } {
  const end = hourUp(until == null ? now : momentOf(until));
  const begin = since == null ? end - WEEK_MS : hourDown(momentOf(since));
  if (begin >= end) throw new Refusal('InvalidRequest', 'since: must be before until');
  if (end - begin > MAX_DAYS * 24 * HOUR_MS)
    throw new Refusal('InvalidRequest', `since: must be at most ${MAX_DAYS} days before until`);
  return { since: new Date(begin), until: new Date(end) };
}

const hourDown = (moment: Date): number => Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS;
const hourUp = (moment: Date): number => Math.ceil(moment.getTime() / HOUR_MS) * HOUR_MS;
