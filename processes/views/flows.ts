// The flows, built in and published, with the open processes of each where they are counted; and one of them with its schemas.
import pLimit from 'p-limit';
import { z } from 'zod';
import type { FlowSchemas } from '../../client/flow-schemas.ts';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { deadlinesOfFile } from './file-deadlines.ts';
import { type ShownEvent, withText } from './flow-events.ts';
import { meaningOf } from './flow-meanings.ts';
import { flowNamed, publishedAs, type ShownFlow, shippedFlows } from './flow-registry.ts';
import { exampleOf, operationOf, schemasOf, startSchema } from './flow-schemas.ts';
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
  const items = [...builtInFlows(), ...published.map((each) => rowOf(publishedAs(each)))];
  if (!counts) return { items };
  const some = pLimit(COUNTED_AT_ONCE);
  const counted = items.map((row) =>
    some(async () => ({ ...row, ...(await readFlowCounts(temporal, row.flow)) })),
  );
  return { items: await Promise.all(counted) };
}

/** Without asking anybody. */
export const builtInFlows = (): FlowRow[] => shippedFlows().map(rowOf);

/** Throws FlowNotPublished. */
export async function readFlow(temporal: TemporalContext, flow: string): Promise<FlowWithSchemas> {
  const found = await flowNamed(temporal, flow);
  return describeFlow(found, await readSchedules(temporal, found.file));
}

export function describeFlow(flow: ShownFlow, schedules: readonly ShownSchedule[]): FlowWithSchemas {
  const schemas = schemasOf(flow);
  return {
    ...rowOf(flow),
    ...schemas,
    start: startSchema(flow.name, schemas.input),
    example: exampleOf(flow),
    schedules,
    starts: Object.keys(flow.file.starts ?? {}),
    events: schemas.events.map(withText),
  };
}

const rowOf = (flow: ShownFlow): FlowRow => ({
  flow: flow.name,
  title: flow.file.title ?? formatFlowName(flow.name),
  meaning: meaningOf(flow),
  // Both are published so: the version that somebody has published, and the operation of a built-in flow.
  version: flow.kind === 'published' ? flow.version : null,
  operation: flow.kind === 'shipped' ? (operationOf(flow) ?? null) : null,
  deadlines: deadlinesOfFile(flow.file),
});
