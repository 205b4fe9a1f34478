// GetPickUpPointUse (assumptions: Operating): how much a pick up point was used, by size and hour.
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { withoutOffset } from '../wire-time.ts';
import { periodOf, pickUpPointUse, tenantNow } from './pick-up-point-use.ts';

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
