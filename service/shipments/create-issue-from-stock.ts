// The three operations that issue a stock shipment to a user (assumptions: Chains, IssueFromStock and its variants): alone,
// with a return swapped in, or with a subsequent intake whose item is available as stock again.
import type { Transaction } from 'kysely';
import { holdAccounts } from '../accounts/hold-accounts.ts';
import type { Context, Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import { changeChain } from './change-chain.ts';
import { lockChainOf, type StoredShipment, storedShipmentOf } from './locked-chain.ts';
import { type Details, detailsOf, type PlannedShipment, plannedShipment } from './planned-shipment.ts';
import { several } from './shipment-uids.ts';

export const createLocalShipmentAsIssueFromStock: Handler<'CreateLocalShipmentAsIssueFromStock'> = (
  request,
  context,
) => answerOnce(context, request, (transaction) => issueFromStock(transaction, context, request, () => []));

export const createLocalShipmentAsIssueFromStockAndSwapIntake: Handler<
  'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
> = (request, context) =>
  answerOnce(context, request, (transaction) =>
    issueFromStock(transaction, context, request, (stock) => [
      returnAfter(stock, 'swap', request.return, context),
    ]),
  );

export const createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: Handler<
  'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
> = (request, context) =>
  answerOnce(context, request, (transaction) =>
    issueFromStock(transaction, context, request, (stock) => {
      const intake = returnAfter(stock, 'subsequentIntake', request.return, context);
      const circularStock = plannedShipment({
        fromUserUid: context.dispatcherUserUid,
        toUserUid: null,
        predecessor: { shipmentUid: intake.shipmentUid, link: 'circularStock' },
        details: inheriting(request.details, stock.details),
        room: stock.room,
      });
      return [intake, circularStock];
    }),
  );

interface IssueRequest {
  readonly priorShipmentUid: string;
  readonly toUserUid: string;
  readonly issue?: { readonly referenceCaseNo?: string | null | undefined } | null | undefined;
}

/** `successorsOf` sees the stock shipment as it stood before Issue.ReferenceCaseNo. */
async function issueFromStock(
  transaction: Transaction<Database>,
  context: Context,
  { priorShipmentUid, toUserUid, issue }: IssueRequest,
  successorsOf: (stock: StoredShipment) => readonly PlannedShipment[],
): Promise<{ shipmentUids: string[] }> {
  const locked = await lockChainOf(transaction, context, priorShipmentUid);
  await holdAccounts(transaction, [toUserUid]);
  const stock = storedShipmentOf(locked, priorShipmentUid);
  const successors = successorsOf(stock);
  if (issue?.referenceCaseNo != null)
    // Before the change of state, whose event tells of it.
    await transaction
      .updateTable('shipments')
      .set({ reference_case_no: issue.referenceCaseNo })
      .where('shipment_id', '=', stock.shipmentId)
      .execute();
  await changeChain(
    transaction,
    context,
    locked,
    { type: 'IssuedFromStock', shipmentUid: priorShipmentUid, toUserUid },
    { type: 'Booked', shipments: successors },
  );
  return several(context, [stock, ...successors]);
}

function returnAfter(
  stock: StoredShipment,
  link: 'swap' | 'subsequentIntake',
  details: Parameters<typeof detailsOf>[0],
  { dispatcherUserUid }: Context,
): PlannedShipment {
  return plannedShipment({
    // From the user to whom the stock is issued.
    fromUserUid: null,
    fromFollowsPredecessorReceiver: true,
    toUserUid: dispatcherUserUid,
    predecessor: { shipmentUid: stock.shipmentUid, link },
    details: detailsOf(details),
    room: stock.room,
  });
}

/** assumptions: Chains: a null field in given Details inherits singly. */
function inheriting(given: Parameters<typeof detailsOf>[0], stock: Details): Details {
  const own = detailsOf(given);
  return {
    referenceNo: own.referenceNo ?? stock.referenceNo,
    referenceCaseNo: own.referenceCaseNo ?? stock.referenceCaseNo,
    description: own.description ?? stock.description,
  };
}
