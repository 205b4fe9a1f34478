// The flows: which there are, what starts them, their charts, and publishing flow files.
import { z } from 'zod';
import type { ChartView } from '../../driver/chart/chart-view.ts';
import { publish } from '../../processes/commands/publish.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import { chartOf } from '../../processes/views/flow-pages.ts';
import { flowCounts, flowStatus } from '../../processes/views/flow-status.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { flowForm } from '../desk/flow-forms.ts';
import { allFlows, builtInView, deadlinesOf, delaysIn, fileView, operationOf } from '../flows/flow-charts.ts';
import { drawingOfChart } from '../process/chart-drawing.ts';
import { actingAs } from './acting.ts';
import { flowName } from './fields.ts';
import type { FlowDocument } from './flow-document.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const ofFlow = z.object({ flow: flowName });

const flowRow = z
  .object({
    flow: z.string(),
    meaning: z.string().meta({ description: 'What it is for' }),
    version: z.int().nullable().meta({ description: 'Of a published flow file; null for a built-in flow' }),
  })
  .meta({ title: 'Flow' });

const flowCounted = flowRow.extend({
  open: z
    .int()
    .optional()
    .meta({ description: 'Open processes; this and the next two only with `counts=true`' }),
  needsPerson: z.int().optional(),
  overdue: z.int().optional(),
});

const listed = z.strictObject({
  counts: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'true: count the open processes of each' }),
});

const schema = z.looseObject({}).meta({ description: 'JSON Schema 2020-12' });

const flowWithSchemas = flowRow.extend({
  start: schema.meta({ description: 'The body that starts a process of it, as JSON Schema 2020-12' }),
  result: schema.nullable().meta({ description: 'Its result; null: the flow file does not say' }),
  example: z.looseObject({}).nullable(),
  deadlines: z
    .array(z.string())
    .meta({ description: 'role.stage of those that its input takes; of a file, its delays' }),
  operation: z.string().nullable().meta({ description: 'By which a built-in flow books' }),
});

const counted = z.record(z.string(), z.int());

const version = z.object({
  definition: z
    .string()
    .nullable()
    .meta({ description: 'Like Issue@1; null: of processes that have not told it yet' }),
  version: z.int().nullable(),
  open: z.int().meta({ description: 'Open processes on it' }),
  states: counted.meta({ description: 'By outermost states, of those that were asked' }),
});

const status = z
  .object({
    flow: z.string(),
    open: z.int(),
    phases: counted,
    versions: z.array(version).meta({ description: 'The newest first' }),
    states: counted.meta({ description: 'By the paths of states, of those that were asked' }),
    asked: z.int().meta({ description: 'How many of the open ones have said where they stand' }),
  })
  .meta({ title: 'FlowStatus' });

const place = { x: z.number(), y: z.number() };
const box = { ...place, width: z.number(), height: z.number() };

export const drawing = z
  .object({
    id: z.string().meta({ description: 'Of its content' }),
    name: z.string(),
    width: z.number(),
    height: z.number(),
    letters: z.object({ size: z.number(), label: z.number() }),
    states: z.array(z.looseObject({ ...box, path: z.string(), label: z.string() })),
    lines: z.array(z.looseObject({ joins: z.string(), points: z.array(z.object(place)) })),
    beginnings: z.array(z.object(place)),
  })
  .meta({ title: 'ChartDrawing', description: 'A chart with a place for everything in it' });

const form = z.object({
  name: z.string(),
  description: z.string().nullable(),
  fields: z.array(z.looseObject({ path: z.string(), label: z.string(), kind: z.string() })),
});

/** Many processes are asked, or many queries made. */
const COUNTED_EVERY_MS = 5_000;

interface OfFlow {
  readonly params: z.output<typeof ofFlow>;
}

/** The bytes of the whole request are limited too. */
const MOST_FILES = 50;
const LONGEST_FILE = 65_536;

const files = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(200).meta({ description: 'Only names the file in errors' }),
        text: z.string().min(1).max(LONGEST_FILE).meta({ description: 'YAML or JSON' }),
      }),
    )
    .min(1)
    .max(MOST_FILES),
});

export const flowRoutes = (parts: ConsoleParts, document: FlowDocument): ApiRoute[] => [
  ...readingRoutes(parts, document),
  ...pageRoutes(parts, document),
  publishRoute(parts, document),
];

const words = { method: 'GET', right: 'read', tag: 'Flows' } as const;
const ofOne = { ...words, params: ofFlow, problems: [404] } as const;

const viewOf = async (document: FlowDocument, flow: string): Promise<ChartView> =>
  isBuiltIn(flow) ? builtInView(await chartOf(flow, 'json')) : fileView(await document.publishedAs(flow));

function readingRoutes(parts: ConsoleParts, document: FlowDocument): ApiRoute[] {
  const list = async ({ query: { counts } }: { query: z.output<typeof listed> }) => {
    const items = await allFlows(parts);
    if (!counts) return { items };
    return {
      items: await Promise.all(
        items.map(async (one) => ({ ...one, ...(await flowCounts(parts, one.flow)) })),
      ),
    };
  };
  return [
    apiRoute({
      ...{ ...words, name: 'listFlows', path: '/v1/flows', query: listed },
      summary: 'Lists the flows, built in and published',
      description: 'It can be followed.',
      answers: { 200: { description: 'All of them', schema: z.object({ items: z.array(flowCounted) }) } },
      handle: list,
      follow: { everyMs: COUNTED_EVERY_MS, read: list },
    }),
    apiRoute({
      ...{ ...ofOne, name: 'getFlow', path: '/v1/flows/{flow}' },
      summary: 'Reads a flow: what starts it, and its result, as JSON Schema',
      answers: { 200: { description: 'The flow', schema: flowWithSchemas } },
      handle: async ({ params: { flow } }) => {
        const [row, schemas] = await Promise.all([rowOf(parts, document, flow), document.schemasOf(flow)]);
        const deadlines = isBuiltIn(flow) ? deadlinesOf(flow) : delaysIn(await viewOf(document, flow));
        return { ...row, ...schemas, deadlines, operation: isBuiltIn(flow) ? operationOf(flow) : null };
      },
    }),
    apiRoute({
      ...{ ...ofOne, name: 'getFlowChart', path: '/v1/flows/{flow}/chart' },
      summary: 'Reads the chart of a flow: its states and transitions, as a process would run it now',
      answers: {
        200: {
          description: 'The chart',
          schema: z
            .looseObject({
              name: z.string(),
              states: z.array(z.looseObject({})),
              transitions: z.array(z.looseObject({})),
            })
            .meta({ title: 'Chart' }),
        },
      },
      handle: ({ params: { flow } }) => viewOf(document, flow),
    }),
  ];
}

/** As a page shows a flow: drawn, counted, and as a form. */
function pageRoutes(parts: ConsoleParts, document: FlowDocument): ApiRoute[] {
  const statusOf = async ({ params: { flow } }: OfFlow) => {
    const published = isBuiltIn(flow) ? null : (await document.publishedAs(flow)).version;
    return await flowStatus(parts, flow, published);
  };
  return [
    apiRoute({
      ...{ ...ofOne, name: 'getFlowDrawing', path: '/v1/flows/{flow}/drawing' },
      summary: 'Reads the same chart with a place for everything in it',
      answers: { 200: { description: 'The drawing', schema: drawing } },
      handle: async ({ params: { flow } }) => await drawingOfChart(await viewOf(document, flow)),
    }),
    apiRoute({
      ...{ ...ofOne, name: 'getFlowStatus', path: '/v1/flows/{flow}/status' },
      summary: 'Counts the open processes of a flow, by phase, definition and state',
      description: 'It can be followed.',
      answers: { 200: { description: 'Where they stand', schema: status } },
      handle: statusOf,
      follow: { everyMs: COUNTED_EVERY_MS, read: statusOf },
    }),
    apiRoute({
      ...{ ...ofOne, name: 'listVersions', path: '/v1/flows/{flow}/versions' },
      summary: 'Lists the versions of a flow, with the open processes on each, by state',
      answers: {
        200: { description: 'The newest first', schema: z.object({ items: z.array(version) }) },
      },
      handle: async (asked) => ({ items: (await statusOf(asked)).versions }),
    }),
    apiRoute({
      ...{ ...ofOne, name: 'getFlowForm', path: '/v1/flows/{flow}/form' },
      summary: 'Reads what starts a flow as the fields of a form',
      answers: { 200: { description: 'The fields', schema: form } },
      handle: async ({ params: { flow } }) => {
        if (!isBuiltIn(flow)) await document.publishedAs(flow);
        return await flowForm(parts, flow);
      },
    }),
  ];
}

const publishRoute = (parts: ConsoleParts, document: FlowDocument): ApiRoute =>
  apiRoute({
    ...{
      name: 'publishFlows',
      method: 'POST',
      path: '/v1/flows',
      right: 'publish',
      tag: 'Flows',
      body: files,
    },
    summary: 'Publishes flow files, all of them or none',
    description:
      'The same content again changes nothing. A process that runs keeps the version on which it began.',
    headers: ['OnBehalfOf'],
    answers: {
      200: {
        description: 'The versions that count now',
        schema: z.object({
          items: z.array(z.object({ name: z.string(), version: z.int(), isNew: z.boolean() })),
        }),
      },
    },
    handle: async ({ body, caller, request }) => {
      const items = orThrow(await publish.do(actingAs(parts, { caller, request }), null, body));
      document.changed();
      request.log.info(
        { by: caller.by, flows: items.map(({ name }) => name) },
        'flow files were published over HTTP',
      );
      return { items };
    },
  });

async function rowOf(parts: ConsoleParts, document: FlowDocument, flow: string) {
  if (!isBuiltIn(flow)) {
    const { file, version } = await document.publishedAs(flow);
    return { flow, meaning: file.meaning, version };
  }
  const all = await allFlows(parts);
  return all.find((each) => each.flow === flow) ?? { flow, meaning: '', version: null };
}
