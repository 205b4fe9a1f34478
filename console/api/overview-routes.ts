// What an operator sees first, the numbers above the lists, and the one search for everything.
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { instant } from '../../contract/wire/fields.ts';
import type { Inbox } from '../../processes/views/inbox/inbox.ts';
import { type ProcessCounts, processCounts, readCounts } from '../../processes/views/overview/counts.ts';
import { FlowFiguresReader, flowFigures } from '../../processes/views/overview/flow-figures.ts';
import type { OpenNow, OpenProcesses } from '../../processes/views/overview/open-processes.ts';
import { overviewView, readOverview } from '../../processes/views/overview/overview.ts';
import { searchAll, searchView } from '../../processes/views/overview/search.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { dueBefore, isFound, narrowedBy, search } from '../processes/search.ts';
import { searchable } from './fields.ts';
import { type ApiRoute, apiRoute } from './route.ts';

/** Every list has its counts above it: a look makes some queries. */
const COUNTED_EVERY_MS = 2_000;
const FIGURES_EVERY_MS = 5_000;
const MAX_KEPT = 100;
/** A look at the inbox asks each waiting process. */
const LOOK_EVERY_MS = 4_000;

const counted = search
  .pick({ flow: true, pickUpPoint: true, olderThan: true, find: true })
  .extend({ dueBefore: dueBefore.optional() });
type Counted = z.output<typeof counted>;

const text = searchable.trim().min(2).max(200).meta({ description: 'At least two letters' });

interface OverviewRouteParts {
  readonly parts: ConsoleParts;
  readonly open: OpenProcesses;
  readonly inbox: Inbox;
}

export function overviewRoutes({ parts, open, inbox }: OverviewRouteParts): ApiRoute[] {
  const words = { method: 'GET', right: 'read', tag: 'Processes' } as const;
  const kept = new LRUCache<string, Promise<ProcessCounts>>({ max: MAX_KEPT, ttl: COUNTED_EVERY_MS });
  const countsBy =
    (kind: string, openNow: () => OpenNow | Promise<OpenNow>) =>
    ({ query }: { readonly query: Counted }) => {
      const name = JSON.stringify([kind, query]);
      const before = kept.get(name);
      if (before) return before;
      const reading = countsOf(parts, openNow, query);
      kept.set(name, reading);
      reading.catch(() => kept.delete(name));
      return reading;
    };
  const sources = { inbox: () => inbox.read(), open: () => open.now() };
  const overview = ({ query }: { readonly query: Pick<Counted, 'dueBefore'> }) =>
    readOverview(parts, sources, msOf(query));
  return [
    apiRoute({
      ...words,
      name: 'getCounts',
      path: '/v1/counts',
      query: counted,
      summary: 'Counts processes: open, overdue, failed, ended, and which of them wait for a person',
      description: 'As of some seconds ago at most. It can be followed.',
      answers: { 200: { description: 'The numbers', schema: processCounts } },
      handle: countsBy('once', () => open.now()),
      // Who follows them gets the deadlines as they come; the other numbers do not wait for those.
      follow: {
        everyMs: COUNTED_EVERY_MS,
        comesLast: true,
        read: countsBy('followed', () => open.soon()),
      },
    }),
    apiRoute({
      ...words,
      name: 'getOverview',
      path: '/v1/overview',
      query: z.strictObject({ dueBefore: dueBefore.optional() }),
      summary: 'Reads what an operator looks at first: each part with its number and its first entries',
      description:
        'What needs a person, what is overdue, doors that stayed shut, walls that do not answer, what is due before an instant, and what has failed within a day. It can be followed.',
      answers: { 200: { description: 'The parts', schema: overviewView } },
      handle: overview,
      follow: { everyMs: LOOK_EVERY_MS, read: overview },
    }),
    figuresRoute(new FlowFiguresReader(parts, open, parts)),
    apiRoute({
      ...words,
      name: 'search',
      path: '/v1/search',
      query: z.strictObject({ text }),
      summary: 'Searches processes, shipments, lockers, pick up points and flows by a text',
      description:
        'By keys and parts of keys, case numbers, references, tracking numbers, and names. People are found only for signed-in people who may act.',
      answers: { 200: { description: 'What is found', schema: searchView } },
      handle: ({ query, caller }) =>
        searchAll(parts, {
          text: query.text,
          open: () => open.found(),
          people: !caller.isProgram && caller.may('decide'),
        }),
    }),
  ];
}

function figuresRoute(figures: FlowFiguresReader): ApiRoute {
  const query = z.strictObject({
    dayEnds: instant.refine(isNear, 'must be within two days of now').optional().meta({
      description: 'When the day of whoever asks ends, within two days of now; if absent, that of UTC',
    }),
  });
  const read = ({ query: { dayEnds } }: { readonly query: z.output<typeof query> }) =>
    figures.read(dayEnds === undefined ? Math.ceil(Date.now() / DAY_MS) * DAY_MS : Date.parse(dayEnds));
  return apiRoute({
    name: 'listFlowFigures',
    method: 'GET',
    path: '/v1/overview/flows',
    right: 'read',
    tag: 'Flows',
    summary: 'Reads for each flow what is open, overdue or failed, how long it takes, and what was started',
    description:
      'As of some seconds ago; what is over, as of some minutes. What is not known yet is null, and comes to whoever follows it or reads again.',
    query,
    answers: { 200: { description: 'All flows, built in and published', schema: flowFigures } },
    handle: read,
    follow: { everyMs: FIGURES_EVERY_MS, read },
  });
}

const DAY_MS = 86_400_000;

const isNear = (at: string): boolean => Math.abs(Date.parse(at) - Date.now()) <= 2 * DAY_MS;

const msOf = ({ dueBefore: before }: Pick<Counted, 'dueBefore'>): number =>
  before === undefined ? Date.now() + DAY_MS : Date.parse(before);

async function countsOf(
  parts: ConsoleParts,
  openNow: () => OpenNow | Promise<OpenNow>,
  query: Counted,
): Promise<ProcessCounts> {
  const { dueBefore: _, ...narrowing } = query;
  const now = await openNow();
  const found = { ...now, processes: now.processes.filter(isFound(narrowing)) };
  return await readCounts(parts, narrowedBy(narrowing), found, msOf(query));
}
