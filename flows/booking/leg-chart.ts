// The legs of a booking in the chart of its process, for people: the state that books is drawn with a region for each leg. No
// machine has these states: they follow from the declaration, and which are active from what the booking knows.
import type { Role } from '../../contract/flows/flow-input.ts';
import { type ChartState, chartStateCodes, isReachable } from '../../contract/machines/chart.ts';
import type {
  ChartView,
  ChartViewState,
  ChartViewTransition,
  Position,
} from '../../engine/chart/chart-view.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { BookingState } from './booking-state.ts';
import type { FlowContext } from './known.ts';
import { isFinal, legState } from './leg-state.ts';

/** A booking of a file. */
export interface DrawnBooking {
  /** The path of the state that books. */
  readonly at: string;
  /** The id of its invoke. */
  readonly id: string;
  readonly flow: Declaration;
}

export function withLegs(view: ChartView, bookings: readonly DrawnBooking[]): ChartView {
  return {
    ...view,
    states: view.states.flatMap((state): ChartViewState[] => {
      const booking = bookings.find(({ at }) => at === state.path);
      return booking ? [{ ...state, kind: 'parallel', initial: null }, ...legStates(booking)] : [state];
    }),
    transitions: [...view.transitions, ...bookings.flatMap(legTransitions)],
  };
}

export function withActiveLegs(
  position: Position,
  bookings: readonly (DrawnBooking & { readonly state: BookingState })[],
): Position {
  const active = bookings.flatMap(({ at, flow, state: { known } }) =>
    known.booking && position.active.includes(at)
      ? rolesOf(flow).flatMap((role) => activeLeg(at, flow, known, role))
      : [],
  );
  return { ...position, active: [...position.active, ...active] };
}

/** It may be in no state that is drawn: its shipment is not known yet, or another process follows it. */
function activeLeg(at: string, flow: Declaration, known: FlowContext, role: Role): string[] {
  const [path, state] = [`${at}.${role}`, legState(flow, known, role)];
  return statesOf(flow, role).some((each) => each === state) ? [path, `${path}.${state}`] : [path];
}

/** Those that the leg can be in, from those in which its booking may leave it. */
function statesOf(flow: Declaration, role: Role): readonly ChartState[] {
  const leg = legOf(flow, role);
  const first: readonly ChartState[] =
    leg.begins === null
      ? ['ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup']
      : [leg.begins, ...(leg.registeredWith ? (['Registered'] as const) : [])];
  return chartStateCodes.filter((state) =>
    first.some((each) => each === state || (isReachable(each, state) && !isFinal(leg, each as never))),
  );
}

const plain = { tags: [], description: null, title: null, invokes: [] } as const;

function legStates({ at, flow }: DrawnBooking): ChartViewState[] {
  return rolesOf(flow).flatMap((role): ChartViewState[] => {
    const [leg, path, states] = [legOf(flow, role), `${at}.${role}`, statesOf(flow, role)];
    const [first] = states;
    return [
      { ...plain, path, kind: 'compound', initial: first ? `${path}.${first}` : null },
      ...states.map((state): ChartViewState => {
        const kind = isFinal(leg, state as never) ? 'final' : 'atomic';
        const tags = leg.done.some((each) => each === state) ? ['done'] : [];
        return { ...plain, path: `${path}.${state}`, kind, initial: null, tags };
      }),
    ];
  });
}

function legTransitions({ at, id, flow }: DrawnBooking): ChartViewTransition[] {
  return rolesOf(flow).flatMap((role) => {
    const [leg, path, states] = [legOf(flow, role), `${at}.${role}`, statesOf(flow, role)];
    return states
      .filter((from) => !isFinal(leg, from as never))
      .flatMap((from) =>
        states
          .filter((to) => to !== from && isReachable(from, to))
          .map(
            (to): ChartViewTransition => ({
              from: `${path}.${from}`,
              to: [`${path}.${to}`],
              event: `${id}.${role}.${to}`,
              guard: null,
              actions: [],
              reenters: false,
            }),
          ),
      );
  });
}
