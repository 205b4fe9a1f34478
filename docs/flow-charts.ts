// The charts of the built-in flows for the docs: the files under docs/charts/ have the chart as it runs, in each form that
// `lockerflow flows --chart` prints; pages that people read have its outline.
import { createMachine } from 'xstate';
import { chartView } from '../driver/chart/chart-view.ts';
import { type Drawing, drawingOf } from '../driver/chart/drawing.ts';
import { mermaid } from '../driver/chart/mermaid.ts';
import { svg } from '../driver/chart/svg.ts';
import type { ChartData, StateData, TransitionData, TransitionsData } from '../workflows/chart-data.ts';
import { charts } from '../workflows/charts.ts';

/** Guards, actions and calls are names in the chart's data: nothing has to be run to draw it. */
export const drawingOfFlow = (chart: ChartData): Drawing =>
  drawingOf(chartView(createMachine(chart as object)));

const forms: Readonly<Record<string, (chart: ChartData) => string | Promise<string>>> = {
  json: (chart) => `${JSON.stringify(chart, null, 1)}\n`,
  mermaid: (chart) => `${mermaid(drawingOfFlow(chart))}\n`,
  svg: (chart) => svg(drawingOfFlow(chart)),
};

/** By path, `<form>/<flow>.<form>`; and the outline of the demo's flow, for the README. */
export async function chartFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [form, written] of Object.entries(forms))
    for (const [flow, chart] of Object.entries(charts))
      files.set(`${form}/${flow}.${form}`, await written(chart));
  const { IssueFromStockAndSubsequentIntakeAndCircularStock: demo } = charts;
  if (demo) files.set('outline.svg', await svg(drawingOfFlow(outline(demo))));
  return files;
}

/**
 * Of each leg the states that it goes through by itself, and the way of the flow from its booking to its end. Each arrow in
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
  const legs = Object.entries(states).filter(([, { meta }]) => meta?.begins !== undefined);
  return { ...rest, states: Object.fromEntries(legs.map(([role, leg]) => [role, outlineOfLeg(role, leg)])) };
}

function outlineOfLeg(role: string, leg: StateData): StateData {
  const begins = leg.meta?.begins as readonly string[];
  const states = leg.states ?? {};
  const found = begins.map((state) => [`${role}.found.${state}`, state]);
  const kept: Record<string, StateData> = { RoleUnknown: { on: Object.fromEntries(found) } };
  const open = [...begins];
  for (let name = open.shift(); name; name = open.shift()) {
    const state = states[name];
    if (!state || kept[name]) continue;
    const { on = {}, ...rest } = state;
    const next = Object.entries(on).filter(([, way]) => isNext(way));
    kept[name] = { ...rest, ...(next.length > 0 ? { on: Object.fromEntries(next) } : {}) };
    open.push(...next.map(([, way]) => (way as TransitionData).target ?? ''));
  }
  return { initial: leg.initial ?? 'RoleUnknown', states: kept };
}

/** One step further; a cancellation is possible everywhere and not drawn. */
function isNext(way: TransitionsData): boolean {
  const { target, actions } = way as TransitionData;
  return target !== 'Cancelled' && JSON.stringify(actions) === NEXT;
}

const NEXT = JSON.stringify({ type: 'advance', params: { verdict: 'next' } });
