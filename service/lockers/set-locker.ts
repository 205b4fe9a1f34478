// SetLockerOutOfOrder and SetLockerEmptied (assumptions: Operating): what an operator's software says of a locker.

import type { Transaction } from 'kysely';
import type { Context, Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import * as locker from './locker-changes.ts';

export const setLockerOutOfOrder: Handler<'SetLockerOutOfOrder'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { lockerUid, outOfOrder } = request;
    const lockerId = await requireOwnLocker(transaction, context, lockerUid);
    const changed = await locker.setLockerOutOfOrder(transaction, lockerId, outOfOrder);
    return { lockerUid, outOfOrder, changed };
  });

export const setLockerEmptied: Handler<'SetLockerEmptied'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { lockerUid } = request;
    const lockerId = await requireOwnLocker(transaction, context, lockerUid);
    return { lockerUid, changed: await locker.setLockerEmptied(transaction, lockerId) };
  });

async function requireOwnLocker(
  transaction: Transaction<Database>,
  { tenantId }: Context,
  lockerUid: string,
): Promise<number> {
  const own = await locker.ownLocker(transaction, tenantId, lockerUid);
  if (!own) throw new Refusal('InvalidLockerUid', `There is no locker ${lockerUid}`);
  return own.lockerId;
}
