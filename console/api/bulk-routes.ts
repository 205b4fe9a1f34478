// One command for many processes: a resource of its own, with an outcome for each. It goes at a rate, can be stopped, and is
// held to the same rights as the command for one. A console forgets it when it ends: what was done is in the processes.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { shortened } from '../../contract/wire/format-issue.ts';
import type { Acting } from '../../processes/at-temporal.ts';
import { bulkRate, doAll, previewAll } from '../../processes/bulk.ts';
import { bulkNames, commands } from '../../processes/commands/commands.ts';
import { wrongInput } from '../../processes/outcome.ts';
import { schemaOf } from '../../processes/views/flow-schemas.ts';
import { key } from '../../processes/views/process-fields.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type BulkOutcome, type bulkStates, shownBulk } from '../processes/processes-view.ts';
import { search } from '../processes/search.ts';
import { ConsoleRefusal, tooManyRequests } from '../refusal.ts';
import { actingAs, type IdempotentAnswers } from './acting.ts';
import {
  bodySchema,
  type CommandOutcome,
  commandBody,
  didOf,
  readBody,
  refusedAs,
  wouldOf,
} from './commands.ts';
import { limits } from './limits.ts';
import { keysOf } from './process-routes.ts';
import type { Caller } from './rights.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Finished ones that are kept; one caller must not push out those of all others. */
const MAX_KEPT = 100;
const MAX_KEPT_PER_CALLER = 20;
/** For one caller at a time. */
const MAX_RUNNING = 3;
/** Characters of an outcome: there may be thousands, and each refusal may name all that is wrong with its row. */
const LONGEST_WORDS = 500;

const which = z.union([
  z.strictObject({ keys: z.array(key).min(1).max(limits.bulkKeys) }),
  z.strictObject({
    search: search
      .omit({ cursor: true, size: true, state: true })
      .meta({ description: 'Open processes, as in the list' }),
  }),
]);

const bulkRequest = z.strictObject({
  command: z.enum(bulkNames),
  processes: which,
  fields: commandBody.default({}).meta({ description: 'The body of the command for one process' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only say what would follow for each' }),
  perSecond: z
    .int()
    .min(1)
    .max(bulkRate.most)
    .default(bulkRate.usual)
    .meta({ description: 'How many processes it begins in a second, at most' }),
});
type BulkRequest = z.output<typeof bulkRequest>;

/** Which fields there are depends on the command. */
function wantedSchema() {
  const { properties, ...schema } = schemaOf(bulkRequest, 'input');
  return {
    oneOf: bulkNames.map((name) => {
      const fields = bodySchema(name);
      const isNeeded = (fields.required ?? fields.oneOf ?? fields.allOf ?? []).length > 0;
      return {
        ...schema,
        title: `Bulk ${name}`,
        properties: { ...properties, command: { type: 'string' as const, const: name }, fields },
        required: ['command', 'processes', ...(isNeeded ? ['fields'] : [])],
      };
    }),
  };
}

interface Bulk {
  readonly id: string;
  /** The id of the caller. */
  readonly owner: string;
  readonly wanted: Pick<BulkRequest, 'command' | 'dryRun' | 'perSecond'>;
  readonly by: string;
  /** 0 until it is known to what it is done. */
  total: number;
  readonly outcomes: BulkOutcome[];
  readonly stopping: AbortController;
  state: (typeof bulkStates)[number];
}

interface BulkRouteParts {
  readonly parts: ConsoleParts;
  readonly answers: IdempotentAnswers;
}

/** By id, the oldest first. */
type BulkRegistry = Map<string, Bulk>;

export function bulkRoutes(given: BulkRouteParts): ApiRoute[] {
  const bulks: BulkRegistry = new Map();
  return [startRoute(given, bulks), ...readingRoutes(bulks)];
}

/** A request that is repeated has the bulk that was begun before. */
const startRoute = ({ parts, answers }: BulkRouteParts, bulks: BulkRegistry): ApiRoute =>
  apiRoute({
    method: 'POST',
    tag: 'Bulk',
    headers: ['IdempotencyKey', 'OnBehalfOf'],
    problems: [409, 422, 429],
    answers: {
      202: { description: 'It has begun', schema: shownBulk, headers: { Location: 'Its progress' } },
    },
    name: 'startBulk',
    path: '/v1/bulk',
    right: 'decide',
    body: bulkRequest,
    bodySchema: wantedSchema(),
    summary: 'Gives one command to many processes',
    description: `Up to ${limits.bulkKeys} processes, by their keys or by a search for open ones, \`perSecond\` of them in a second. Read the progress at the Location.`,
    example: {
      command: 'cancel',
      processes: { search: { phase: 'Overdue' } },
      fields: commands.cancel.example,
      dryRun: true,
    },
    handle: async ({ body, caller, request, reply }) => {
      const by = { caller, request };
      const { command, dryRun, perSecond } = body;
      const id = (await answers.once(by, ['bulk', body], async () => {
        const acting = actingAs(parts, by);
        const bulk = newBulk(acting, caller, { command, dryRun, perSecond });
        await inPlace(bulks, bulk, () => begin(bulk, parts, acting, body));
        request.log.info({ by: bulk.by, command, total: bulk.total }, 'a bulk was begun over HTTP');
        // Not the bulk: with the outcomes of thousands of processes it would be kept for a day.
        return bulk.id;
      })) as string;
      reply.code(202).header('location', `/v1/bulk/${id}`);
      return shown(bulkOf(bulks, id, caller));
    },
  });

const ofBulk = z.object({ id: z.uuid() });

/** Throws ConsoleRefusal (404), also for one that was forgotten. */
function bulkOf(bulks: BulkRegistry, id: string, caller: Caller): Bulk {
  const bulk = bulks.get(id);
  if (bulk && bulk.owner === caller.id) return bulk;
  throw new ConsoleRefusal(
    404,
    'NotFound',
    `There is no bulk ${id} of ${caller.by}, or it is over and none of the last ones any more.`,
  );
}

function readingRoutes(bulks: BulkRegistry): ApiRoute[] {
  const answers = { 200: { description: 'The bulk', schema: shownBulk } };
  return [
    apiRoute({
      name: 'getBulk',
      method: 'GET',
      path: '/v1/bulk/{id}',
      right: 'bulk',
      tag: 'Bulk',
      params: ofBulk,
      summary: 'How far a bulk is, and the outcome of each process',
      description: `Only the caller that began it sees it. Of those that are over, the server keeps the last ${MAX_KEPT_PER_CALLER} of a caller and ${MAX_KEPT} of all, until it is restarted.`,
      answers,
      handle: async ({ params: { id }, caller }) => shown(bulkOf(bulks, id, caller)),
    }),
    apiRoute({
      name: 'stopBulk',
      method: 'POST',
      path: '/v1/bulk/{id}/stop',
      right: 'bulk',
      tag: 'Bulk',
      params: ofBulk,
      summary: 'Stops a bulk: it begins no more processes',
      answers,
      handle: async ({ params: { id }, caller }) => {
        const bulk = bulkOf(bulks, id, caller);
        bulk.stopping.abort();
        return shown(bulk);
      },
    }),
  ];
}

function newBulk({ by }: Acting, { id: owner }: Caller, given: Bulk['wanted']): Bulk {
  return {
    id: randomUUID(),
    owner,
    wanted: given,
    by,
    total: 0,
    outcomes: [],
    stopping: new AbortController(),
    state: 'Running',
  };
}

/** It has its place before anything is waited for: those that are asked for at the same moment count. */
async function inPlace(bulks: BulkRegistry, bulk: Bulk, begin: () => Promise<void>): Promise<void> {
  requireRoom(bulks, bulk);
  bulks.set(bulk.id, bulk);
  try {
    await begin();
  } catch (error) {
    bulks.delete(bulk.id);
    throw error;
  }
}

/** Whoever has begun one that runs may stop it, so none of these is forgotten. */
function requireRoom(bulks: BulkRegistry, { owner }: Bulk): void {
  const own = [...bulks.values()].filter((each) => each.owner === owner);
  if (own.filter(({ state }) => state === 'Running').length >= MAX_RUNNING)
    throw tooManyRequests(
      `At most ${MAX_RUNNING} bulks of one caller run at a time; wait for one, or stop it.`,
    );
  const oldestOver = (all: readonly Bulk[], most: number) => {
    const over = all.filter(({ state }) => state !== 'Running');
    return over.length >= most ? over[0] : undefined;
  };
  const forgotten = oldestOver(own, MAX_KEPT_PER_CALLER) ?? oldestOver([...bulks.values()], MAX_KEPT);
  if (forgotten) bulks.delete(forgotten.id);
}

const outcomeFor = (of: string, { refusal, ...outcome }: CommandOutcome): BulkOutcome => ({
  key: of,
  ...outcome,
  refusal: refusal && { ...refusal, message: shortened(refusal.message, LONGEST_WORDS) },
});

const shown = ({ id, wanted: { command, dryRun, perSecond }, by, state, total, outcomes }: Bulk) => ({
  id,
  command,
  dryRun,
  perSecond,
  by,
  state,
  total,
  done: outcomes.length,
  refused: outcomes.filter(({ refusal }) => refusal !== null).length,
  outcomes,
});

/** Throws a Refusal for what is wrong for every process. */
async function begin(bulk: Bulk, parts: ConsoleParts, acting: Acting, request: BulkRequest): Promise<void> {
  const { command, fields, dryRun, processes } = request;
  const { input, why } = readBody(command, fields);
  if (!dryRun && commands[command].why === 'needed' && why === undefined)
    throw wrongInput(`${command} needs a reason; each process keeps it`, { 'fields.why': 'is missing' });
  const keys =
    'keys' in processes
      ? [...new Set(processes.keys)]
      : await keysOf(parts, { ...processes.search, state: 'open' }, limits.bulkKeys);
  bulk.total = keys.length;
  void run(bulk, command, { ...acting, why }, keys, input);
}

/** Never throws: each process has its outcome. */
async function run(
  bulk: Bulk,
  command: BulkRequest['command'],
  acting: Acting,
  keys: readonly string[],
  input: unknown,
): Promise<void> {
  const { dryRun, perSecond } = bulk.wanted;
  const options = { interrupted: bulk.stopping.signal, perSecond };
  const [all, words] = dryRun ? ([previewAll, wouldOf] as const) : ([doAll, didOf] as const);
  for await (const { key: one, outcome: came } of all(commands[command], acting, keys, input, options))
    bulk.outcomes.push(outcomeFor(one, came.done ? words(command, came.value) : refusedAs(came.refusal)));
  bulk.state = bulk.outcomes.length < keys.length ? 'Stopped' : 'Done';
}
