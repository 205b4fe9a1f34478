// A leg of a flow: its state, computed from what the flow knows about the shipment, and its region in the flow's chart. An
// event moves the region whenever that state changes; nothing else does. The state that it enters starts a deadline, or
// ends the leg.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import {
  type ChartState,
  chartStateCodes,
  isActive,
  isReachable,
  isStateCode,
} from '../../contract/machines/chart.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../flows/built-in/declaration.ts';
import type { StateData } from '../chart-data.ts';
import { deadlineOf, stageOfState } from './deadlines.ts';
import { doneStates, type FlowContext, shipmentWithRole, stateOf } from './known.ts';
import { areOthersOver, isSettled } from './settlement.ts';

/** The states of the region. */
type LegState =
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

/** Moves a region to the state that it names. The same state again: the deadline that begins there has changed. */
interface RegionEvent {
  readonly type: `${Role}.${LegState}` | `others.${'awaited' | 'over'}`;
}

/**
 * The events after a change of what the flow knows. Regions that end come last: as soon as all have ended, the flow ends,
 * though another was to begin again.
 */
export function regionEvents(flow: Declaration, before: FlowContext, after: FlowContext): RegionEvent[] {
  if (before === after) return [];
  const legs = rolesOf(flow).flatMap((role) => {
    const [was, state] = [legState(flow, before, role), legState(flow, after, role)];
    const isSame = was === state && until(before, role, state) === until(after, role, state);
    return isSame ? [] : [{ type: `${role}.${state}`, ends: isFinal(legOf(flow, role), state) } as const];
  });
  const ends = areOthersOver(flow, after);
  const others = { type: ends ? 'others.over' : 'others.awaited', ends } as const;
  return [...legs, ...(ends === areOthersOver(flow, before) ? [] : [others])]
    .sort((one, other) => Number(one.ends) - Number(other.ends))
    .map(({ type }) => ({ type }));
}

function until(known: FlowContext, role: Role, state: LegState): number | null {
  const stage = (stageOfState as Readonly<Partial<Record<LegState, Stage>>>)[state];
  return stage ? deadlineOf(known, role, stage) : null;
}

export function legRegion(flow: Declaration, role: Role): StateData {
  const leg = legOf(flow, role);
  const states: Readonly<Partial<Record<LegState, StateData>>> = {
    RoleUnknown: { on: to(role, firstStates(leg)) },
    ...(leg.begins === null ? { StateUnknown: { on: edges(role, 'Booked') } } : {}),
    ...Object.fromEntries(chartStateCodes.map((state) => [state, stateOfLeg(leg, role, state)])),
    Superseded: { type: 'final', tags: ['done'] },
    OverUnassigned: { type: 'final' },
  };
  const any = Object.keys(states).map((state) => [`${role}.${state}`, `.${state}`]);
  return {
    initial: 'RoleUnknown',
    // Where the state itself has no such transition: evidence or a person corrects the leg, or its deadline changes.
    on: Object.fromEntries(any),
    states,
  };
}

/** Its state after the booking. A prior shipment may be in any state before its pick-up. */
function firstStates({ begins, registeredWith }: Leg): readonly StateCode[] {
  if (begins === null) return ['ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup'];
  return registeredWith ? [begins, 'Registered'] : [begins];
}

function to(role: Role, states: readonly StateCode[]): Record<string, string> {
  return Object.fromEntries(states.map((state) => [`${role}.${state}`, state]));
}

/** Every way forward of a shipment: one step, or several if reports were lost or late. */
function edges(role: Role, from: ChartState): Record<string, string> {
  return to(
    role,
    chartStateCodes.filter((state) => state !== from && isReachable(from, state)),
  );
}

/** The region ends there. */
export function isFinal({ done }: Leg, state: LegState): boolean {
  if (isStateCode(state)) return done.includes(state) || !isActive(state);
  return state === 'Superseded' || state === 'OverUnassigned';
}

function stateOfLeg(leg: Leg, role: Role, state: StateCode): StateData {
  if (isFinal(leg, state)) return final(leg, state);
  const stage = stageOfState[state];
  const isTimed = stage && leg.deadlines.includes(stage);
  return { ...(isTimed && withDeadline({ role, stage })), on: edges(role, state) };
}

function final({ done, keptBookedBy }: Leg, state: StateCode): StateData {
  if (done.includes(state)) return { type: 'final', tags: ['done'] };
  // The request decides whether it is done there.
  return {
    type: 'final',
    ...(state === 'Cancelled' && keptBookedBy && { meta: { doneWith: keptBookedBy } }),
  };
}

function withDeadline(deadline: { readonly role: Role; readonly stage: Stage }): StateData {
  const name = `${deadline.role}.${deadline.stage}`;
  return {
    meta: { deadline },
    after: {
      [`reminder.${name}`]: { actions: { type: 'noteReminder', params: deadline } },
      [name]: { actions: { type: 'noteOverdue', params: deadline } },
    },
  };
}
