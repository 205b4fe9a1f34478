// Reads the pages of each flow: docs/flows.md and the charts under docs/charts/, because the client does not import
// workflows. They are generated from the flows and the charts that run; tests keep them current.
import { readFile } from 'node:fs/promises';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { Refusal } from '../outcome.ts';

export interface FlowPage {
  readonly flow: string;
  readonly meaning: string;
}

export const chartForms = ['json', 'mermaid', 'svg'] as const;
export type ChartForm = (typeof chartForms)[number];

const docs = new URL('../../docs/', import.meta.url);

export async function flowPages(): Promise<FlowPage[]> {
  const text = await read('flows.md');
  return Object.keys(flowRules).map((flow) => {
    const [, meaning] = new RegExp(`^## ${flow}\\n\\n([^\\n]+)\\n`, 'm').exec(text) ?? [];
    if (!meaning)
      throw new Refusal(
        'failed',
        'NoPage',
        `docs/flows.md does not say what ${flow} is for; run npm run docs, or install the package again`,
      );
    return { flow, meaning };
  });
}

/** As it runs. */
export async function chartOf(flow: string, form: ChartForm): Promise<string> {
  return (await read(`charts/${form}/${flow}.${form}`)).trimEnd();
}

async function read(path: string): Promise<string> {
  const file = new URL(path, docs);
  return await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Refusal('failed', 'NoPage', `${file.pathname} cannot be read; npm run docs writes it`, {
      cause,
    });
  });
}
