// The charts of the built-in flows for the docs: the pictures under docs/charts/ are outlines of what their processes show.

import type { FlowType } from '../contract/flows/flow-types.ts';
import { flowTypes } from '../contract/flows/flow-types.ts';
import { type ChartState, isOneStep } from '../contract/machines/chart.ts';
import type { ChartView, ChartViewTransition } from '../engine/chart/chart-view.ts';
import { type Drawing, drawingOf } from '../engine/chart/drawing.ts';
import { svg } from '../engine/chart/svg.ts';
import { chartOf, shippedFlow } from '../processes/views/flow-registry.ts';

export const drawingOfFlow = (flow: FlowType): Drawing => drawingOf(chartOf(shippedFlow(flow)));

/** By name, `<flow>.svg`. */
export async function chartFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const flow of flowTypes)
    files.set(`${flow}.svg`, await svg(drawingOf(outline(chartOf(shippedFlow(flow))))));
  return files;
}

/** For each leg, the states that it goes through by itself: without those that are skipped, or reached by cancelling. */
export function outline(chart: ChartView): ChartView {
  const legs = chart.states.filter(({ path, kind }) => kind === 'compound' && path.includes('.'));
  const isInLeg = (path: string) => legs.some((leg) => path.startsWith(`${leg.path}.`));
  const transitions = chart.transitions.filter((each) => !isInLeg(each.from) || isNext(each));
  const reached = new Set([...legs.map(({ initial }) => initial), ...transitions.flatMap(({ to }) => to)]);
  const states = chart.states.filter(({ path }) => !isInLeg(path) || reached.has(path));
  const isShown = (path: string) => states.some((state) => state.path === path);
  return { ...chart, states, transitions: transitions.filter(({ from }) => isShown(from)) };
}

const isNext = ({ from, to: [target = ''] }: ChartViewTransition): boolean => {
  const [before, after] = [from, target].map((path) => path.slice(path.lastIndexOf('.') + 1));
  return after !== 'Cancelled' && isOneStep(before as ChartState, after as ChartState);
};
