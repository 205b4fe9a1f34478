// The files under docs/charts/: the chart of each flow as it runs, in each form that `lockerflow flows --chart` prints, and
// the outline of the demo's flow for the README.

import { mermaid } from '../../client/command-line/drawing/mermaid.ts';
import { svg } from '../../client/command-line/drawing/svg.ts';
import type { ChartData } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';
import { drawingOf } from './chart-drawing.ts';
import { outline } from './outline.ts';

const forms: Readonly<Record<string, (chart: ChartData) => string | Promise<string>>> = {
  json: (chart) => `${JSON.stringify(chart, null, 1)}\n`,
  mermaid: (chart) => `${mermaid(drawingOf(chart))}\n`,
  svg: (chart) => svg(drawingOf(chart)),
};

/** By path, `<form>/<flow>.<form>` and `outline.svg`. */
export async function chartFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [form, written] of Object.entries(forms))
    for (const [flow, chart] of Object.entries(charts))
      files.set(`${form}/${flow}.${form}`, await written(chart));
  const { IssueFromStockAndSubsequentIntakeAndCircularStock: demo } = charts;
  if (demo) files.set('outline.svg', await svg(drawingOf(outline(demo))));
  return files;
}
