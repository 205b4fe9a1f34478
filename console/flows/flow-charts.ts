// The chart of each flow, as a process of it would run it now: of a built-in one from docs/charts/, where `npm run docs`
// writes the charts that run; of a published flow file from the file.
import { createMachine } from 'xstate';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { type ChartView, chartView } from '../../driver/chart/chart-view.ts';
import { idleMachineOf } from '../../flow-files/machine/machine.ts';
import type { Published } from '../../flow-files/registry.ts';
import { flowPages } from '../../processes/views/flow-pages.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';

export interface FlowMeaning {
  readonly flow: string;
  readonly meaning: string;
  readonly version: number | null;
}

/** The built-in flows first, then the published ones. */
export async function allFlows(parts: ConsoleParts): Promise<FlowMeaning[]> {
  const [pages, published] = await Promise.all([
    flowPages(),
    askedTemporal(parts, () => parts.flows.published()),
  ]);
  return [
    ...flowTypes.map((flow) => ({ flow, meaning: meaningIn(pages, flow), version: null })),
    ...published.map(({ file, version }) => ({ flow: file.name, meaning: file.meaning, version })),
  ];
}

/** `role.stage` of the deadlines that its input takes; of a flow file, its delays. */
export const deadlinesOf = (flow: FlowType): string[] =>
  flow === 'OnboardAccount' ? [] : flowRules[flow].deadlines.map(({ role, stage }) => `${role}.${stage}`);

export const delaysIn = ({ transitions }: ChartView): string[] =>
  transitions.flatMap(({ from, event }) =>
    event.startsWith('after ') ? [`${from || 'the flow'}: ${event}`] : [],
  );

export const operationOf = (flow: FlowType): string =>
  flow === 'OnboardAccount' ? 'CreateOrGetAccount' : flowRules[flow].operation;

/** Its guards and actions are names in the JSON: nothing needs to be run to draw it. */
export const builtInView = (json: string): ChartView => chartView(createMachine(JSON.parse(json) as object));

export const fileView = ({ file }: Pick<Published, 'file'>): ChartView => chartView(idleMachineOf(file));

const meaningIn = (
  pages: readonly { readonly flow: string; readonly meaning: string }[],
  flow: string,
): string =>
  flow === 'OnboardAccount'
    ? 'An account is found or created.'
    : (pages.find((page) => page.flow === flow)?.meaning ?? '');
