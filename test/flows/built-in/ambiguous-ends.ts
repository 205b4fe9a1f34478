// Whether callbacks alone show when a flow is done. A bare vendor's callbacks do not say which shipment is which leg: if two
// legs look alike, and one is done earlier than the other, only a person can decide it.
import type { FlowInput, Role } from '../../../contract/flows/flow-input.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import type { ProcessStart } from '../../../engine/definition.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../../flows/built-in/declaration.ts';
import {
  type FlowContext,
  type KnownShipment,
  newShipment,
  nothingKnown,
} from '../../../workflows/shipments/known.ts';
import { type Assignment, assignments, isWholeDone } from '../../../workflows/shipments/settlement.ts';

/**
 * The legs that look alike at the moment when the flow is done. It takes the reports to be less than a minute apart, so
 * that their times show no order.
 */
export function alikeLegs(flow: Declaration): readonly Role[] {
  const { possible } = atTheEnd(flow);
  return rolesOf(flow).filter((role, index) => possible.some((each) => each[index] !== role));
}

/** The legs that look alike, if the flow is done by one assignment and not by another; else none. */
export function indistinctLegs(flow: Declaration): readonly Role[] {
  const { known, possible } = atTheEnd(flow);
  return possible.every((each) => isWholeDone(flow, known, each)) ? [] : alikeLegs(flow);
}

function atTheEnd(flow: Declaration): {
  readonly known: FlowContext;
  readonly possible: readonly Assignment[];
} {
  const start = {
    input: { request: {} },
    flow: flow.name,
    version: 1,
    workflowId: '',
    firstExecutionRunId: '',
  };
  const shipments = rolesOf(flow).map((role) => shipmentAtTheEnd(flow, role));
  const known = { ...nothingKnown(start as ProcessStart<FlowInput>), shipments };
  return { known, possible: assignments(flow, known) };
}

function shipmentAtTheEnd(flow: Declaration, role: Role): KnownShipment {
  const { isPrior } = legOf(flow, role);
  const seen = Object.fromEntries(reportedStates(flow, role).map((state) => [state, null]));
  return {
    ...newShipment(role),
    role: isPrior ? role : null,
    roleFrom: isPrior ? 'booking' : 'evidence',
    seen,
  };
}

/** The states that a bare vendor has reported by then (assumptions: A bare vendor). */
function reportedStates(flow: Declaration, role: Role): readonly StateCode[] {
  const leg = legOf(flow, role);
  const successors = rolesOf(flow).flatMap((other) => {
    const { follows } = legOf(flow, other);
    return follows?.role === role ? [follows.link] : [];
  });
  const reported = [...inLocker(leg, successors.includes('circularStock')), 'Completed'] as const;
  // A successor begins only when it is Completed.
  if (successors.length > 0) return reported;
  const end = reported.findIndex((state) => leg.done.includes(state));
  return end === -1 ? reported : reported.slice(0, end + 1);
}

function inLocker({ begins, done, follows }: Leg, isCircular: boolean): readonly StateCode[] {
  if (begins === 'ReadyForPickup') return [];
  const droppedOff = follows?.link === 'subsequentIntake' ? (['ReadyForDropoff'] as const) : [];
  // An intake with circular stock pending on it is Completed by its drop-off.
  if (isCircular) return droppedOff;
  return [...droppedOff, done.includes('WaitForReceiver') && !follows ? 'WaitForReceiver' : 'ReadyForPickup'];
}
