// Which flow has booked a listed shipment that others may hold too: one that issues stock takes it over from the flow that
// booked it and gives it another case number, one that swaps an intake holds it beside its own flow. So neither an owner nor
// another case number says by itself that the shipment is not the booking that is looked for (architecture: Unknown outcome).

import {
  type BookingProgress,
  flowRulesOf,
  flowRulesOfOperation,
  type Progress,
  type ReplacedCaseNo,
  type Role,
  type ShipmentFlowRules,
} from '../../contract/index.ts';
import type { ListedShipment } from '../../shared/locker-api/list-shipments.ts';
import { isSearchable } from '../../shared/routing/owners.ts';
import { bookingsOf, type OwningFlow, otherOwningFlows, processOf } from '../flow-directory.ts';
import { ownKey } from './adoption.ts';

export type Booker =
  /** Nothing speaks for another one. */
  | { readonly is: 'this'; readonly takenOverBy: readonly string[] }
  | { readonly is: 'another' }
  /** It was issued since, and nothing tells which case number it had before. */
  | { readonly is: 'unknown' }
  /** A flow that may have issued it is in its own booking: it tells afterwards. */
  | { readonly is: 'pending' };

/**
 * @param bookedWith the case number with which this flow has booked it, if it has; undefined: it still has that one
 * @param booking which one of its process this is; not given: the whole of it
 */
export async function bookerOf(
  record: ListedShipment,
  bookedWith: string | null | undefined,
  booking?: string,
): Promise<Booker> {
  const { shipmentUid, referenceCaseNo } = record;
  if (booking !== undefined && (await isOfSibling(shipmentUid))) return { is: 'another' };
  const owners = await otherOwningFlows(shipmentUid);
  const isOwn = bookedWith === undefined;
  const isNamed = !isOwn && referenceCaseNo !== null && isSearchable(referenceCaseNo);
  const named = isNamed && owners.every(({ workflowId }) => workflowId !== referenceCaseNo);
  // Visibility lags: a flow that has booked, or issued, a moment ago is found by the case number alone.
  const byName = named ? await processOf(referenceCaseNo) : null;
  const held = owners.map((flow) => holdsOf(flow, shipmentUid));
  const holds = (await Promise.all([...held, ...(byName ? [namedHoldsOf(byName, shipmentUid)] : [])])).flat();
  if (holds.includes('booked')) return { is: 'another' };
  const takers = holds.filter((hold) => typeof hold === 'object' && hold !== null);
  const takenOverBy = takers.flatMap(({ workflowId, isTaken }) => (isTaken ? workflowId : []));
  if (isOwn) return { is: 'this', takenOverBy };
  const { former, isClear } = formerCaseNos(referenceCaseNo, takers);
  if (former.includes(bookedWith || null)) return { is: 'this', takenOverBy };
  const isIssued = takers.length > 0 || record.toUserUid !== null;
  if (!isIssued || isClear) return { is: 'another' };
  return { is: takers.some(({ isBooking }) => isBooking) ? 'pending' : 'unknown' };
}

interface Taker {
  readonly workflowId: string;
  /** It runs, and follows the shipment. */
  readonly isTaken: boolean;
  /** Until that is over it does not say which case number it has replaced. */
  readonly isBooking: boolean;
  readonly replaced: ReplacedCaseNo | undefined;
}

/** Whether another booking of this process has booked it. This one has no shipments as long as it looks for them. */
async function isOfSibling(shipmentUid: string): Promise<boolean> {
  const own = { workflowId: ownKey(), isRunning: true };
  const siblings = (await bookingsOf(own.workflowId)).filter((booking) => isIn(booking, shipmentUid));
  return siblings.some(
    (booking) => holdBy(booking, own, shipmentUid, flowRulesOfOperation(booking.operation)) === 'booked',
  );
}

type Hold = Taker | 'booked' | 'beside' | null;

/** How each of its bookings holds the shipment. */
async function holdsOf(flow: OwningFlow, shipmentUid: string): Promise<Hold[]> {
  const rules = flowRulesOf(flow.type);
  // It books, and holds nothing of others: it need not be asked.
  if (rules && !mayHoldOthers(rules)) return ['booked'];
  const holding = holdingAmong(await bookingsOf(flow.workflowId), shipmentUid);
  if (holding.length === 0) return ['booked'];
  return holding.map((booking) =>
    holdBy(booking, flow, shipmentUid, rules ?? flowRulesOfOperation(booking.operation)),
  );
}

/** A process whose key is the shipment's case number. One that books nothing itself may have got it from elsewhere. */
async function namedHoldsOf(flow: OwningFlow, shipmentUid: string): Promise<Hold[]> {
  const isBooker = flowRulesOf(flow.type) || (await bookingsOf(flow.workflowId)).length > 0;
  return isBooker ? await holdsOf(flow, shipmentUid) : [];
}

/** Those that have it; else those that do not know their shipments yet; else all. */
function holdingAmong(all: readonly BookingProgress[], shipmentUid: string): readonly BookingProgress[] {
  const having = all.filter((booking) => isIn(booking, shipmentUid));
  const unknowing = all.filter(({ shipments, unassigned }) => isEmpty(shipments) && unassigned.length === 0);
  return [having, unknowing].find(({ length }) => length > 0) ?? all;
}

const isEmpty = (shipments: BookingProgress['shipments']): boolean => Object.keys(shipments).length === 0;

const mayHoldOthers = ({ ofOthers = [], takesOver = [] }: ShipmentFlowRules): boolean =>
  ofOthers.length + takesOver.length > 0;

const isIn = ({ shipments, unassigned }: BookingProgress, shipmentUid: string): boolean =>
  [...Object.values(shipments), ...unassigned].some((each) => each.shipmentUid === shipmentUid);

/** Null: it has left it as it was. */
function holdBy(
  { shipments, unassigned, activity, resolutions, replacedCaseNo }: BookingProgress,
  { workflowId, isRunning }: Pick<OwningFlow, 'workflowId' | 'isRunning'>,
  shipmentUid: string,
  { ofOthers = [], takesOver = [] }: Partial<ShipmentFlowRules> = {},
): Hold {
  const role = roleIn(shipments, shipmentUid);
  if (role === null && unassigned.some((each) => each.shipmentUid === shipmentUid)) return 'booked';
  if (role !== null && ![...ofOthers, ...takesOver].includes(role)) return 'booked';
  if (takesOver.length === 0) return ofOthers.length === 0 ? 'booked' : 'beside';
  // It was started for the shipment, and refused: unless a person has ended its doubt, it has not issued it.
  if (role === null && activity === 'Ended' && !resolutions.some(({ action }) => action === 'giveUp'))
    return null;
  const isBooking = isRunning && activity === 'Booking';
  return { workflowId, isTaken: isRunning && role !== null, isBooking, replaced: replacedCaseNo };
}

function roleIn(shipments: Progress['shipments'], shipmentUid: string): Role | null {
  const [role] = (Object.keys(shipments) as Role[]).filter(
    (each) => shipments[each]?.shipmentUid === shipmentUid,
  );
  return role ?? null;
}

/** Those before the one of now: each taker has replaced the one of the taker before it. One that was undone gave it back. */
function formerCaseNos(now: string | null, takers: readonly Taker[]) {
  const left = new Set(takers);
  const former: (string | null)[] = [];
  for (let caseNo = now; ; ) {
    const last = [...left].find(({ replaced }) => replaced?.by === caseNo);
    if (!last?.replaced) break;
    left.delete(last);
    caseNo = last.replaced.former || null;
    former.push(caseNo);
  }
  return { former, isClear: former.length > 0 && [...left].every(({ replaced }) => replaced !== undefined) };
}
