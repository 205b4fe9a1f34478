// The region of a leg in its flow's chart. An event moves it whenever the leg's state changes; nothing else does. The state that it
// enters starts a deadline, or ends the leg.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { type ChartState, chartStateCodes, isReachable } from '../../contract/machines/chart.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { deadlineOf, stageOfState } from '../../flows/booking/deadlines.ts';
import type { FlowContext } from '../../flows/booking/known.ts';
import { isFinal, type LegState, legState } from '../../flows/booking/leg-state.ts';
import { areOthersOver } from '../../flows/booking/settlement.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../flows/built-in/declaration.ts';
import type { StateData } from '../chart-data.ts';

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
