// The state of a leg, computed from what its flow knows about the shipment.
import type { Role } from '../../contract/flows/flow-input.ts';
import { isActive, isStateCode } from '../../contract/machines/chart.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Declaration, Leg } from '../built-in/declaration.ts';
import { doneStates, type FlowContext, shipmentWithRole, stateOf } from './known.ts';
import { isSettled } from './settlement.ts';

export type LegState =
  | StateCode
  /** The leg's shipment is not known yet. */
  | 'RoleUnknown'
  /** The shipment is known, but not its state: a prior shipment at a service that shows no states. */
  | 'StateUnknown'
  /** Another flow follows the shipment from now on. */
  | 'Superseded'
  /** All shipments have ended, and the leg's shipment is still not known. */
  | 'OverUnassigned';

export function legState(flow: Declaration, known: FlowContext, role: Role): LegState {
  const shipment = shipmentWithRole(known, role);
  if (!shipment) return isSettled(flow, known) ? 'OverUnassigned' : 'RoleUnknown';
  if (shipment.isSuperseded) return 'Superseded';
  const state = stateOf(shipment);
  const done = doneStates(flow, known, role);
  // Once done it stays done, in any later state of its shipment.
  if (state && done.includes(state)) return state;
  return done.find((each) => each in shipment.seen) ?? state ?? 'StateUnknown';
}

/** The leg is over. */
export function isFinal({ done }: Leg, state: LegState): boolean {
  if (isStateCode(state)) return done.includes(state) || !isActive(state);
  return state === 'Superseded' || state === 'OverUnassigned';
}
