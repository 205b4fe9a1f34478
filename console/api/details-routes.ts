// One process as a person looks at it: where it stands on its chart, and what happened in it.
import { z } from 'zod';
import { type CaseHistory, caseHistory, historyOfCase } from '../../processes/views/case-history.ts';
import type { HappenedRow } from '../../processes/views/happened.ts';
import type { ProcessReader } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { FairQueue } from '../heavy/fair-queue.ts';
import { nameOfAccount } from '../people.ts';
import { doorHistory, doorHistoryOf } from '../process/door-history.ts';
import { subject } from '../process/overview/overview-view.ts';
import { DetailedProcesses } from '../process/process-details.ts';
import { processDetails } from '../process/process-view.ts';
import { ofProcess } from './fields.ts';
import { sendSvg, svgAnswer } from './flow-routes.ts';
import { type ApiRoute, apiRoute } from './route.ts';

// Reading a whole history takes up to some hundred megabytes, and the thread that answers requests: few are read at a time, and
// callers take turns. What is made of a history is part of its turn.
export const AT_ONCE = 2;
/** That wait, of one caller: a person has several pages open, each of which reads some. */
export const MAX_PER_CALLER = 20;
const MAX_WAITING = 100;

/** One for the whole process: what it bounds is this machine's. */
export const historyQueue = new FairQueue({
  what: 'histories',
  maxWaiting: MAX_WAITING,
  maxPerCaller: MAX_PER_CALLER,
  mayBegin: (_, running) => running.length < AT_ONCE,
});

/** Behind this, a history takes minutes to read. */
const MAX_EVENTS = 30_000;

/** Several people may have a process on the screen. */
const SHARED_MS = 400;

const ANSWERS_HIDDEN = 'What was answered to its questions needs the right to act on processes.';

const routeDefaults = {
  method: 'GET',
  right: 'read',
  tag: 'Processes',
  params: ofProcess,
  problems: [404],
} as const;

export function detailsRoutes(parts: ConsoleParts, shown: ProcessReader): ApiRoute[] {
  const detailed = new DetailedProcesses(parts, shown);
  return [
    apiRoute({
      ...routeDefaults,
      name: 'getProcessDetails',
      path: '/v1/processes/{key}/details',
      summary: 'Reads a process with where it is on its chart, and what a person may do',
      description: 'The texts are for people.',
      answers: { 200: { description: 'The process', schema: processDetails } },
      isOfPeople: true,
      handle: ({ params }) => detailed.read(params.key),
      sharedMs: SHARED_MS,
    }),
    apiRoute({
      ...routeDefaults,
      name: 'getProcessPicture',
      path: '/v1/processes/{key}/chart.svg',
      query: z.strictObject({ at: z.string().optional().meta({ description: 'Anything: for caches' }) }),
      summary: 'Draws the chart that a process runs, with where it is',
      answers: svgAnswer,
      handle: async ({ params, reply }) => sendSvg(reply, await detailed.picture(params.key)),
    }),
    subjectRoute(detailed),
    historyRoute(parts, shown),
    doorsRoute(parts, shown),
  ];
}

/** To whom messages were sent: the history has uids alone. */
async function withNames(
  parts: ConsoleParts,
  rows: readonly HappenedRow[],
): Promise<CaseHistory['happened']> {
  const uids = [...new Set(rows.flatMap(({ to }) => to ?? []))];
  const found = uids.map(async (uid) => [uid, await nameOfAccount(parts, uid)] as const);
  // What was sent is read without its names, too.
  const names = new Map(await Promise.all(found).catch(() => []));
  return rows.map(({ to, ...row }) => {
    const name = to === undefined ? undefined : names.get(to);
    return {
      ...row,
      ...(to !== undefined && { to }),
      ...(to !== undefined && name !== undefined && { words: row.words.replace(to, name) }),
    };
  });
}

const historyRoute = (parts: ConsoleParts, shown: ProcessReader): ApiRoute =>
  apiRoute({
    ...routeDefaults,
    name: 'getProcessHistory',
    path: '/v1/processes/{key}/history',
    summary: 'Reads what happened in a process, as data and in sentences, and what it cost',
    description: `As \`lockerflow show --history\` has it, of at most ${MAX_EVENTS} events; \`happened\` also has what happened in the flows that it has started. The texts are for people. ${ANSWERS_HIDDEN}`,
    problems: [404, 409, 429],
    answers: { 200: { description: 'What happened', schema: caseHistory } },
    handle: async ({ params, caller }) => {
      const process = await shown.read(params.key);
      const reading = {
        maxEvents: MAX_EVENTS,
        mayRead: (flow: string) => caller.may('read', flow),
        mayReadAnswers: (flow: string) => caller.may('decide', flow),
      };
      const history = await historyQueue.do(null, () => historyOfCase(parts, shown, process, reading));
      return { ...history, happened: await withNames(parts, history.happened) };
    },
  });

/** Each is a call of the service for each shipment. */
const DOORS_MS = 3_000;

const doorsRoute = (parts: ConsoleParts, shown: ProcessReader): ApiRoute =>
  apiRoute({
    ...routeDefaults,
    name: 'getProcessDoors',
    path: '/v1/processes/{key}/doors',
    summary:
      'Reads what happened at the doors of a process: who opened them and how, who saw codes, and failed tries',
    description: 'The texts are for people. Whose codes they were is told to who may act on processes.',
    answers: { 200: { description: 'What happened at the doors', schema: doorHistory } },
    handle: async ({ params: { key }, caller, request }) => {
      const process = await shown.read(key);
      const reader = {
        mayRead: (flow: string) => caller.may('read', flow),
        mayKnowPeople: caller.may('decide'),
      };
      // Rights differ from caller to caller.
      const name = `${request.url} ${caller.id}`;
      return await parts.shared.of(name, DOORS_MS, () => doorHistoryOf(parts, process, reader));
    },
  });

const subjectRoute = (detailed: DetailedProcesses): ApiRoute =>
  apiRoute({
    ...routeDefaults,
    name: 'getProcessSubject',
    path: '/v1/processes/{key}/subject',
    right: 'decide',
    summary: 'Reads whom a process is for, what is sent, what it was given, and what it keeps',
    problems: [404, 429],
    description: 'The names of people need the right to act on processes. The texts are for people.',
    answers: { 200: { description: 'Whom and what it is about', schema: subject } },
    handle: async ({ params }) => await detailed.subject(params.key),
  });
