// Decides whether a shipment flow has ended, and computes its result and the items left in lockers. While the role of a
// shipment is uncertain, a condition must hold in every possible assignment of roles.

import type {
  FlowResult,
  ItemLeft,
  LegResult,
  Outcome,
  UnassignedShipment,
} from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { hasItemInside } from '../../contract/machines/chain-shipments.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Ending } from '../../engine/definition.ts';
import { type Declaration, legOf, rolesOf } from '../../flows/built-in/declaration.ts';
import { type FlowContext, isDone, isInactive, type KnownShipment, stateOf } from './known.ts';
import { assignments, possibleRoles } from './roles.ts';

/** Whether the predicate holds for every shipment in its role, in every possible assignment of roles. */
function alwaysHolds(
  flow: Declaration,
  known: FlowContext,
  holds: (shipment: KnownShipment, role: Role) => boolean,
): boolean {
  const possible = assignments(flow, known);
  const holdsIn = (assignment: (typeof possible)[number]) =>
    known.shipments.every((shipment, index) => {
      const role = assignment[index];
      return role ? holds(shipment, role) : isInactive(shipment);
    });
  return possible.length > 0 && possible.every(holdsIn);
}

function isAllDone(flow: Declaration, known: FlowContext): boolean {
  return alwaysHolds(flow, known, (shipment, role) => isDone(flow, known, shipment, role));
}

/** Every leg is done or inactive, in every possible assignment of roles. */
export function isSettled(flow: Declaration, known: FlowContext): boolean {
  const isOver = (shipment: KnownShipment, role: Role) =>
    isInactive(shipment) || isDone(flow, known, shipment, role);
  return alwaysHolds(flow, known, isOver);
}

/** With more shipments than legs: whether those without a role are inactive. */
export function areOthersOver(flow: Declaration, { shipments }: FlowContext): boolean {
  if (shipments.length <= rolesOf(flow).length) return true;
  return shipments.every((shipment) => shipment.role !== null || isInactive(shipment));
}

/** Done in every possible role, so undoing the flow leaves this shipment alone. */
export function isDoneForCertain(flow: Declaration, known: FlowContext, shipment: KnownShipment): boolean {
  const roles = shipment.role ? [shipment.role] : possibleRoles(flow, known, shipment.shipmentUid);
  return roles.every((role) => isDone(flow, known, shipment, role));
}

export function outcome(flow: Declaration, known: FlowContext): Outcome {
  if (isAllDone(flow, known)) return 'Done';
  return known.undoing === 'overdue' ? 'Overdue' : 'Cancelled';
}

export function ending(flow: Declaration, known: FlowContext): Ending {
  if (known.failure) return { kind: 'failed', ...known.failure };
  const reached = outcome(flow, known);
  if (known.undoing === 'request' && reached !== 'Done') return { kind: 'cancelled' };
  const result: FlowResult = {
    outcome: reached,
    shipments: legResults(known),
    overdue: known.overdue,
    itemsLeft: itemsLeft(flow, known),
    unassigned: unassigned(flow, known),
  };
  return { kind: 'result', result };
}

export function legResult(shipment: KnownShipment): LegResult {
  const { shipmentUid, stateStart, pupUid, lockerName } = shipment;
  return { shipmentUid, stateCode: stateOf(shipment), stateStart, pupUid, lockerName };
}

function legResults({ shipments }: FlowContext): FlowResult['shipments'] {
  return Object.fromEntries(
    shipments.flatMap((shipment) => (shipment.role ? [[shipment.role, legResult(shipment)]] : [])),
  );
}

export function unassigned(flow: Declaration, known: FlowContext): UnassignedShipment[] {
  return known.shipments
    .filter(({ role }) => role === null)
    .map((shipment) => ({
      ...legResult(shipment),
      possibleRoles: possibleRoles(flow, known, shipment.shipmentUid),
    }));
}

/** The latest first. */
const statesBeforeCancellation: readonly StateCode[] = [
  'ReadyForPickup',
  'WaitForReceiver',
  'ReadyForDropoff',
  'Registered',
];

/** assumptions: Lockers and codes: an item is left behind if it was in the locker when the shipment was cancelled. */
export function itemsLeft(flow: Declaration, known: FlowContext): ItemLeft[] {
  return known.shipments.flatMap((shipment) => {
    const { shipmentUid, role, pupUid, lockerName, seen, stateCode, begins } = shipment;
    if (stateCode !== 'Cancelled' || shipment.isSuperseded) return [];
    const last = statesBeforeCancellation.find((state) => state in seen) ?? begins;
    const shipmentType = isCollectOnly(flow, role) ? 'CollectOnlyShipment' : 'LocalPupShipment';
    return last && hasItemInside({ shipmentType, stateCode: last })
      ? [{ role, shipmentUid, pupUid, lockerName }]
      : [];
  });
}

/** Only a collect-only shipment begins in ReadyForPickup. */
const isCollectOnly = (flow: Declaration, role: Role | null): boolean =>
  role !== null && legOf(flow, role).begins === 'ReadyForPickup';
