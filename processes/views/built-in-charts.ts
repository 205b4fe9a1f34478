// The charts of the built-in flows, as their processes run them.
import { createMachine } from 'xstate';
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { type ChartView, chartView } from '../../engine/chart/chart-view.ts';
import type { ChartData } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';

export function builtInChart(flow: FlowType): ChartData {
  const chart = charts[flow];
  if (!chart) throw new TypeError(`there is no chart of ${flow}`);
  return chart;
}

/** Its guards, actions and calls are names: nothing needs to be run to draw it. */
export const viewOfChart = (chart: ChartData): ChartView => chartView(createMachine(chart as object));
