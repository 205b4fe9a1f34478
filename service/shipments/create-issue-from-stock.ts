// The three operations that issue a stock shipment to a user (assumptions: Chains, IssueFromStock and its variants):
// alone, with a return that is swapped in, or with a subsequent intake that makes the item stock again.
import type { Context, Handler } from '../handler.ts';
import { changeChain } from './change-chain.ts';
import { requireAccounts, type StoredShipment, storedShipmentOf } from './lock-chain.ts';
import { detailsOf, type PlannedShipment, plannedShipment } from './planned-shipment.ts';
import { several } from './shipment-uids.ts';

export const createLocalShipmentAsIssueFromStock: Handler<'CreateLocalShipmentAsIssueFromStock'> = (
  request,
  context,
) => issueFromStock(context, request, () => []);

export const createLocalShipmentAsIssueFromStockAndSwapIntake: Handler<
  'CreateLocalShipmentAsIssueFromStockAndSwapIntake'
> = (request, context) =>
  issueFromStock(context, request, (stock) => [returnAfter(stock, 'swap', request.return, context)]);

export const createLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: Handler<
  'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock'
> = (request, context) =>
  issueFromStock(context, request, (stock) => {
    const intake = returnAfter(stock, 'subsequentIntake', request.return, context);
    const circularStock = plannedShipment({
      fromUserUid: context.dispatcherUserUid,
      toUserUid: null,
      predecessor: { shipmentUid: intake.shipmentUid, link: 'circularStock' },
      details: isSpecified(request.details) ? detailsOf(request.details) : stock.details,
      room: stock.room,
    });
    return [intake, circularStock];
  });

interface IssueRequest {
  readonly priorShipmentUid: string;
  readonly toUserUid: string;
  readonly issue?: { readonly referenceCaseNo?: string | null | undefined } | null | undefined;
}

/** `successorsOf` sees the stock shipment as it stood before Issue.ReferenceCaseNo. */
function issueFromStock(
  context: Context,
  request: IssueRequest,
  successorsOf: (stock: StoredShipment) => readonly PlannedShipment[],
): Promise<{ shipmentUids: string[] }> {
  const { priorShipmentUid: shipmentUid, toUserUid, issue } = request;
  const referenceCaseNo = issue?.referenceCaseNo;
  return changeChain(
    context,
    request,
    { shipmentUid },
    (locked) => {
      requireAccounts(locked);
      const stock = storedShipmentOf(locked, shipmentUid);
      const successors = successorsOf(stock);
      return {
        events: [
          { type: 'IssuedFromStock', shipmentUid, toUserUid },
          { type: 'Booked', shipments: successors },
        ],
        edits: referenceCaseNo == null ? [] : [{ shipmentUid, details: { referenceCaseNo } }],
        answer: several(context, [stock, ...successors]),
      };
    },
    [toUserUid],
  );
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

/** interface: "When no details are specified, the details of the stock shipment are used": all of them, or none. */
const isSpecified = (given: Parameters<typeof detailsOf>[0]): boolean =>
  Object.values(detailsOf(given)).some((detail) => detail !== null);
