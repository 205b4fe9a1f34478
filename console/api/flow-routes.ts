// The flows: which there are, what starts them, their charts, and publishing flow files.
import { z } from 'zod';
import { publish } from '../../processes/commands/publish.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import { chartOf } from '../../processes/views/flow-pages.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { allFlows, builtInView, fileView } from '../flows/flow-charts.ts';
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

const schema = z.looseObject({}).meta({ description: 'JSON Schema 2020-12' });

const flowWithSchemas = flowRow.extend({
  start: schema.meta({ description: 'The body that starts a process of it, as JSON Schema 2020-12' }),
  result: schema.nullable().meta({ description: 'Its result; null: the flow file does not say' }),
  example: z.looseObject({}).nullable(),
});

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
  publishRoute(parts, document),
];

const readingRoutes = (parts: ConsoleParts, document: FlowDocument): ApiRoute[] => [
  apiRoute({
    ...{ name: 'listFlows', method: 'GET', path: '/v1/flows', right: 'read', tag: 'Flows' },
    summary: 'Lists the flows, built in and published',
    answers: { 200: { description: 'All of them', schema: z.object({ items: z.array(flowRow) }) } },
    handle: async () => ({ items: await allFlows(parts) }),
  }),
  apiRoute({
    ...{
      name: 'getFlow',
      method: 'GET',
      path: '/v1/flows/{flow}',
      right: 'read',
      tag: 'Flows',
      params: ofFlow,
    },
    summary: 'Reads a flow: what starts it, and its result, as JSON Schema',
    answers: { 200: { description: 'The flow', schema: flowWithSchemas } },
    problems: [404],
    handle: async ({ params: { flow } }) => {
      const [row, schemas] = await Promise.all([rowOf(parts, document, flow), document.schemasOf(flow)]);
      return { ...row, ...schemas };
    },
  }),
  apiRoute({
    ...{ name: 'getFlowChart', method: 'GET', path: '/v1/flows/{flow}/chart', right: 'read', tag: 'Flows' },
    params: ofFlow,
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
    problems: [404],
    handle: async ({ params: { flow } }) => {
      if (isBuiltIn(flow)) return builtInView(await chartOf(flow, 'json'));
      return fileView(await document.publishedAs(flow));
    },
  }),
];

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
