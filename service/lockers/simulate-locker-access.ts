// SimulateLockerAccess (interface: staging only): a pin code typed at a locker, exactly as a person there would.
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import { accessLocker } from './access-locker.ts';

export const simulateLockerAccess: Handler<'SimulateLockerAccess'> = (request, context) => {
  const { pupUid, lockerName, pinCode: code } = request;
  return context.doors.access((openDoor) =>
    answerOnce(context, request, async (transaction) => {
      const places = await transaction
        .selectFrom('pick_up_points as pup')
        .leftJoin('lockers as locker', (join) =>
          join
            .onRef('locker.pick_up_point_id', '=', 'pup.pick_up_point_id')
            .on('locker.locker_name', '=', lockerName),
        )
        .select(['pup.pick_up_point_id as pickUpPointId', 'locker.locker_id as lockerId'])
        .where('pup.pup_uid', '=', pupUid)
        .where('pup.tenant_id', '=', context.tenantId)
        .executeTakeFirst();
      if (!places) throw new Refusal('InvalidPupUid', `pupUid: there is no pick up point ${pupUid}`);
      const { pickUpPointId, lockerId } = places;
      if (lockerId === null)
        throw new Refusal('InvalidLockerUid', `lockerName: ${pupUid} has no locker ${lockerName}`);
      await accessLocker(transaction, context, { pickUpPointId, code, lockerId }, openDoor);
      return {};
    }),
  );
};
