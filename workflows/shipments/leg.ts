// The region of one leg in the chart of its flow, built from the edges of the shipment's own chart
// (machines/shipment.ts): next states, skipped states, corrections by a person. The leg ends in a final state.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, type Leg, legOf } from '../../flows/declaration.ts';
import { type ChartState, chartStateCodes, isOneStep, isReachable } from '../../machines/chart.ts';
import type { StateData, TransitionData } from '../chart-data.ts';
import { stageOfState } from './deadlines.ts';

/** The states of the region. */
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

export function legRegion(flow: Declaration, role: Role): StateData {
  const leg = legOf(flow, role);
  const codes = chartStateCodes.map((state): [string, StateData] => [state, stateOfLeg(leg, role, state)]);
  return {
    initial: 'RoleUnknown',
    meta: { begins: firstStates(leg) },
    on: {
      [`${role}.lost`]: '.RoleUnknown',
      [`${role}.superseded`]: '.Superseded',
      ...each((state) => [`${role}.set.${state}`, `.${state}`]),
      // If the present state does not take a report, nothing changes: it is repeated, stale or contradictory.
      ...each((state) => [`${role}.${state}`, { actions: 'observe' }]),
      ...(leg.keptBookedBy ? { [`${role}.pickedUp`]: { actions: 'observe' } } : {}),
    },
    states: {
      RoleUnknown: {
        on: {
          ...each((state) => [`${role}.found.${state}`, state]),
          ...(leg.begins === null ? { [`${role}.found.StateUnknown`]: 'StateUnknown' } : {}),
          [`${role}.found.Superseded`]: 'Superseded',
        },
        always: { guard: { type: 'isOverUnassigned', params: { role } }, target: 'OverUnassigned' },
      },
      ...(leg.begins === null ? { StateUnknown: { on: edges(role, 'Booked') } } : {}),
      ...Object.fromEntries(codes),
      Superseded: { type: 'final', tags: ['done'] },
      OverUnassigned: { type: 'final' },
    },
  };
}

/** Its state after the booking. A prior shipment may be in any state before its pick-up. */
function firstStates({ begins, registeredWith }: Leg): readonly StateCode[] {
  if (begins === null) return ['ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup'];
  return registeredWith ? [begins, 'Registered'] : [begins];
}

function each<Value>(entryOf: (state: StateCode) => [string, Value]): Record<string, Value> {
  return Object.fromEntries(chartStateCodes.map(entryOf));
}

function stateOfLeg(leg: Leg, role: Role, state: StateCode): StateData {
  if (leg.done.includes(state)) return { type: 'final', tags: ['done'] };
  if (state === 'Completed') return { type: 'final' };
  if (state === 'Cancelled') return cancelled(leg);
  const stage = stageOfState[state];
  const on = { ...edges(role, state), ...(state === 'ReadyForPickup' ? pickUpInPlace(leg, role) : {}) };
  return stage && leg.deadlines.includes(stage) ? withDeadline(role, stage, state, on) : { on };
}

/** It enters the state anew, so that the deadline of the pick-up, which is met, ends. */
function pickUpInPlace({ keptBookedBy }: Leg, role: Role): Record<string, TransitionData> {
  if (!keptBookedBy) return {};
  return { [`${role}.pickedUp`]: { target: 'ReadyForPickup', reenter: true, actions: 'observe' } };
}

/** Whether it is done there depends on the request. */
function cancelled({ doneWith }: Leg): StateData {
  return doneWith ? { type: 'final', meta: { doneWith: doneWith.field } } : { type: 'final' };
}

/** Every transition forward: one step, or several if reports were lost or late. */
function edges(role: Role, from: ChartState): Record<string, TransitionData> {
  const reachable = chartStateCodes.filter((to) => to !== from && isReachable(from, to));
  return Object.fromEntries(
    reachable.map((to) => {
      const verdict = isOneStep(from, to) ? 'next' : 'skippedAhead';
      return [`${role}.${to}`, { target: to, actions: { type: 'advance', params: { verdict } } }];
    }),
  );
}

/** A report of the same stage does not restart its deadline. */
function withDeadline(
  role: Role,
  stage: Stage,
  state: StateCode,
  on: Record<string, TransitionData>,
): StateData {
  const anew = { target: state, reenter: true } as const;
  const deadline = { role, stage };
  return {
    meta: { deadline },
    after: {
      [`reminder.${role}.${stage}`]: { actions: { type: 'noteReminder', params: deadline } },
      [`${role}.${stage}`]: { actions: { type: 'noteOverdue', params: deadline } },
    },
    on: {
      ...on,
      extendDeadline: {
        guard: { type: 'canExtendStage', params: deadline },
        ...anew,
        actions: ['extend', 'answer'],
      },
      // The booking left it in this state; now its start is known, and the deadline counts from that.
      [`${role}.${state}`]: {
        guard: { type: 'movesDeadline', params: deadline },
        ...anew,
        actions: { type: 'advance', params: { verdict: 'repeated' } },
      },
    },
  };
}
