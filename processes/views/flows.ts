// The flows, built in and published, with the open processes of each where they are counted; and one of them with its schemas.
import pLimit from 'p-limit';
import { z } from 'zod';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { chartView } from '../../driver/chart/chart-view.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { idleMachineOf } from '../../flow-files/machine/machine.ts';
import type { Published } from '../../flow-files/registry.ts';
import type { AtTemporal } from '../at-temporal.ts';
import { isBuiltIn } from '../commands/start.ts';
import { type FlowPage, flowPages } from './flow-pages.ts';
import { type FlowSchemas, schemasOfBuiltIn, schemasOfFile } from './flow-schemas.ts';
import { type FlowCounts, flowCounts } from './flow-status.ts';

export interface FlowRow extends Partial<FlowCounts> {
  readonly flow: string;
  readonly meaning: string;
  /** The version of a published flow file; null for a built-in flow, and for a file that is not published. */
  readonly version: number | null;
  /** By which a built-in flow books. */
  readonly operation: string | null;
  /** `role.stage` of the deadlines that its input takes; of a flow file, its delays. */
  readonly deadlines: readonly string[];
}

export interface FlowList {
  readonly items: readonly FlowRow[];
}

export interface FlowWithSchemas extends FlowRow, Pick<FlowSchemas, 'start' | 'result' | 'example'> {}

const flowRow = z
  .object({
    flow: z.string(),
    meaning: z.string().meta({ description: 'What it is for' }),
    version: z.int().nullable().meta({ description: 'Of a published flow file; null for a built-in flow' }),
    operation: z.string().nullable().meta({ description: 'By which a built-in flow books' }),
    deadlines: z
      .array(z.string())
      .meta({ description: 'role.stage of those that its input takes; of a file, its delays' }),
  })
  .meta({ title: 'Flow' });

export const flowList = z.object({
  items: z.array(
    flowRow.extend({
      open: z
        .int()
        .optional()
        .meta({ description: 'Open processes; this and the next two only where they are counted' }),
      needsPerson: z.int().optional(),
      overdue: z.int().optional(),
    }),
  ),
});

const schema = z.looseObject({}).meta({ description: 'JSON Schema 2020-12' });

export const flowWithSchemas = flowRow.extend({
  start: schema.meta({ description: 'The body that starts a process of it, as JSON Schema 2020-12' }),
  result: schema.nullable().meta({ description: 'Its result; null: the flow file does not say' }),
  example: z.looseObject({}).nullable(),
});

/** Each count has its own time: with hundreds of flows, all at once would wait for each other. */
const COUNTED_AT_ONCE = 12;

/** The built-in ones first. */
export async function readFlows(
  temporal: AtTemporal,
  { counts = false }: { readonly counts?: boolean } = {},
): Promise<FlowList> {
  const [builtIn, published] = await Promise.all([builtInFlows(), temporal.flows.published()]);
  const items = [...builtIn, ...published.map(fileRow)];
  if (!counts) return { items };
  const some = pLimit(COUNTED_AT_ONCE);
  const counted = items.map((row) =>
    some(async () => ({ ...row, ...(await flowCounts(temporal, row.flow)) })),
  );
  return { items: await Promise.all(counted) };
}

/** Without asking anybody. */
export async function builtInFlows(): Promise<FlowRow[]> {
  const pages = await flowPages();
  return flowTypes.map((flow) => builtInRow(flow, pages));
}

/** Throws FlowNotPublished. */
export async function readFlow(temporal: AtTemporal, flow: string): Promise<FlowWithSchemas> {
  if (!isBuiltIn(flow)) return flowOfFile(await temporal.flows.publishedAs(flow));
  return await builtInFlow(flow);
}

export async function builtInFlow(flow: FlowType): Promise<FlowWithSchemas> {
  const { start, result, example } = schemasOfBuiltIn(flow);
  return { ...builtInRow(flow, await flowPages()), start, result, example };
}

export function flowOfFile(given: FileGiven): FlowWithSchemas {
  const { start, result, example } = schemasOfFile(given.file);
  return { ...fileRow(given), start, result, example };
}

/** A file without a version is not published. */
type FileGiven = Pick<Published, 'file'> & Partial<Pick<Published, 'version'>>;

const fileRow = ({
  file,
  version = null,
}: Pick<FileGiven, 'file'> & { readonly version?: number | null }): FlowRow => ({
  ...{ flow: file.name, meaning: file.meaning, version, operation: null, deadlines: delaysIn(file) },
});

function delaysIn(file: FlowFile): string[] {
  const { transitions } = chartView(idleMachineOf(file));
  return transitions.flatMap(({ from, event }) =>
    event.startsWith('after ') ? [`${from || 'the flow'}: ${event}`] : [],
  );
}

function builtInRow(flow: FlowType, pages: readonly FlowPage[]): FlowRow {
  const row = { flow, version: null };
  if (flow === 'OnboardAccount')
    return {
      ...{ ...row, meaning: 'An account is found or created.' },
      ...{ operation: 'CreateOrGetAccount', deadlines: [] },
    };
  const { operation, deadlines } = flowRules[flow];
  const meaning = pages.find((page) => page.flow === flow)?.meaning ?? '';
  return { ...row, meaning, operation, deadlines: deadlines.map(({ role, stage }) => `${role}.${stage}`) };
}
