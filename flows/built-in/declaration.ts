// What a shipment flow is, as plain data: its operation and its legs. Chart, result, diagram and docs all come from it.

import type { BookedLeg, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { DeadlineRule } from '../../contract/flows/flow-input-check.ts';
import type { OperationName } from '../../contract/operations/operations.ts';
import type { StateCode } from '../../contract/wire/states.ts';

/** One shipment of a flow: what it is booked as, what may be waited for with a deadline, and when it is done. */
export interface Leg extends Omit<BookedLeg, 'role'> {
  /** The state in which its booking leaves it; null where that depends on what it was before (a prior shipment). */
  readonly begins: StateCode | null;
  /** It begins as Registered instead where this field of the request is set. */
  readonly registeredWith?: string;
  /** It is done as soon as it has been in one of these. */
  readonly done: readonly StateCode[];
  /**
   * If this field of the request is true, a pick-up leaves the shipment in its state: only a report of the pick-up itself shows
   * it, and meets the deadline. Such a leg is done when it is cancelled, unless a passed deadline cancelled it (assumptions:
   * States).
   */
  readonly keptBookedBy?: string;
  /** The stages that a deadline may be given for. */
  readonly deadlines: readonly Stage[];
  /**
   * What undoing the flow does to it. cancel: CancelShipment. removeReceiver: as it was before it was issued, and
   * CancelShipment where that is not possible any more. leave: it belongs to another flow.
   */
  readonly undo: 'cancel' | 'removeReceiver' | 'leave';
}

export type Legs = Readonly<Partial<Record<Role, Leg>>>;

export interface Declaration {
  readonly name: string;
  readonly operation: OperationName;
  /** What it is for, as one sentence to an operator. */
  readonly meaning: string;
  /** In chain order. */
  readonly legs: Legs;
  /**
   * Callbacks alone do not show when it is done: at a service that has nothing but the interface, each of its processes
   * asks a person which shipment is which leg (docs/declare-a-flow.md).
   */
  readonly personAssignsLegs?: true;
}

/** By number, from 1. */
export type Versions = Readonly<Record<number, Declaration>>;

export function rolesOf({ legs }: Declaration): Role[] {
  return Object.keys(legs) as Role[];
}

export function legOf({ legs, name }: Declaration, role: Role): Leg {
  const leg = legs[role];
  if (!leg)
    throw new TypeError(`${name} has no leg ${role}, expected one of ${Object.keys(legs).join(', ')}`);
  return leg;
}

export function deadlineRules(flow: Declaration, role: Role): DeadlineRule[] {
  const { deadlines, keptBookedBy } = legOf(flow, role);
  return deadlines.map((stage) =>
    stage === 'pickUp' && keptBookedBy ? { role, stage, keptBookedBy } : { role, stage },
  );
}
