// The operations on a locker for an operator's software (assumptions: Operating). The updates wait for a change of the chain that
// holds the locker.
import { type Kysely, type RawBuilder, sql, type Transaction, type Updateable } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { Handlers } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { activeStateCodes } from '../storage/open-states.ts';

export const lockerChanges = {
  SetLockerOutOfOrder: (request, context) => {
    const inIt: string[] = [];
    const effect = async (transaction: Transaction<Database>) => {
      const { lockerUid, outOfOrder } = request;
      const { tenantId } = context;
      const before = await changeLocker(transaction, tenantId, lockerUid, { out_of_order: outOfOrder });
      const changed = before.out_of_order !== outOfOrder;
      // Putting it in order again is nothing that its shipment has to know.
      if (changed && outOfOrder) inIt.push(...(await shipmentsInIt(transaction, before.locker_id)));
      return { lockerUid, outOfOrder, changed };
    };
    return answerOnce(context, request, effect, undefined, () => inIt);
  },

  SetLockerEmptied: (request, context) => {
    const left: string[] = [];
    const effect = async (transaction: Transaction<Database>) => {
      const { lockerUid } = request;
      const before = await changeLocker(transaction, context.tenantId, lockerUid, emptied);
      const { to_be_emptied: changed, left_shipment_id: shipmentId } = before;
      if (changed && shipmentId !== null)
        left.push(...(await uidsOf(transaction, sql`shipment_id = ${shipmentId}`)));
      return { lockerUid, changed };
    };
    return answerOnce(context, request, effect, undefined, () => left);
  },
} satisfies Partial<Handlers>;

/** A person took out the item that was left behind (assumptions: Lockers and codes). */
export const emptied = { to_be_emptied: false, left_shipment_id: null };

/** The shipments that have the locker. */
const shipmentsInIt = (transaction: Transaction<Database>, lockerId: number): Promise<string[]> =>
  uidsOf(
    transaction,
    sql`state_code in (${activeStateCodes}) and (locker_id, chain_id) =
      (select locker_id, chain_id from lockers where locker_id = ${lockerId})`,
  );

async function uidsOf(transaction: Transaction<Database>, which: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select shipment_uid as uid from shipments where ${which} order by shipment_id
  `.execute(transaction);
  return rows.map(({ uid }) => uid);
}

/** Gives the locker as it was. Throws InvalidLockerUid for an unknown locker, and for another tenant's. */
async function changeLocker(
  transaction: Kysely<Database>,
  tenantId: number,
  lockerUid: string,
  change: Updateable<Database['lockers']>,
) {
  const before = await transaction
    .selectFrom('lockers')
    .select(['locker_id', 'out_of_order', 'to_be_emptied', 'left_shipment_id'])
    .where('locker_uid', '=', lockerUid)
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) throw new ApiError('InvalidLockerUid', `There is no locker ${lockerUid}`);
  await transaction.updateTable('lockers').set(change).where('locker_id', '=', before.locker_id).execute();
  return before;
}
