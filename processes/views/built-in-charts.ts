// The charts of the built-in flows, as their processes show them.
import { createMachine } from 'xstate';
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { type ChartView, chartView } from '../../engine/chart/chart-view.ts';
import { chartWithLegs } from '../../flows/booking/drawn-bookings.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../flows/language/machine/machine.ts';
import type { ChartData } from '../../workflows/chart-data.ts';
import { charts, shippedFiles } from '../../workflows/charts.ts';

/** Undefined: it is no flow file. */
export const builtInFile = (flow: FlowType): FlowFile | undefined => shippedFiles[flow];

/** What the flow is declared as. */
export function builtInDeclaration(flow: FlowType): FlowFile | ChartData {
  const declared = builtInFile(flow) ?? charts[flow];
  if (!declared) throw new TypeError(`there is no chart of ${flow}`);
  return declared;
}

export function builtInChart(flow: FlowType): ChartView {
  const file = builtInFile(flow);
  if (file) return chartWithLegs(chartView(idleMachineOf(file)), file);
  // Its guards, actions and calls are names: nothing needs to be run to draw it.
  return chartView(createMachine(builtInDeclaration(flow) as object));
}
