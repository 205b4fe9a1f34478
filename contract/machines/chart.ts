// The shipment's chart as a graph: its edges and what follows from them, computed from the machine, never listed by hand.

import { getNextTransitions, type SnapshotFrom } from 'xstate';
import type { StateCode } from '../wire/states.ts';
import { guards, type ShipmentEvent, type ShipmentFacts, shipmentMachine } from './shipment.ts';

/** A place in the chart: a state code, or Booked, the moment before the first one. */
export type ChartState = SnapshotFrom<typeof shipmentMachine>['value'];

export interface Edge {
  from: ChartState;
  to: ChartState;
  /** Null for transitions from Booked, which need no event. */
  event: ShipmentEvent['type'] | null;
  guard: keyof typeof guards | null;
}

const anyFacts = {
  hasReceiver: false,
  keepBookedAfterPickUp: false,
  circularStockPending: false,
  followsPredecessor: false,
  isCollectOnly: false,
};

function isChartState(value: string): value is ChartState {
  return Object.hasOwn(shipmentMachine.states, value);
}

export function isStateCode(value: string): value is StateCode {
  return isChartState(value) && value !== 'Booked';
}

export const chartStates: readonly ChartState[] = Object.keys(shipmentMachine.states).filter(isChartState);
export const chartStateCodes: readonly StateCode[] = chartStates.filter(isStateCode);

function isGuard(name: unknown): name is keyof typeof guards {
  return typeof name === 'string' && Object.hasOwn(guards, name);
}

function guardOf(name: unknown): Edge['guard'] {
  if (name !== undefined && !isGuard(name)) throw new TypeError(`${name} is none of the chart's guards`);
  return name ?? null;
}

function edgesFrom(from: ChartState): Edge[] {
  const ways = getNextTransitions(shipmentMachine.resolveState({ value: from, context: anyFacts }));
  return ways.map((way) => {
    const to = way.target?.[0]?.key ?? from;
    if (!isChartState(to)) throw new TypeError(`the chart leads to ${to}, expected one of its states`);
    return {
      from,
      to,
      event: way.eventType === '' ? null : way.eventType,
      guard: guardOf(way.guard),
    };
  });
}

/** Every transition of the chart, also those that keep the state (receiver set, kept booked). */
export const edges: readonly Edge[] = chartStates.flatMap(edgesFrom);

/**
 * The state in which a shipment of this kind begins. Read from the chart: running the machine took a tenth of the
 * time of a booking.
 */
export function initialStateCode(context: ShipmentFacts): StateCode {
  const way = edges.find(({ from, guard }) => from === 'Booked' && (!guard || guards[guard]({ context })));
  if (!way || !isStateCode(way.to)) throw new TypeError('the chart rests in Booked, expected a state code');
  return way.to;
}

export function isOneStep(from: ChartState, to: ChartState): boolean {
  return edges.some((edge) => edge.from === from && edge.to === to);
}

/** Whether one or more transitions lead from one state to the other, without transitions that keep the state. */
export function isReachable(from: ChartState, to: ChartState): boolean {
  const seen = new Set<ChartState>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const edge of edges) {
      if (edge.from !== state || edge.to === state || seen.has(edge.to)) continue;
      seen.add(edge.to);
      open.push(edge.to);
    }
  }
  return seen.has(to);
}

/** Active: something can still happen to it (assumptions: States: all but Completed and Cancelled). */
export function isActive(stateCode: StateCode): boolean {
  return edges.some((edge) => edge.from === stateCode);
}

/** The state codes in which the chart takes this event, without its guards. */
export function statesTaking(event: ShipmentEvent['type']): StateCode[] {
  return chartStateCodes.filter((code) => edges.some((edge) => edge.from === code && edge.event === event));
}
