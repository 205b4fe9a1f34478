// The chart of each flow, as a process of it would run it now: of a built-in one from docs/charts/, where `npm run docs`
// writes the charts that run; of a published flow file from the file.
import { createMachine } from 'xstate';
import { type ChartView, chartView } from '../../driver/chart/chart-view.ts';
import { idleMachineOf } from '../../flow-files/machine/machine.ts';
import type { Published } from '../../flow-files/registry.ts';

/** Its guards and actions are names in the JSON: nothing needs to be run to draw it. */
export const builtInView = (json: string): ChartView => chartView(createMachine(JSON.parse(json) as object));

export const fileView = ({ file }: Pick<Published, 'file'>): ChartView => chartView(idleMachineOf(file));
