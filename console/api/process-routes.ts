// Processes: start one, find them, read one, follow it.
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { phases } from '../../contract/flows/flow-messages.ts';
import { start } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import { everyFound } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { queryOf, type Search } from '../processes/search.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { actingAs } from './acting.ts';
import { cursor, flowName, newKey, ofProcess } from './fields.ts';
import { Held, limits } from './limits.ts';
import type { ProcessList } from './process-list.ts';
import { processFields, type ShownProcess, type ShownProcesses } from './read-process.ts';
import { requireRight } from './rights.ts';
import { type ApiRoute, type Asked, apiRoute } from './route.ts';

export interface ProcessRouteParts {
  readonly parts: ConsoleParts;
  readonly shown: ShownProcesses;
  readonly list: ProcessList;
}

const started = z.looseObject({ flow: flowName, key: newKey });

const ROWS = z.coerce.number().int().min(1).max(limits.rows);
const word = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[ !#-[\]-~\u00a0-\uffff]*$/, 'must have no quotes and no backslash');

export const listQuery = z.strictObject({
  state: z.enum(['open', 'closed', 'all']).default('open').meta({ description: 'Whether they run' }),
  flow: flowName.optional(),
  phase: z.enum(phases).optional().meta({ description: 'Only open processes have one' }),
  pickUpPoint: word.optional().meta({ description: 'pupUid' }),
  find: word.optional().meta({ description: 'How the key begins, a shipmentUid, or a case number' }),
  cursor: cursor.optional(),
  size: ROWS.default(50).meta({ description: `Rows of a page, at most ${limits.rows}`, type: 'integer' }),
});

const row = z
  .object({
    ...processFields,
    flow: z.string(),
    phase: z
      .string()
      .nullable()
      .meta({ description: 'Open, Overdue or NeedsPerson; null once it has ended' }),
    caseNo: z.string().nullable(),
    pickUpPoint: z.string().nullable(),
    shipmentUids: z.array(z.string()),
    summary: z
      .object({
        states: z.array(
          z.object({
            role: z.string().nullable(),
            state: z.string(),
            lockerName: z.string().nullable(),
            isDone: z.boolean(),
          }),
        ),
        awaits: z.string().nullable(),
        until: z.string().nullable(),
      })
      .nullable()
      .meta({
        description: 'Where it stands; null once it has ended, and where no worker has answered in time',
      }),
  })
  .meta({ title: 'ProcessRow' });

export const page = z.object({
  items: z.array(row),
  next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null after the last' }),
});

export function processRoutes({ parts, shown, list }: ProcessRouteParts): ApiRoute[] {
  const waits = new Held('waiting requests', limits.waits);
  const streams = new Held('streams', limits.streams, limits.allStreams);
  const shownProcess = { description: 'The process', schema: 'Process' };
  return [
    apiRoute({
      ...{ name: 'startProcess', method: 'POST', path: '/v1/processes', right: 'start', tag: 'Processes' },
      summary: 'Starts a process, at most once for its key',
      description: [
        'The key is your own: an order, a ticket, a loan. The same key with the same input gives the process that runs, or that has ended; with other input it is `BusinessKeyInUse`. After a refusal or a cancellation it starts a new process.',
        `With \`Prefer: wait=30\` the answer comes when the process has ended, and after so many seconds at the latest (at most ${limits.longestWait}): \`status\` says which. Ask again with GET, or with the same request. Without it the answer comes at once, and \`progress\` is null.`,
      ].join('\n\n'),
      ...{ body: started, bodyAs: 'Start', headers: ['Prefer', 'OnBehalfOf'] },
      answers: { 200: { ...shownProcess, headers: { Location: 'Where the process is read' } } },
      problems: [409],
      handle: async ({ body: { flow, key: given, ...input }, caller, request, reply }) => {
        requireRight(caller, 'start', flow);
        const wait = waitOf(request.headers.prefer);
        const end = wait > 0 ? waits.begin(caller) : undefined;
        try {
          const acting = actingAs(parts, { caller, request });
          orThrow(await start.do(acting, given, { flow, input }));
          request.log.info({ by: caller.by, key: given, flow }, 'a process was started over HTTP');
          reply.header('location', `/v1/processes/${encodeURIComponent(given)}`);
          if (wait > 0) {
            reply.header('preference-applied', `wait=${wait}`);
            await untilEnded(() => acting.flows.handle(given).result(), acting.client, { wait, reply });
          }
          return await shown.read(given, { asksOpen: wait > 0 });
        } finally {
          end?.();
        }
      },
    }),
    apiRoute({
      ...{ name: 'listProcesses', method: 'GET', path: '/v1/processes', right: 'read', tag: 'Processes' },
      summary: 'Finds processes, the newest first',
      description:
        'Follow `next` until it is null. The search may be a second behind the processes; where each stands is asked anew.',
      query: listQuery,
      answers: { 200: { description: 'A page', schema: page } },
      handle: async ({ query: { cursor: from, ...query } }) =>
        await list.page(queryOf({ ...query, page: from } as Search), { size: query.size, from }),
    }),
    apiRoute({
      ...{ name: 'getProcess', method: 'GET', path: '/v1/processes/{key}', right: 'read', tag: 'Processes' },
      summary: 'Reads a process: where it stands, what it waits for, what can be done to it, and its result',
      params: ofProcess,
      answers: { 200: shownProcess },
      problems: [404],
      handle: async ({ params }) => await shown.read(params.key),
    }),
    apiRoute({
      ...{ name: 'followProcess', method: 'GET', path: '/v1/processes/{key}/stream', right: 'read' },
      tag: 'Processes',
      summary: 'Follows a process: server-sent events',
      description: `Each event \`process\` has the whole process as its data, the first one at once, then one after each change. After the event \`ended\` nothing more comes. A stream lasts ${limits.streamSeconds / 60} minutes, and never longer than the token: connect again. At most ${limits.streams} streams of one caller.`,
      params: ofProcess,
      answers: {
        200: { description: 'Events', schema: z.string(), mediaType: 'text/event-stream' },
      },
      problems: [404, 429],
      isStream: true,
      handle: async (asked) => {
        const first = await shown.read(asked.params.key);
        const end = streams.begin(asked.caller);
        stream(asked, { first, end, read: () => shown.read(asked.params.key) });
      },
    }),
  ];
}

/** RFC 7240: a preference that cannot be kept is not an error. */
function waitOf(prefer: string | string[] | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait=(\d{1,6})(?=$|[,;\s])/i.exec([prefer ?? []].flat().join(',')) ?? [];
  return Math.min(limits.longestWait, Number(seconds ?? 0));
}

/** However it ends: the caller reads that. */
async function untilEnded(
  result: () => Promise<unknown>,
  client: ConsoleParts['client'],
  { wait, reply }: { readonly wait: number; readonly reply: FastifyReply },
): Promise<void> {
  const given = new AbortController();
  const giveUp = () => given.abort();
  const timer = setTimeout(giveUp, wait * 1_000);
  // The caller has gone.
  reply.raw.once('close', giveUp);
  try {
    await client.withAbortSignal(given.signal, result);
  } catch {
    // Failed, cancelled, or not ended in time.
  } finally {
    clearTimeout(timer);
    reply.raw.off('close', giveUp);
  }
}

// A proxy does not cut the stream, and a reader that has gone without a word is found out.
const ALIVE_MS = 15_000;
/** At most so much waits for a reader that does not read; then its stream ends. */
const MOST_WAITING_BYTES = 1_000_000;
/** Between two looks: Temporal alone is asked whether the history has grown. */
const LOOK_EVERY_MS = 1_000;

interface Streamed {
  readonly first: ShownProcess;
  readonly read: () => Promise<ShownProcess>;
  readonly end: () => void;
}

function stream({ caller, reply }: Asked<unknown, unknown, unknown>, { first, read, end }: Streamed): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
  });
  const write = (text: string) => {
    if (raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > MOST_WAITING_BYTES) raw.destroy();
  };
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  const tell = (process: ShownProcess) => {
    const text = JSON.stringify(process);
    if (text !== last) write(`event: process\ndata: ${text}\n\n`);
    last = text;
    if (process.status === 'Running') return true;
    write('event: ended\ndata: {}\n\n');
    raw.end();
    return false;
  };
  const look = async () => {
    // Temporal may be away for a moment: the next look tells.
    const process = await read().catch(() => undefined);
    if (raw.writableEnded || raw.destroyed) return;
    if (process === undefined || tell(process)) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  const alive = setInterval(() => write(': alive\n\n'), ALIVE_MS);
  const lasts = Math.min(limits.streamSeconds * 1_000, caller.validUntil - Date.now());
  const over = setTimeout(() => raw.end(), Math.max(0, lasts));
  raw.once('close', () => {
    end();
    clearInterval(alive);
    clearTimeout(over);
    clearTimeout(timer);
  });
  if (tell(first)) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
}

/** The keys of a whole search. */
export async function keysOf({ client }: ConsoleParts, query: string, most: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const { workflowId } of everyFound(client, query)) {
    keys.push(workflowId);
    if (keys.length > most)
      throw new ConsoleRefusal(409, 'TooMany', `The search finds more than ${most} processes. Narrow it.`);
  }
  return keys;
}
