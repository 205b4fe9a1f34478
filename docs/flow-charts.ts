// The charts of the built-in flows for the docs: the pictures under docs/charts/ have the outline of the chart that runs.

import { type ChartState, isOneStep } from '../contract/machines/chart.ts';
import { type Drawing, drawingOf } from '../engine/chart/drawing.ts';
import { svg } from '../engine/chart/svg.ts';
import { viewOfChart } from '../processes/views/built-in-charts.ts';
import type { ChartData, StateData } from '../workflows/chart-data.ts';
import { charts } from '../workflows/charts.ts';

export const drawingOfFlow = (chart: ChartData): Drawing => drawingOf(viewOfChart(chart));

/** By name, `<flow>.svg`. */
export async function chartFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [flow, chart] of Object.entries(charts))
    files.set(`${flow}.svg`, await svg(drawingOfFlow(outline(chart))));
  return files;
}

/**
 * For each leg, the states that it goes through by itself, and the way of the flow from its booking to its end. Each arrow in
 * it is one of the chart's. It leaves out states that are skipped, corrected or cancelled, and changes of a receiver.
 */
export function outline(chart: ChartData): ChartData {
  const { following, undoing, ...others } = chart.states ?? {};
  if (!following || !undoing?.onDone) return chart;
  const { on: _, ...withoutMessages } = chart;
  const states = { ...others, following: outlineOfLegs(following), undoing: { onDone: undoing.onDone } };
  return { ...withoutMessages, states } as ChartData;
}

function outlineOfLegs(following: StateData): StateData {
  const { on: _, states = {}, ...rest } = following;
  const legs = Object.entries(states).filter(([, { initial }]) => initial === 'RoleUnknown');
  return { ...rest, states: Object.fromEntries(legs.map(([role, leg]) => [role, outlineOfLeg(leg)])) };
}

function outlineOfLeg({ states = {} }: StateData): StateData {
  const kept: Record<string, StateData> = {};
  const open = ['RoleUnknown'];
  for (let name = open.shift(); name; name = open.shift()) {
    const state = states[name];
    if (!state || kept[name]) continue;
    const { on = {}, ...rest } = state;
    const next = Object.entries(on).filter(([, target]) => isNext(name, String(target)));
    kept[name] = { ...rest, ...(next.length > 0 ? { on: Object.fromEntries(next) } : {}) };
    open.push(...next.map(([, target]) => String(target)));
  }
  return { initial: 'RoleUnknown', states: kept };
}

/** One step further; a cancellation is possible everywhere and not drawn. */
const isNext = (from: string, to: string): boolean =>
  from === 'RoleUnknown' || (to !== 'Cancelled' && isOneStep(from as ChartState, to as ChartState));
