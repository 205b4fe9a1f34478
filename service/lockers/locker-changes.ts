// The operations on a locker for an operator's software (assumptions: Operating). The updates wait for a change of the chain that
// holds the locker.
import type { Kysely, Updateable } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';

export const lockerChanges = {
  SetLockerOutOfOrder: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { lockerUid, outOfOrder } = request;
      const { out_of_order } = await changeLocker(transaction, context.tenantId, lockerUid, {
        out_of_order: outOfOrder,
      });
      return { lockerUid, outOfOrder, changed: out_of_order !== outOfOrder };
    }),

  SetLockerEmptied: (request, context) =>
    answerOnce(context, request, async (transaction) => {
      const { lockerUid } = request;
      const { to_be_emptied } = await changeLocker(transaction, context.tenantId, lockerUid, emptied);
      return { lockerUid, changed: to_be_emptied };
    }),
} satisfies Partial<Handlers>;

/** A person took out the item that was left behind (assumptions: Lockers and codes). */
export const emptied = { to_be_emptied: false, left_shipment_id: null };

/** Gives the locker as it was. Throws InvalidLockerUid for an unknown locker, and for another tenant's. */
async function changeLocker(
  transaction: Kysely<Database>,
  tenantId: number,
  lockerUid: string,
  change: Updateable<Database['lockers']>,
) {
  const before = await transaction
    .selectFrom('lockers')
    .select(['locker_id', 'out_of_order', 'to_be_emptied'])
    .where('locker_uid', '=', lockerUid)
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) throw new ApiError('InvalidLockerUid', `There is no locker ${lockerUid}`);
  await transaction.updateTable('lockers').set(change).where('locker_id', '=', before.locker_id).execute();
  return before;
}
