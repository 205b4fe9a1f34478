// SetAccountPickUpPoint (interface: Account management): the default pick up point, and with it a new mail code.
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { lockManagedAccount } from './account.ts';
import { withNewMailCode } from './mail-code.ts';
import { ownPickUpPointId } from './own-pick-up-point.ts';

export const setAccountPickUpPoint: Handler<'SetAccountPickUpPoint'> = (request, context) =>
  withNewMailCode((mailCode) =>
    answerOnce(context, request, async (transaction) => {
      const { userUid, pickUpPointUid } = request;
      const account = await lockManagedAccount(transaction, context.tenantId, userUid);
      const pickUpPointId = await ownPickUpPointId(transaction, context.tenantId, pickUpPointUid);
      const pickUpPointChanged = account.mainPupUid !== pickUpPointUid;
      if (pickUpPointChanged)
        await transaction
          .updateTable('accounts')
          .set({ main_pick_up_point_id: pickUpPointId, mail_code: mailCode })
          .where('account_id', '=', account.accountId)
          .execute();
      return { userUid, pupUid: pickUpPointUid, pickUpPointChanged };
    }),
  );
