// One command for many processes, in a workflow that goes on without whoever has started it: start, list, read, control.
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { controlBatch, retryFailed } from '../../processes/batches/control-batch.ts';
import { listBatches, readBatch } from '../../processes/batches/read-batches.ts';
import { MAX_KEYS, startBatch } from '../../processes/batches/start-batch.ts';
import { undoBatch } from '../../processes/batches/undo-batch.ts';
import { bulkRate } from '../../processes/bulk.ts';
import { bulkNames, commands } from '../../processes/commands/commands.ts';
import type { CommandContext } from '../../processes/temporal-context.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { everyFound } from '../../processes/views/found-flows.ts';
import { key, why } from '../../processes/views/process-fields.ts';
import { requireRight } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type OutcomesRouteParts, ofBatch, outcomesRoute } from './batch-outcomes-route.ts';
import { commandContextOf, type IdempotentAnswers } from './command-context.ts';
import { bodySchemaOfMany } from './commands.ts';
import { json } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { queryOf, searchOfMany } from './search.ts';

interface BatchRouteParts extends OutcomesRouteParts {
  readonly answers: IdempotentAnswers;
}

const LISTED_MS = 1_000;

const attribution = z.object({
  by: z.string(),
  onBehalfOf: z.string().exactOptional(),
  why: z.string().exactOptional(),
});

const progress = z.object({
  phase: z.enum(['running', 'paused', 'stopped', 'done', 'cancelled']),
  total: z.number().nullable().meta({ description: 'Null for a migration: it is not known before its end' }),
  done: z.number(),
  refused: z.number(),
  unknown: z.number().meta({
    description: 'No answer came, so it may have been done; the batch asks again by itself, a few times',
  }),
  stopped: z.string().exactOptional().meta({ description: 'Why a migration has stopped by itself' }),
  control: z
    .object({ what: z.enum(['pause', 'resume', 'cancel', 'retry']), who: attribution })
    .exactOptional()
    .meta({ description: 'What somebody has done to it last' }),
});

const batch = z
  .object({
    id: z.string(),
    command: z.string().meta({ description: '`migrate` for a migration' }),
    by: z.string().nullable(),
    onBehalfOf: z.string().nullable(),
    why: z.string().nullable(),
    startedAt: z.string(),
    closedAt: z.string().nullable().meta({ description: 'Null while it runs' }),
    status: progress.nullable().meta({ description: 'Null: no worker has answered' }),
    undoes: z.string().nullable().meta({ description: 'The batch that it takes back' }),
    undoneBy: z.string().nullable().meta({ description: 'The batch that takes it back' }),
    undoUntil: z
      .string()
      .nullable()
      .meta({ description: 'Until when what it did can be taken back; null: it cannot, or not any more' }),
  })
  .meta({ title: 'Batch' });

const newBatch = z.strictObject({
  command: z.enum(bulkNames as [string, ...string[]]),
  fields: z.record(z.string(), json).default({}).meta({ description: 'Those of the command, without `why`' }),
  keys: z.array(key).max(MAX_KEYS).optional().meta({ description: 'The processes: these, or `search`' }),
  search: searchOfMany.optional().meta({ description: 'All open processes that are found now' }),
  perSecond: z
    .int()
    .min(1)
    .max(bulkRate.mostOfBatch)
    .default(bulkRate.usual)
    .meta({ description: 'How many processes to begin with in a second' }),
  why: why.optional(),
});

export const batchRoutes = (given: BatchRouteParts): ApiRoute[] => [
  startRoute(given),
  ...readRoutes(given),
  outcomesRoute(given),
  ...(['pause', 'resume', 'cancel'] as const).map((what) =>
    controlRoute(given, what, what, MEANINGS[what], (commandContext, id) =>
      controlBatch(commandContext, id, what),
    ),
  ),
  controlRoute(given, 'retry-failed', 'retryFailed', MEANINGS.retryFailed, retryFailed),
  undoRoute(given),
];

const MEANINGS = {
  pause: 'Pauses a batch: processes that are under way are done to their end',
  resume: 'Lets a paused batch go on, also a migration that has stopped by itself',
  cancel: 'Cancels a batch: it acts on no further process. What is done stays',
  retryFailed:
    'Tries again what a batch could not do, once it has ended: those that were refused, and those that did not answer',
} as const;

const startRoute = ({ parts, answers }: BatchRouteParts): ApiRoute =>
  apiRoute({
    name: 'startBatch',
    method: 'POST',
    path: '/v1/batches',
    right: 'decide',
    tag: 'Processes',
    summary: 'Does one command for many processes',
    description:
      'It goes on by itself, whatever becomes of the caller. Each process is acted on once, at a pace, and one that refuses hinders no other. The batch acts only on flows on which the caller may act.',
    body: newBatch,
    bodySchema: bodySchemaOfMany(bulkNames, schemaOf(newBatch, 'input')),
    example: {
      command: 'extend',
      fields: { next: true, extendBy: 'P1D' },
      keys: ['loan-7', 'loan-8'],
      why: 'closed on Monday',
    },
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    answers: hasBegun,
    problems: [422],
    handle: async ({ body, caller, request, reply }) => {
      const by = { caller, request, why: body.why };
      const started = await answers.once(by, ['batch', body], async (id) => {
        const { command, fields, perSecond: rate } = body;
        const commandContext = commandContextOf(parts, by);
        requireRight(caller, commands[command as (typeof bulkNames)[number]].right as 'decide');
        const keys = await keysOf(parts, body);
        const batchId = await startBatch(commandContext, { command, fields, keys, rate, ...(id && { id }) });
        request.log.info({ by: caller.by, batch: batchId, command }, 'a batch was started over HTTP');
        return { id: batchId };
      });
      return begun(reply, started as Begun);
    },
  });

interface Begun {
  readonly id: string;
}

const hasBegun = {
  202: {
    description: 'It has begun',
    schema: z.object({ id: z.string() }),
    headers: { Location: 'Where it is read' },
  },
} as const;

function begun(reply: FastifyReply, { id }: Begun): Begun {
  reply.header('location', `/v1/batches/${encodeURIComponent(id)}`);
  reply.code(202);
  return { id };
}

const undoRoute = ({ parts }: BatchRouteParts): ApiRoute =>
  apiRoute({
    name: 'undoBatch',
    method: 'POST',
    path: '/v1/batches/{id}/undo',
    right: 'decide',
    tag: 'Processes',
    summary:
      'Takes back what a batch did, once it has ended: the ends that it moved are what they were before',
    description:
      'For `extend` and `shorten`, for ten minutes after its end. Another batch does it, with an outcome for each: an end that has been moved again meanwhile is refused, and stays. Asked again, it is the same batch.',
    params: ofBatch,
    body: z.strictObject({ why: why.optional() }),
    example: { why: 'it was the wrong wall' },
    headers: ['OnBehalfOf'],
    answers: hasBegun,
    problems: [404, 409],
    handle: async ({ params: { id }, body, caller, request, reply }) => {
      const started = await undoBatch(commandContextOf(parts, { caller, request, why: body.why }), id);
      request.log.info({ by: caller.by, batch: id, undo: started }, 'a batch is taken back over HTTP');
      return begun(reply, { id: started });
    },
  });

/** Those that are named, and those that are found. */
async function keysOf(
  parts: ConsoleParts,
  { keys = [], search: wanted }: z.output<typeof newBatch>,
): Promise<readonly string[]> {
  if (wanted === undefined) return keys;
  const found: string[] = [...keys];
  for await (const { workflowId } of everyFound(
    parts.client,
    queryOf({ ...wanted, state: 'open' }, parts.taskQueue),
  )) {
    found.push(workflowId);
    // It is refused, and nobody needs to know how many more there are.
    if (found.length > MAX_KEYS) break;
  }
  return found;
}

const readRoutes = ({ parts }: BatchRouteParts): ApiRoute[] => [
  apiRoute({
    name: 'listBatches',
    method: 'GET',
    path: '/v1/batches',
    right: 'read',
    tag: 'Processes',
    summary: 'Lists the batches that run, and the last ones that have ended, the newest first',
    answers: { 200: { description: 'Migrations too', schema: z.object({ batches: z.array(batch) }) } },
    handle: async () => ({ batches: await listBatches(parts) }),
    sharedMs: LISTED_MS,
  }),
  apiRoute({
    name: 'getBatch',
    method: 'GET',
    path: '/v1/batches/{id}',
    right: 'read',
    tag: 'Processes',
    summary: 'Reads where a batch is',
    params: ofBatch,
    answers: { 200: { description: 'The batch', schema: batch } },
    problems: [404],
    handle: ({ params: { id } }) => readBatch(parts, id),
    sharedMs: LISTED_MS,
  }),
];

const controlRoute = (
  { parts }: BatchRouteParts,
  path: string,
  what: string,
  summary: string,
  act: (commandContext: CommandContext, id: string) => Promise<void>,
): ApiRoute =>
  apiRoute({
    name: `${what}Batch`,
    method: 'POST',
    path: `/v1/batches/{id}/${path}`,
    right: 'decide',
    tag: 'Processes',
    summary,
    params: ofBatch,
    body: z.strictObject({ why: why.optional() }),
    example: { why: 'the wall is back' },
    headers: ['OnBehalfOf'],
    answers: { 200: { description: 'The batch', schema: batch } },
    problems: [404, 409],
    handle: async ({ params: { id }, body, caller, request }) => {
      // What changes a flow's processes to another version is for those who publish it.
      if (id.startsWith(internalIds.migration)) requireRight(caller, 'publish');
      await act(commandContextOf(parts, { caller, request, why: body.why }), id);
      request.log.info({ by: caller.by, batch: id, what }, 'a batch was controlled over HTTP');
      return await readBatch(parts, id);
    },
  });
