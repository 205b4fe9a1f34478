// Processes: start one, find and count them, read one.

import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { start } from '../../processes/commands/start.ts';
import { orThrow } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { processCounts, readCounts } from '../../processes/views/counts.ts';
import { failedPage } from '../../processes/views/failed-page.ts';
import { countedPage } from '../../processes/views/found-flows.ts';
import { reportsProblems } from '../../processes/views/needs-person.ts';
import { flowName, ifEnded, newKey, why } from '../../processes/views/process-fields.ts';
import { listedPage, processPage, readProcessPage } from '../../processes/views/process-list.ts';
import type { ProcessReader } from '../../processes/views/shown-process.ts';
import { requireRight } from '../access/rights.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ConsoleReaders } from '../readers.ts';
import { commandContextOf } from './command-context.ts';
import { ofProcess } from './fields.ts';
import { ConcurrencyLimit, limits } from './limits.ts';
import { barely, isStartedBy, shownTo } from './personal.ts';
import { type ApiRoute, apiRoute } from './route.ts';
import { counted, isAboutPeople, narrowedBy, queryOf, search } from './search.ts';

const LISTED_MS = 1_000;
/** Every list has its counts above it: they take some queries. */
const COUNTED_MS = 2_000;

interface ProcessRouteParts extends ConsoleReaders {
  readonly parts: ConsoleParts;
  readonly shown: ProcessReader;
}

const started = z.looseObject({
  flow: flowName,
  key: newKey,
  why: why.optional(),
  ifEnded: ifEnded.optional(),
});

const shownProcess = { description: 'The process', schema: 'Process' };
const locationHeader = { Location: 'Where the process is read' };

function startRoute({ parts, shown }: Pick<ProcessRouteParts, 'parts' | 'shown'>): ApiRoute {
  const waits = new ConcurrencyLimit('waiting requests', limits.waits);
  return apiRoute({
    name: 'startProcess',
    method: 'POST',
    path: '/v1/processes',
    right: 'start',
    tag: 'Processes',
    summary: 'Starts a process, at most once for its key',
    description: [
      'The key is your own: an order, a ticket, a loan. The same key with the same input gives the process that runs, or that has ended, in whatever way; with other input it is `BusinessKeyInUse`. So a request that is sent again late never books again. With `ifEnded: restart` one that has ended without a result is started anew; one that has ended with a result is `EndedWithResult`.',
      'Who may not read processes gets `key`, `runId` and `status` of one that another has started, and null for the rest.',
      `With \`Prefer: wait=30\` the answer comes when the process has ended, and after so many seconds at the latest (at most ${limits.longestWait}): \`status\` says which. It is 401 if the session or the token has ended meanwhile; the process goes on. Ask again with GET, or with the same request. Without it the answer comes at once, and \`progress\` is null.`,
    ].join('\n\n'),
    body: started,
    bodyAs: 'Start',
    headers: ['Prefer', 'OnBehalfOf'],
    answers: {
      201: { ...shownProcess, description: 'It is started', headers: locationHeader },
      200: { ...shownProcess, description: 'The process that has the key already', headers: locationHeader },
    },
    problems: [409],
    handle: async ({
      body: { flow, key: given, why: reason, ifEnded: how, ...input },
      caller,
      request,
      reply,
    }) => {
      requireRight(caller, 'start', flow);
      const wait = waitOf(request.headers.prefer);
      const end = wait > 0 ? waits.begin(caller) : undefined;
      try {
        const commandContext = commandContextOf(parts, { caller, request, why: reason });
        const { isNew } = orThrow(await start.do(commandContext, given, { flow, input, ifEnded: how }));
        if (isNew) reply.code(201);
        request.log.info({ by: caller.by, key: given, flow }, 'a process was started over HTTP');
        reply.header('location', `/v1/processes/${encodeURIComponent(given)}`);
        if (wait > 0) {
          reply.header('preference-applied', `wait=${wait}`);
          await untilEnded(() => commandContext.flows.handle(given).result(), commandContext.client, {
            wait,
            reply,
          });
        }
        // Who has waited may have been signed out meanwhile, or have lost the role.
        const reader = wait > 0 ? request.callerNow() : caller;
        const { process, described } = await shown.snapshot(given, { asksOpen: wait > 0 });
        // The same key and a guessed input is no right to read what another has started.
        if (reader.may('decide') || isStartedBy(reader, described)) return process;
        return reader.may('read') ? shownTo(reader, process) : barely(process);
      } finally {
        end?.();
      }
    },
  });
}

export function processRoutes(routeParts: ProcessRouteParts): ApiRoute[] {
  const { parts, shown, subjects, failures, wanted: wantedAtStart, left, summaries, sorted } = routeParts;
  return [
    startRoute(routeParts),
    apiRoute({
      name: 'listProcesses',
      method: 'GET',
      path: '/v1/processes',
      right: 'read',
      tag: 'Processes',
      summary: 'Finds processes, the newest first, by due, or by how long they wait',
      description:
        'Follow `next` until it is null. The search may be a second behind the processes; where each stands is asked anew. `key.<name>` finds processes by the keys of their business data, as `key.device=laptop-7`; it needs the right to act on processes, as `person` does.',
      query: search,
      isOfPeople: true,
      answers: { 200: { description: 'A page', schema: processPage } },
      handle: async ({ query, caller, request }) => {
        if (isAboutPeople(query)) requireRight(caller, 'decide');
        return await parts.shared.of(request.url, LISTED_MS, async () => {
          const { size, cursor: from, sort, state, withThem, step } = query;
          const asksForNeed = query.needsUs || query.phase === 'NeedsPerson';
          const problems = asksForNeed && (await callTemporal(parts, () => reportsProblems(parts.client)));
          const wanted = queryOf({ ...query, problems }, parts.taskQueue);
          const page = { size, from, key: parts.pageKey };
          const newest = async () =>
            (state === 'failed' && (await failedPage(parts, wanted, page))) ||
            (await countedPage(parts.client, wanted, page));
          const found = listedPage(parts, () =>
            sorted.pageAs(wanted, { sort, size, from, withThem, step }, newest),
          );
          // One that does not answer in time keeps its last known state.
          return await readProcessPage(found, {
            summaries: query.summaries ? summaries : null,
            failures,
            subjects,
            wanted: wantedAtStart,
            left,
          });
        });
      },
    }),
    apiRoute({
      name: 'getProcess',
      method: 'GET',
      path: '/v1/processes/{key}',
      right: 'read',
      tag: 'Processes',
      summary: 'Reads a process: where it stands, what it waits for, what can be done to it, and its result',
      description:
        '`result`, `progress.output` and `progress.keys` of a flow file are for those who may also act on processes.',
      params: ofProcess,
      isOfPeople: true,
      answers: { 200: shownProcess },
      problems: [404],
      handle: async ({ params }) => await shown.read(params.key),
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

export const countRoute = (parts: ConsoleParts): ApiRoute =>
  apiRoute({
    method: 'GET',
    right: 'read',
    tag: 'Processes',
    name: 'getCounts',
    path: '/v1/counts',
    query: counted,
    summary: 'Counts cases: open, overdue, failed, ended, and which of them wait for a person',
    description: 'As of some seconds ago at most.',
    answers: { 200: { description: 'The numbers', schema: processCounts } },
    handle: ({ query, caller, request }) => {
      if (isAboutPeople(query)) requireRight(caller, 'decide');
      return parts.shared.of(request.url, COUNTED_MS, () => readCounts(parts, narrowedBy(query)));
    },
  });
