// Decides which shipment is which leg, by evidence (withRoles), and whether a flow has ended; computes its result and the items
// left in lockers. While the role of a shipment is uncertain, a condition must hold in every possible assignment of roles.

import type { Role } from '../../contract/flows/flow-input.ts';
import type {
  FlowResult,
  ItemLeft,
  LegResult,
  Outcome,
  UnassignedShipment,
} from '../../contract/flows/flow-result.ts';
import { hasItemInside } from '../../contract/machines/chain-shipments.ts';
import { instantOf } from '../../contract/machines/state-start.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Ending } from '../../engine/definition/closing.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../built-in/declaration.ts';
import {
  beginsAs,
  type FlowContext,
  isDone,
  isInactive,
  isRoleGiven,
  type KnownShipment,
  requestField,
  stateOf,
} from './known.ts';

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
export const isCollectOnly = (flow: Declaration, role: Role | null): boolean =>
  role !== null && legOf(flow, role).begins === 'ReadyForPickup';

/** interface: CreateCollectOnlyShipment. By the user who is named, or else by the dispatcher. */
export const isCollectedByDesk = (flow: Declaration, known: FlowContext, role: Role): boolean =>
  isCollectOnly(flow, role) && requestField(known, 'toUserUid') == null;

/** The role of each shipment, in their order; null if a person has declared that it is not a leg. */
export type Assignment = readonly (Role | null)[];

/** Milliseconds: the clocks of one service may differ by this much, so a smaller difference shows no order. */
const CLOCK_TOLERANCE_MS = 60_000;

const begunStates = ['ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup', 'Completed'] as const;

/** Empty while there is not one shipment for each leg: then only a person can decide. */
export function assignments(flow: Declaration, { shipments }: FlowContext): readonly Assignment[] {
  const roles = rolesOf(flow);
  const given = shipments.map((shipment) => (isRoleGiven(shipment) ? shipment.role : null));
  if (roles.every((role) => given.includes(role))) return [given];
  if (shipments.length !== roles.length) return [];
  const all = permutations(roles).filter((each) =>
    given.every((role, index) => role === null || role === each[index]),
  );
  const agreeing = all.filter((each) => agrees(flow, shipments, each));
  // If the evidence excludes every assignment, a part of it is wrong: then none counts.
  return agreeing.length > 0 ? agreeing : all;
}

/** With the roles that are certain from all present facts. */
export function withRoles(flow: Declaration, known: FlowContext): FlowContext {
  if (known.shipments.every(isRoleGiven)) return known;
  const possible = assignments(flow, known);
  const shipments = known.shipments.map((shipment, index) => {
    if (isRoleGiven(shipment)) return shipment;
    const role = certainIn(possible, index);
    return role === shipment.role ? shipment : withRole(flow, known, shipment, role);
  });
  return { ...known, shipments };
}

export function withRole(
  flow: Declaration,
  known: FlowContext,
  shipment: KnownShipment,
  role: Role | null,
  roleFrom: KnownShipment['roleFrom'] = 'evidence',
): KnownShipment {
  return { ...shipment, role, roleFrom, begins: role && beginsAs(flow, known, role) };
}

function certainIn(possible: readonly Assignment[], index: number): Role | null {
  const [first, ...others] = possible;
  const role = first?.[index] ?? null;
  return others.every((each) => each[index] === role) ? role : null;
}

export function possibleRoles(flow: Declaration, known: FlowContext, shipmentUid: string): Role[] {
  const index = known.shipments.findIndex((each) => each.shipmentUid === shipmentUid);
  const roles = assignments(flow, known).flatMap((each) => each[index] ?? []);
  return roles.length > 0 ? [...new Set(roles)] : rolesOf(flow);
}

function permutations(roles: readonly Role[]): Role[][] {
  if (roles.length === 0) return [[]];
  return roles.flatMap((role) =>
    permutations(roles.filter((other) => other !== role)).map((rest) => [role, ...rest]),
  );
}

function agrees(flow: Declaration, shipments: readonly KnownShipment[], assignment: Assignment): boolean {
  return shipments.every((shipment, index) => {
    const role = assignment[index];
    if (!role) return false;
    const leg = legOf(flow, role);
    if (!canHaveBeen(leg, shipment)) return false;
    const { follows } = leg;
    const predecessor = follows && shipments[assignment.indexOf(follows.role)];
    return !predecessor || canFollow(shipment, leg, predecessor);
  });
}

/** assumptions: States. Only a successor begins as Registered; a swap and circular stock are not dropped off. */
function canHaveBeen({ begins, isPrior, follows }: Leg, { seen }: KnownShipment): boolean {
  const wasRegistered = 'Registered' in seen && begins !== 'Registered' && !isPrior;
  const isNeverDroppedOff = follows !== null && follows.link !== 'subsequentIntake';
  return !wasRegistered && !('ReadyForDropoff' in seen && isNeverDroppedOff);
}

/** assumptions: Chains. It begins only when, and not before, its predecessor is Completed. */
function canFollow(shipment: KnownShipment, leg: Leg, predecessor: KnownShipment): boolean {
  if (!begunStates.some((state) => state in shipment.seen)) return true;
  if ('Cancelled' in predecessor.seen) return false;
  // An intake with circular stock pending on it is Completed by its drop-off, so it is never in the locker as itself.
  const wasInLocker = 'ReadyForPickup' in predecessor.seen || 'WaitForReceiver' in predecessor.seen;
  if (leg.follows?.link === 'circularStock' && wasInLocker) return false;
  const began = Math.min(...starts(shipment, begunStates));
  const predecessorCompleted = Math.max(...starts(predecessor, [...begunStates, 'Registered']));
  return !(predecessorCompleted > began + CLOCK_TOLERANCE_MS);
}

function starts({ seen }: KnownShipment, states: readonly StateCode[]): number[] {
  return states.flatMap((state) => instantOf(seen[state]) ?? []);
}

/** Whether the flow may be done, and may not: its reports agree with both. */
export function isEndInDoubt(flow: Declaration, known: FlowContext): boolean {
  const ends = assignments(flow, known).map((each) => isWholeDone(flow, known, each));
  return ends.includes(true) && ends.includes(false);
}

export function isWholeDone(flow: Declaration, known: FlowContext, assignment: Assignment): boolean {
  return known.shipments.every((shipment, index) => {
    const role = assignment[index];
    return !role || isDone(flow, known, shipment, role);
  });
}
