// The flows, built in and published, with the open processes of each where they are counted; and one of them with its schemas.
import pLimit from 'p-limit';
import { z } from 'zod';
import { type FlowSchemas, schemasOfBuiltIn, schemasOfFile } from '../../client/flow-schemas.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import type { Published } from '../../flows/language/registry.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { deadlinesOfFile } from './file-deadlines.ts';
import { type ShownEvent, withText } from './flow-events.ts';
import { flowMeaning } from './flow-meanings.ts';
import { flowNamed } from './flow-registry.ts';
import { documentedBuiltIn, documentedFile, startSchema } from './flow-schemas.ts';
import { flowCounts, readFlowCounts } from './flow-status.ts';
import { formatFlowName } from './format-names.ts';
import { readSchedules, type ShownSchedule, schedule } from './schedules.ts';

export interface FlowWithSchemas extends FlowRow, FlowSchemas {
  readonly events: readonly ShownEvent[];
  /** The body that starts a process over HTTP: the input, with the flow and the key beside it. */
  readonly start: JsonSchema;
  /** A body that is valid by `start`. */
  readonly example: Readonly<Record<string, unknown>> | null;
  /** Of a published file: when processes of it start by themselves. */
  readonly schedules: readonly ShownSchedule[];
  /** The types of events that start one. */
  readonly starts: readonly string[];
}

const flowRow = z
  .object({
    flow: z.string(),
    title: z
      .string()
      .meta({ description: 'For people: `Issue from stock`, or the title that the flow file gives it' }),
    meaning: z.string().meta({ description: 'What it is for' }),
    version: z.int().nullable().meta({ description: 'Of a published flow file; null for a built-in flow' }),
    operation: z.string().nullable().meta({ description: 'By which a built-in flow books' }),
    deadlines: z.array(z.string()).meta({
      description:
        'role.stage of those that its input takes; of a file, its timers by name and the deadlines of its bookings, with their lengths',
    }),
  })
  .meta({ title: 'Flow' });

/** With the numbers only where they are counted. */
const countedFlow = flowRow.extend(flowCounts.partial().shape);
export type FlowRow = Readonly<z.infer<typeof countedFlow>>;

export const flowList = z.object({ items: z.array(countedFlow) });
export type FlowList = Readonly<z.infer<typeof flowList>>;

const schema = z.looseObject({}).meta({ description: 'JSON Schema 2020-12' });

const event = z.object({
  type: z.string().meta({ description: 'It may end with a wildcard, as `order.*`' }),
  description: z.string().nullable(),
  data: schema.nullable().meta({
    description: 'What its data must be, as JSON Schema 2020-12; null: the flow file does not say',
  }),
  starts: z.boolean().meta({ description: 'Whether it starts a process' }),
  text: z.string().meta({ description: 'The same for people' }),
});

export const flowWithSchemas = flowRow.extend({
  start: schema.meta({ description: 'The body that starts a process of it, as JSON Schema 2020-12' }),
  input: schema.meta({ description: 'The one argument of the workflow, for programs with a Temporal SDK' }),
  result: schema.nullable().meta({ description: 'Its result; null: the flow file does not say' }),
  example: z.looseObject({}).nullable(),
  schedules: z
    .array(schedule)
    .meta({ description: 'When processes of a published flow file start by themselves' }),
  starts: z.array(z.string()).meta({ description: 'The types of events that start one' }),
  events: z.array(event).meta({
    description: 'The events from outside that processes of a published flow file take, or are started by',
  }),
});

/** Few: Temporal's search answers few questions a second, and refuses the others for a while. */
const COUNTED_AT_ONCE = 4;

/** The built-in ones first. */
export async function readFlows(
  temporal: TemporalContext,
  { counts = false }: { readonly counts?: boolean } = {},
): Promise<FlowList> {
  const published = await temporal.flows.published();
  const items = [...builtInFlows(), ...published.map((each) => fileRow(each))];
  if (!counts) return { items };
  const some = pLimit(COUNTED_AT_ONCE);
  const counted = items.map((row) =>
    some(async () => ({ ...row, ...(await readFlowCounts(temporal, row.flow)) })),
  );
  return { items: await Promise.all(counted) };
}

/** Without asking anybody. */
export const builtInFlows = (): FlowRow[] => flowTypes.map(builtInRow);

/** Throws FlowNotPublished. */
export async function readFlow(temporal: TemporalContext, flow: string): Promise<FlowWithSchemas> {
  const found = await flowNamed(temporal, flow);
  if (found.kind === 'shipped') return builtInFlow(found.name);
  return flowOfFile(found, await readSchedules(temporal, found.file));
}

export function builtInFlow(flow: FlowType): FlowWithSchemas {
  const schemas = schemasOfBuiltIn(flow);
  const { example } = documentedBuiltIn(flow);
  return {
    ...builtInRow(flow),
    ...schemas,
    start: startSchema(flow, schemas.input),
    example,
    schedules: [],
    starts: [],
    events: [],
  };
}

export function flowOfFile(given: FileGiven, schedules: readonly ShownSchedule[]): FlowWithSchemas {
  const schemas = schemasOfFile(given.file);
  const { example } = documentedFile(given.file);
  const start = startSchema(given.file.name, schemas.input);
  return {
    ...fileRow(given),
    ...schemas,
    start,
    example,
    schedules,
    starts: Object.keys(given.file.starts ?? {}),
    events: schemas.events.map(withText),
  };
}

/** A file without a version is not published. */
type FileGiven = Pick<Published, 'file'> & { readonly version?: number | null };

const fileRow = ({ file, version = null }: FileGiven): FlowRow => ({
  flow: file.name,
  title: file.title ?? formatFlowName(file.name),
  meaning: file.meaning,
  version,
  operation: null,
  deadlines: deadlinesOfFile(file),
});

function builtInRow(flow: FlowType): FlowRow {
  const row = { flow, title: formatFlowName(flow), meaning: flowMeaning(flow), version: null };
  if (flow === 'OnboardAccount') return { ...row, operation: 'CreateOrGetAccount', deadlines: [] };
  const { operation, deadlines } = flowRules[flow];
  return { ...row, operation, deadlines: deadlines.map(({ role, stage }) => `${role}.${stage}`) };
}
