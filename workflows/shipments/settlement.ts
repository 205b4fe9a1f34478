// Whether a flow has come to its end, what it came to, and what it leaves behind. Decided under every possible role.
import type { Role } from '../../contract/flows/flow-input.ts';
import type {
  FlowResult,
  ItemLeft,
  LegResult,
  Outcome,
  UnassignedShipment,
} from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Ending } from '../../driver/definition.ts';
import { type Declaration, legOf } from '../../flows/declaration.ts';
import { isItemInside } from '../../machines/chain-shipments.ts';
import { type Assignment, assignments, certainRoles, possibleRoles } from './evidence.ts';
import type { Knowledge, KnownShipment } from './knowledge.ts';
import { isDone, isInactive, stateOf } from './legs-now.ts';

/** Under this assignment, does it hold of every shipment and its leg? */
function everyLeg(
  known: Knowledge,
  assignment: Assignment,
  holds: (shipment: KnownShipment, role: Role) => boolean,
): boolean {
  return known.shipments.every((shipment, index) => {
    const role = assignment[index];
    return role ? holds(shipment, role) : isInactive(shipment);
  });
}

export function isAllDone(flow: Declaration, known: Knowledge): boolean {
  const possible = assignments(flow, known);
  const holds = (shipment: KnownShipment, role: Role) => isDone(known, legOf(flow, role), shipment);
  return possible.length > 0 && possible.every((each) => everyLeg(known, each, holds));
}

/** Every leg is done or has ended otherwise. */
export function isSettled(flow: Declaration, known: Knowledge): boolean {
  const possible = assignments(flow, known);
  const holds = (shipment: KnownShipment, role: Role) =>
    isInactive(shipment) || isDone(known, legOf(flow, role), shipment);
  return possible.length > 0 && possible.every((each) => everyLeg(known, each, holds));
}

/** Done whichever role it has: its delivery is not taken back when the rest is undone. */
export function isDoneForCertain(flow: Declaration, known: Knowledge, shipment: KnownShipment): boolean {
  const roles = possibleRoles(flow, known, shipment.shipmentUid);
  return roles.every((role) => isDone(known, legOf(flow, role), shipment));
}

export function outcome(flow: Declaration, known: Knowledge): Outcome {
  if (isAllDone(flow, known)) return 'Done';
  return known.undoing === 'overdue' ? 'Overdue' : 'Cancelled';
}

export function ending(flow: Declaration, known: Knowledge): Ending {
  if (known.failure) return { kind: 'failed', ...known.failure };
  const came = outcome(flow, known);
  if (known.undoing === 'request' && came !== 'Done') return { kind: 'cancelled' };
  return { kind: 'result', result: result(flow, known, came) };
}

function result(flow: Declaration, known: Knowledge, came: Outcome): FlowResult {
  return {
    outcome: came,
    shipments: legResults(flow, known),
    overdue: known.overdue,
    itemsLeft: itemsLeft(flow, known),
    unassigned: unassigned(flow, known),
  };
}

export function legResult(flow: Declaration, known: Knowledge, shipment: KnownShipment): LegResult {
  const { shipmentUid, stateStart, pupUid, lockerName } = shipment;
  return { shipmentUid, stateCode: stateOf(flow, known, shipment), stateStart, pupUid, lockerName };
}

function legResults(flow: Declaration, known: Knowledge): FlowResult['shipments'] {
  const certain = certainRoles(flow, known);
  return Object.fromEntries(
    known.shipments.flatMap((shipment) => {
      const role = certain.get(shipment.shipmentUid);
      return role ? [[role, legResult(flow, known, shipment)]] : [];
    }),
  );
}

export function unassigned(flow: Declaration, known: Knowledge): UnassignedShipment[] {
  const certain = certainRoles(flow, known);
  return known.shipments
    .filter(({ shipmentUid }) => !certain.has(shipmentUid))
    .map((shipment) => ({
      ...legResult(flow, known, shipment),
      possibleRoles: possibleRoles(flow, known, shipment.shipmentUid),
    }));
}

const before: readonly StateCode[] = ['ReadyForPickup', 'WaitForReceiver', 'ReadyForDropoff', 'Registered'];

/** assumptions: Lockers and codes, an item left behind: cancelled while its item was in the locker. */
export function itemsLeft(flow: Declaration, known: Knowledge): ItemLeft[] {
  const certain = certainRoles(flow, known);
  return known.shipments.flatMap((shipment) => {
    const { shipmentUid, pupUid, lockerName, seen, stateCode } = shipment;
    const role = certain.get(shipmentUid) ?? null;
    if (stateCode !== 'Cancelled' || shipment.isSuperseded) return [];
    const last =
      before.find((state) => state in seen) ??
      (role && stateOf(flow, known, { ...shipment, stateCode: null }));
    return last && isItemInside(last) ? [{ role, shipmentUid, pupUid, lockerName }] : [];
  });
}
