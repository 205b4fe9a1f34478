// The chart of a flow file with the legs of its bookings, and where a process stands in it.
import type { ChartView, Position } from '../../engine/chart/chart-view.ts';
import type { InlineActorView } from '../../engine/definition/views.ts';
import { type FlowFile, invokeIdOf, listOf, statesIn } from '../language/flow-file.ts';
import { BOOK, type BookingTerms, declarationOf } from './booking-state.ts';
import { type DrawnBooking, withActiveLegs, withLegs } from './leg-chart.ts';
import { bookingsIn } from './own-bookings.ts';

export const chartWithLegs = (view: ChartView, file: FlowFile): ChartView =>
  withLegs(view, drawnBookings(file));

export const positionWithLegs = (
  position: Position,
  actors: readonly InlineActorView[],
  file: FlowFile,
): Position => {
  const drawn = drawnBookings(file);
  const running = bookingsIn(actors).filter(({ isEnded }) => !isEnded);
  return withActiveLegs(
    position,
    running.flatMap(({ id, state }) => drawn.flatMap((each) => (each.id === id ? [{ ...each, state }] : []))),
  );
};

/** Where the file books. A state that has states of its own is not drawn with legs. */
function drawnBookings(file: FlowFile): DrawnBooking[] {
  return statesIn(file)
    .filter(({ state }) => !state.states)
    .flatMap(({ state, keys }) =>
      listOf(state.invoke).flatMap((invoke, index) => {
        if (invoke.src !== BOOK) return [];
        const flow = declarationOf(invoke.input as unknown as BookingTerms, file.name);
        return [{ at: keys.join('.'), id: invokeIdOf(invoke, keys, index), flow }];
      }),
    );
}
