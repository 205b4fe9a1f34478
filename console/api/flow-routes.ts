// The flows: which there are, what starts them, their charts, and publishing flow files.

import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { publish, publishVersion } from '../../processes/commands/publish.ts';
import { scheduleCommands } from '../../processes/commands/schedule.ts';
import { orThrow } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { chartOf } from '../../processes/views/flow-registry.ts';
import { flowStatus, readFlowStatus } from '../../processes/views/flow-status.ts';
import { flowList, flowWithSchemas, readFlow, readFlows } from '../../processes/views/flows.ts';
import { flowName, why } from '../../processes/views/process-fields.ts';
import { schedule } from '../../processes/views/schedules.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { flowForm } from '../desk/flow-forms.ts';
import { chartSvg } from '../process/chart-drawing.ts';
import { commandContextOf, type IdempotentAnswers } from './command-context.ts';
import { flag } from './fields.ts';
import type { FlowDocument } from './flow-document.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const ofFlow = z.object({ flow: flowName });

const listed = z.strictObject({ counts: flag('false', 'true: count the open processes of each') });

export const svgAnswer = {
  200: { description: 'The picture', schema: z.string(), mediaType: 'image/svg+xml' },
} as const;

/** Opened by itself, it has styles of its own, and nothing else. */
export const sendSvg = (reply: FastifyReply, svg: string): string => {
  reply
    .type('image/svg+xml; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  return svg;
};

const form = z.object({
  name: z.string(),
  description: z.string().nullable(),
  fields: z.array(z.looseObject({ path: z.string(), label: z.string(), kind: z.string() })),
});

/** Many queries are made. */
const COUNTED_MS = 5_000;

interface OfFlow {
  readonly params: z.output<typeof ofFlow>;
}

/** The bytes of the whole request are limited too. */
const MAX_FILES = 50;
const LONGEST_FILE = 65_536;

const files = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: z.string().min(1).max(200).meta({ description: 'Names the file in errors' }),
        text: z.string().min(1).max(LONGEST_FILE).meta({ description: 'YAML or JSON' }),
      }),
    )
    .min(1)
    .max(MAX_FILES),
});

export const flowRoutes = (
  parts: ConsoleParts,
  document: FlowDocument,
  answers: IdempotentAnswers,
): ApiRoute[] => [
  ...readingRoutes(parts, document),
  ...pageRoutes(parts, document),
  publishRoute(parts),
  publishVersionRoute(parts),
  ...(['pause', 'resume'] as const).map((name) => pauseRoute(parts, document, answers, name)),
  runRoute(parts, document, answers),
];

const routeDefaults = { method: 'GET', right: 'read', tag: 'Flows' } as const;
const ofOne = { ...routeDefaults, params: ofFlow, problems: [404] } as const;

function readingRoutes(parts: ConsoleParts, document: FlowDocument): ApiRoute[] {
  return [
    apiRoute({
      ...routeDefaults,
      name: 'listFlows',
      path: '/v1/flows',
      query: listed,
      summary: 'Lists the flows, built in and published',
      answers: { 200: { description: 'All of them', schema: flowList } },
      handle: ({ query: { counts }, request }) => {
        const read = () => callTemporal(parts, () => readFlows(parts, { counts }));
        return counts ? parts.shared.of(request.url, COUNTED_MS, read) : read();
      },
    }),
    apiRoute({
      ...ofOne,
      name: 'getFlow',
      path: '/v1/flows/{flow}',
      summary: 'Reads a flow: what starts it, the events that it takes, and its result, as JSON Schema',
      answers: { 200: { description: 'The flow', schema: flowWithSchemas } },
      handle: ({ params: { flow } }) => document.read(() => readFlow(parts, flow)),
    }),
    apiRoute({
      ...ofOne,
      name: 'getFlowChart',
      path: '/v1/flows/{flow}/chart',
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
      handle: async ({ params: { flow } }) => chartOf(await document.flowNamed(flow)),
    }),
  ];
}

/** As a page shows a flow: drawn, counted, and as a form. */
function pageRoutes(parts: ConsoleParts, document: FlowDocument): ApiRoute[] {
  const statusOf = async ({ params: { flow } }: OfFlow) => {
    const found = await document.flowNamed(flow);
    return await callTemporal(parts, () => readFlowStatus(parts, found));
  };
  return [
    apiRoute({
      ...ofOne,
      name: 'getFlowPicture',
      path: '/v1/flows/{flow}/chart.svg',
      summary: 'Draws the same chart',
      answers: svgAnswer,
      handle: async ({ params: { flow }, reply }) =>
        sendSvg(reply, await chartSvg(chartOf(await document.flowNamed(flow)))),
    }),
    apiRoute({
      ...ofOne,
      name: 'getFlowStatus',
      path: '/v1/flows/{flow}/status',
      summary: 'Counts the open processes of a flow, by phase and definition',
      answers: { 200: { description: 'Where they stand', schema: flowStatus } },
      handle: statusOf,
      sharedMs: COUNTED_MS,
    }),
    apiRoute({
      ...ofOne,
      name: 'getFlowForm',
      path: '/v1/flows/{flow}/form',
      summary: 'Reads what starts a flow as the fields of a form',
      answers: { 200: { description: 'The fields', schema: form } },
      handle: async ({ params: { flow } }) =>
        flowForm(await document.flowNamed(flow), await isClockAhead(parts)),
    }),
  ];
}

/** A service that does not answer now is not known to be in a sandbox. */
const isClockAhead = async ({ serviceClock }: ConsoleParts): Promise<boolean> =>
  ((await serviceClock.aheadMs().catch(() => null)) ?? 0) > 0;

const publishedNow = z.object({
  name: z.string(),
  version: z.int(),
  isNew: z.boolean(),
  insteadOf: z
    .int()
    .exactOptional()
    .describe('A former version is the current one again: the version that was it until then'),
  stay: z
    .array(z.object({ version: z.int(), open: z.int() }))
    .describe('Open processes on other versions: they stay there until they are migrated'),
});

const publishRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'publishFlows',
    method: 'POST',
    path: '/v1/flows',
    right: 'publish',
    tag: 'Flows',
    body: files,
    summary: 'Publishes flow files, all of them or none',
    description:
      'The same content again changes nothing, and that of a former version makes it the current one again. A process that runs keeps the version on which it began.',
    headers: ['OnBehalfOf'],
    answers: {
      200: {
        description: 'The versions that count now',
        schema: z.object({
          items: z.array(publishedNow),
        }),
      },
    },
    handle: async ({ body, caller, request }) => {
      const items = orThrow(await publish.do(commandContextOf(parts, { caller, request }), null, body));
      request.log.info(
        { by: caller.by, flows: items.map(({ name }) => name) },
        'flow files were published over HTTP',
      );
      return { items };
    },
  });

const ofSchedule = ofFlow.extend({
  schedule: z.string().min(1).max(64).meta({ description: 'Its name in the file, such as monthly' }),
});

const toSchedule = {
  method: 'POST',
  tag: 'Flows',
  params: ofSchedule,
  headers: ['IdempotencyKey', 'OnBehalfOf'],
  problems: [404, 409, 422],
} as const;

const PAUSING = {
  pause: {
    summary: 'Pauses a schedule of a flow file: it starts nothing until it is resumed',
    example: { why: 'the desk is closed' },
  },
  resume: {
    summary: 'Resumes a schedule of a flow file: it starts processes at its times again',
    example: { why: 'the desk is open again' },
  },
} as const;

const pauseRoute = (
  parts: ConsoleParts,
  document: FlowDocument,
  answers: IdempotentAnswers,
  name: 'pause' | 'resume',
): ApiRoute =>
  apiRoute({
    ...toSchedule,
    ...PAUSING[name],
    name: `${name}Schedule`,
    path: `/v1/flows/{flow}/schedules/{schedule}/${name}`,
    right: 'publish',
    body: z.strictObject({ why }),
    description: 'The schedule keeps who did it, and why. Publishing the file changes nothing of it.',
    answers: { 200: { description: 'The schedule as it is now', schema: schedule } },
    handle: async ({ params, body, caller, request }) => {
      await document.flowNamed(params.flow);
      const by = { caller, request, why: body.why };
      return await answers.once(by, [name, params, body], async () => {
        const now = orThrow(await scheduleCommands[name].do(commandContextOf(parts, by), params, {}));
        request.log.info({ by: caller.by, ...params, command: name }, 'a schedule was changed over HTTP');
        return now;
      });
    },
  });

const runRoute = (parts: ConsoleParts, document: FlowDocument, answers: IdempotentAnswers): ApiRoute =>
  apiRoute({
    ...toSchedule,
    name: 'runSchedule',
    path: '/v1/flows/{flow}/schedules/{schedule}/run',
    right: 'start',
    body: z.strictObject({ why: why.optional() }),
    example: { why: 'the list is wanted today' },
    summary: 'Starts a process of a schedule now, beside its times',
    description: 'Also while it is paused.',
    answers: {
      200: { description: 'It is started', schema: z.object({ flow: z.string(), key: z.string() }) },
    },
    handle: async ({ params, body, caller, request }) => {
      await document.flowNamed(params.flow);
      const by = { caller, request, why: body.why };
      return await answers.once(by, ['run', params, body], async () => {
        const { flow, workflowId: key } = orThrow(
          await scheduleCommands.run.do(commandContextOf(parts, by), params, {}),
        );
        request.log.info({ by: caller.by, ...params, key }, 'a schedule was run over HTTP');
        return { flow, key };
      });
    },
  });

const publishVersionRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    name: 'publishVersion',
    method: 'POST',
    path: '/v1/flows/{flow}/current',
    right: 'publish',
    tag: 'Flows',
    params: ofFlow,
    body: publishVersion.input,
    summary: 'Takes back what was published since a version: new processes begin on it again',
    description: 'A process that runs keeps the version on which it began.',
    headers: ['OnBehalfOf'],
    answers: { 200: { description: 'The version that counts now', schema: publishedNow } },
    handle: async ({ params: { flow }, body, caller, request }) => {
      const done = orThrow(await publishVersion.do(commandContextOf(parts, { caller, request }), flow, body));
      request.log.info(
        { by: caller.by, flow, version: done.version },
        'a version was published again over HTTP',
      );
      return done;
    },
  });
