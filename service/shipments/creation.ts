// The thirteen operations that create shipments (interface: Shipment creation; assumptions: Chains). Each plans its shipments; a
// new chain gets a free locker (book-chain.ts), and what follows an existing shipment joins its chain.
import { randomInt } from 'node:crypto';
import type { Request } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import type { Context, Handlers } from '../handler.ts';
import { fits, formatSides, sidesOf } from '../sides.ts';
import { bookChain } from './book-chain.ts';
import { changeChain } from './change-chain.ts';
import { type LockedChain, requireAccounts, type StoredShipment, storedShipmentOf } from './lock-chain.ts';
import {
  type BookingRequest,
  detailsOf,
  type GivenDetails,
  type PlannedShipment,
  plannedShipment,
  roomOf,
} from './planned-shipment.ts';

export const creation = {
  CreateLocalShipment: (request, context) => {
    const shipment = localShipment(request, context);
    const { shipmentUid } = shipment;
    const { swapsShipmentUid } = request;
    if (swapsShipmentUid == null) return bookChain(context, request, [shipment], { shipmentUid });
    return changeChain(
      context,
      request,
      { shipmentUid: swapsShipmentUid },
      (locked) => {
        requireSamePlace(request, locked);
        requireAccounts(locked);
        requireFit(shipment, locked);
        const { pupUid, lockerName } = locked.locker;
        return {
          events: [{ type: 'Booked', shipments: [shipment] }],
          answer: { shipmentUid, pupUid, lockerName },
        };
      },
      [request.fromUserUid, request.toUserUid].filter((uid) => uid != null),
    );
  },

  CreateLocalShipmentAsIssue: (request, context) =>
    bookSeveral(context, request, [planned(request, context.dispatcherUserUid, request.toUserUid)]),

  CreateLocalShipmentAsIssueAndSwapIntake: (request, context) => {
    const { dispatcherUserUid } = context;
    const { toUserUid } = request;
    const issue = planned(request, dispatcherUserUid, toUserUid);
    const intake = plannedShipment({
      fromUserUid: toUserUid,
      fromFollowsPredecessorReceiver: true,
      toUserUid: dispatcherUserUid,
      predecessor: { shipmentUid: issue.shipmentUid, link: 'swap' },
      details: detailsOf(request.return),
      room: issue.room,
    });
    return bookSeveral(context, request, [issue, intake]);
  },

  CreateLocalShipmentAsStock: (request, context) =>
    bookSeveral(context, request, [planned(request, context.dispatcherUserUid, null)]),

  CreateLocalShipmentAsStockAfterSwapIntake: (request, context) => {
    const { dispatcherUserUid } = context;
    const { priorShipmentUid, dimension } = request;
    return changeChain(context, request, { shipmentUid: priorShipmentUid }, (locked) => {
      const { room } = storedShipmentOf(locked, priorShipmentUid);
      const stock = plannedShipment({
        fromUserUid: dispatcherUserUid,
        toUserUid: null,
        predecessor: { shipmentUid: priorShipmentUid, link: 'swap' },
        details: detailsOf(request.details),
        room: { ...room, sides: sidesOf(dimension) },
      });
      requireFit(stock, locked);
      return {
        events: [{ type: 'Booked', shipments: [stock], predecessorGoesTo: dispatcherUserUid }],
        answer: several(context, [stock]),
      };
    });
  },

  CreateLocalShipmentAsIssueFromStock: (request, context) => issueFromStock(context, request, () => []),

  CreateLocalShipmentAsIssueFromStockAndSwapIntake: (request, context) =>
    issueFromStock(context, request, (stock) => [returnAfter(stock, 'swap', request.return, context)]),

  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: (request, context) =>
    issueFromStock(context, request, (stock) => {
      const intake = returnAfter(stock, 'subsequentIntake', request.return, context);
      // interface: "When no details are specified, the details of the stock shipment are used": all of them, or none.
      const details = detailsOf(request.details);
      const isSpecified = Object.values(details).some((detail) => detail !== null);
      return [intake, circularStockAfter(intake, isSpecified ? details : stock.details, context)];
    }),

  CreateLocalShipmentAsIntake: (request, context) =>
    bookSeveral(context, request, [planned(request, request.fromUserUid, context.dispatcherUserUid)]),

  CreateLocalShipmentAsIntakeAndCircularStock: (request, context) => {
    const intake = planned(request, request.fromUserUid, context.dispatcherUserUid);
    // assumptions: Chains: both take Details.
    return bookSeveral(context, request, [intake, circularStockAfter(intake, intake.details, context)]);
  },

  CreateCollectOnlyShipment: (request, context) => {
    const collect = collectOnly(request, request.toUserUid ?? context.dispatcherUserUid, context);
    return bookChain(context, request, [collect], { shipmentUid: collect.shipmentUid });
  },

  CreateCollectOnlyShipmentAsCollectByDispatcher: (request, context) =>
    bookSeveral(context, request, [collectOnly(request, context.dispatcherUserUid, context)]),

  CreateCollectOnlyShipmentAsCollectByUser: (request, context) =>
    bookSeveral(context, request, [collectOnly(request, request.toUserUid, context)]),
} satisfies Partial<Handlers>;

type ItemRequest = BookingRequest & { readonly details?: GivenDetails };

const planned = (
  request: ItemRequest,
  fromUserUid: string | null,
  toUserUid: string | null,
  more?: Partial<PlannedShipment>,
): PlannedShipment =>
  plannedShipment({
    fromUserUid,
    toUserUid,
    details: detailsOf(request.details),
    room: roomOf(request),
    ...more,
  });

const bookSeveral = (
  context: Context,
  request: BookingRequest,
  shipments: readonly PlannedShipment[],
): Promise<{ shipmentUids: string[] }> => bookChain(context, request, shipments, several(context, shipments));

/**
 * In chain order, or shuffled if a staging tenant wants to test that its software does not rely on the order (assumptions: Chains:
 * the order is not part of the interface).
 */
function several(
  { switches }: Context,
  shipments: readonly { readonly shipmentUid: string }[],
): { shipmentUids: string[] } {
  const shipmentUids = shipments.map(({ shipmentUid }) => shipmentUid);
  if (!switches.shuffledShipmentUids) return { shipmentUids };
  const left = [...shipmentUids];
  return { shipmentUids: shipmentUids.flatMap(() => left.splice(randomInt(left.length), 1)) };
}

function localShipment(
  request: Request<'CreateLocalShipment'>,
  { dispatcherUserUid }: Context,
): PlannedShipment {
  const { fromUserUid, toUserUid, swapsShipmentUid } = request;
  const isReceiverDelayed = request.isReceiverDelayed === true;
  // interface: CreateLocalShipment, Rule: the From user is then the To user of the swapped shipment.
  const followsReceiver = isReceiverDelayed && fromUserUid == null && swapsShipmentUid != null;
  return plannedShipment({
    fromUserUid: followsReceiver ? null : (fromUserUid ?? dispatcherUserUid),
    toUserUid: isReceiverDelayed ? null : (toUserUid ?? dispatcherUserUid),
    fromFollowsPredecessorReceiver: followsReceiver,
    predecessor: swapsShipmentUid == null ? null : { shipmentUid: swapsShipmentUid, link: 'swap' },
    details: detailsOf(request),
    room: roomOf(request),
  });
}

/** assumptions: Chains: a swap shares the prior shipment's locker, so its request must name the same one. */
function requireSamePlace(request: Request<'CreateLocalShipment'>, { locker }: LockedChain): void {
  if (request.pupUid !== locker.pupUid && request.pupUid !== locker.requestedPupUid)
    throw new ApiError(
      'InvalidPupUid',
      `PupUid: the shipment to be swapped is at ${locker.pupUid}, not at ${request.pupUid}`,
    );
  if (request.lockerUid != null && request.lockerUid !== locker.lockerUid)
    throw new ApiError(
      'InvalidLockerUid',
      `LockerUid: the shipment to be swapped is in ${locker.lockerUid}, not in ${request.lockerUid}`,
    );
}

/** assumptions: Chains: the item of a swap goes into its predecessor's locker, and must fit there. */
function requireFit({ room }: PlannedShipment, { locker }: LockedChain): void {
  if (fits(room.sides, locker.inside)) return;
  throw new ApiError(
    'NoLockerAvailable',
    `The item of ${formatSides(room.sides)} does not fit in locker ${locker.lockerName} of the prior shipment ` +
      `(${formatSides(locker.inside)} inside), and a swap uses the same locker`,
  );
}

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

const returnAfter = (
  stock: StoredShipment,
  link: 'swap' | 'subsequentIntake',
  details: GivenDetails,
  { dispatcherUserUid }: Context,
): PlannedShipment =>
  plannedShipment({
    // From the user to whom the stock is issued.
    fromUserUid: null,
    fromFollowsPredecessorReceiver: true,
    toUserUid: dispatcherUserUid,
    predecessor: { shipmentUid: stock.shipmentUid, link },
    details: detailsOf(details),
    room: stock.room,
  });

const circularStockAfter = (
  { shipmentUid, room }: PlannedShipment,
  details: PlannedShipment['details'],
  { dispatcherUserUid }: Context,
): PlannedShipment =>
  plannedShipment({
    fromUserUid: dispatcherUserUid,
    toUserUid: null,
    predecessor: { shipmentUid, link: 'circularStock' },
    details,
    room,
  });

/** Nothing is dropped off; with KeepBookedAfterPickUp the locker stays booked until the shipment is cancelled. */
const collectOnly = (
  request: ItemRequest & { readonly keepBookedAfterPickUp: boolean },
  toUserUid: string,
  { dispatcherUserUid }: Context,
): PlannedShipment =>
  planned(request, dispatcherUserUid, toUserUid, {
    shipmentType: 'CollectOnlyShipment',
    keepBookedAfterPickUp: request.keepBookedAfterPickUp,
  });
