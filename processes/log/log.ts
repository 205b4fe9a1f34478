// What happened in all processes since a moment: who did what to which, notes, and what failed by itself. Temporal's search finds
// the processes, their histories say the rest. Each page is about so many processes, so that it is bounded however many there are.
import { z } from 'zod';
import { t } from '../../shared/texts/text.ts';
import { eachAtOnce } from '../at-once.ts';
import { wrongInput } from '../outcome.ts';
import { type CommandContext, callTemporal, type TemporalContext } from '../temporal-context.ts';
import { reasonOf } from '../views/case-history.ts';
import { FAILED } from '../views/counts.ts';
import { flowQuery } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { deliveriesOf } from '../views/happened.ts';
import { decoderOf, runsOf } from '../views/history.ts';
import type { RowReaders } from '../views/process-list.ts';
import { timelineOf } from '../views/timeline.ts';
import { MOST_ADDED, readAfterEndLog } from './after-end-log.ts';
import { MOST_ITEMS, readItemLog } from './item-log.ts';
import { type LogEntry, logEntriesOf, logEntry } from './log-entries.ts';
import { readWallLog } from './wall-log.ts';
import { wallLogEntry } from './wall-log-entry.ts';

export const logPage = z
  .object({
    entries: z.array(logEntry).meta({ description: 'The newest first' }),
    next: z.string().nullable().meta({
      description:
        'The `cursor` of what happened in other processes; null: that is all. A page may be empty.',
    }),
    unread: z
      .array(z.object({ key: z.string(), flowName: z.string(), why: z.string() }))
      .meta({ description: 'Processes whose history could not be read' }),
  })
  .extend({
    atWalls: z.array(wallLogEntry).meta({
      description:
        'What happened at the walls, the newest first: who saw codes, opened or emptied lockers, took one out of order, asked for a mechanic there or sent a message about an item that no case follows; which walls are offline or online again, and which doors stayed shut, were left open or are shut again. Of the first page alone',
    }),
    wallsUnread: z.array(z.string()).meta({ description: 'What of the walls could not be read, in words' }),
  })
  .meta({ title: 'LogPage' });
export type LogPage = Readonly<z.infer<typeof logPage>>;

export interface LogWanted {
  /** ISO 8601 in UTC, as `until`. */
  readonly since: string;
  readonly until?: string | undefined;
  /** Only what this person did, or what was done for this person. */
  readonly by?: string | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  /** How many processes a page is about. */
  readonly size: number;
}

/** What a reader may read of a flow. */
interface LogReader extends Pick<RowReaders, 'subjects'> {
  mayRead(flow: string): boolean;
  mayReadAnswers(flow: string): boolean;
}

type LogParts = TemporalContext & {
  readonly pageKey?: string;
  readonly service: NonNullable<CommandContext['service']>;
};

/** Who has every right: the command line. */
export const readsAll: LogReader = { mayRead: () => true, mayReadAnswers: () => true };

// Each takes its history's memory.
const AT_ONCE = 4;
/** So many of one process: a longer history would make all others wait. */
const MAX_EVENTS = 10_000;

/** Throws CommandError (wrongInput, unreachable). */
export async function readLog(parts: LogParts, wanted: LogWanted, reader: LogReader): Promise<LogPage> {
  const { client, taskQueue, pageKey: key } = parts;
  checkSpan(wanted);
  const query = flowQuery({ also: conditionsOf(wanted) }, taskQueue);
  const page = { size: wanted.size, from: wanted.cursor, key };
  const { flows, next } = await callTemporal(parts, () => foundPage(client, query, page));
  const entries: LogEntry[] = [];
  const unread: LogPage['unread'] = [];
  const readable = flows.filter(({ flow }) => reader.mayRead(flow));
  const abouts = reader.subjects?.of(readable);
  const read = (process: FoundFlow) => entriesOf(parts, process, wanted, { reader, abouts });
  for await (const { item, outcome } of eachAtOnce(readable, read, { atOnce: AT_ONCE })) {
    if (outcome.done) entries.push(...outcome.value);
    else unread.push({ ...nameOf(item), why: reasonOf(outcome.error) });
  }
  const isFirst = wanted.cursor === undefined;
  const [walls, items, later] = await Promise.all([
    isFirst ? readWallLog(parts, wanted) : { entries: [], unread: [] },
    isFirst ? readItemLog(parts, wanted, reader) : { entries: [], isCut: false },
    isFirst ? readAfterEndLog(parts, wanted, reader) : { entries: [], isCut: false },
  ]);
  entries.push(...[...items.entries, ...later.entries].filter((entry) => isWanted(entry, wanted)));
  return {
    entries: entries.toSorted(newestFirst),
    next,
    unread,
    atWalls: walls.entries,
    wallsUnread: [
      ...walls.unread,
      ...(items.isCut ? [t`more than the last ${MOST_ITEMS} items that were said to be back or lost`] : []),
      ...(later.isCut
        ? [t`more than the last ${MOST_ADDED} notes and messages to cases that had ended`]
        : []),
    ],
  };
}

const newestFirst = (one: LogEntry, other: LogEntry): number =>
  other.at.localeCompare(one.at) || Number(other.eventId) - Number(one.eventId);

const nameOf = ({ workflowId, flow }: FoundFlow) => ({ key: workflowId, flowName: formatFlowName(flow) });

type Abouts = ReturnType<NonNullable<LogReader['subjects']>['of']>;

async function entriesOf(
  { client }: Pick<TemporalContext, 'client'>,
  process: FoundFlow,
  wanted: LogWanted,
  { reader, abouts }: { readonly reader: LogReader; readonly abouts: Abouts | undefined },
): Promise<LogEntry[]> {
  const { workflowId, runId, flow } = process;
  const runs = await runsOf(client, workflowId, MAX_EVENTS, { runId, since: wanted.since });
  const { entries } = await timelineOf(runs, decoderOf(client), () => undefined);
  const about = (await abouts)?.get(runId) ?? null;
  const named = { ...nameOf(process), flow, about };
  const deliveries = await deliveriesOf(client, entries);
  const all = await logEntriesOf(named, entries, reader.mayReadAnswers(flow), deliveries);
  return all.filter((entry) => isWanted(entry, wanted));
}

const isWanted = (entry: LogEntry, { since, until, by }: LogWanted): boolean =>
  entry.at >= since && (until === undefined || entry.at < until) && (by === undefined || isOf(entry, by));

const isOf = ({ by, onBehalfOf }: LogEntry, name: string): boolean =>
  [by, onBehalfOf].some((each) => each?.toLowerCase() === name.toLowerCase());

/** Clocks differ: a moment that has just come may still be ahead of ours. */
const SKEW_MS = 60_000;

function checkSpan({ since, until }: LogWanted): void {
  const refuse = (message: string) => {
    throw wrongInput(message, { since: message });
  };
  if (Date.parse(since) > Date.now() + SKEW_MS)
    refuse(`since: ${since} is still to come; expected a moment that has passed`);
  if (until !== undefined && until <= since)
    refuse(`since: ${since} is not before until, ${until}; expected an earlier moment`);
}

// A process says when it was acted on by the clock of its task, which begins before the update is in its history.
const LATE_MS = 10_000;

/** Where a process runs on as another run, that run has its past too. */
function conditionsOf({ since, until, by }: LogWanted): string[] {
  const acted = `LockerActedAt >= '${new Date(Date.parse(since) - LATE_MS).toISOString()}'`;
  const failed = `(${FAILED} AND CloseTime >= '${since}')`;
  const halted = "(LockerPhase = 'NeedsPerson' AND ExecutionStatus = 'Running')";
  const late = "(LockerPhase = 'Overdue' AND ExecutionStatus = 'Running')";
  return [
    by === undefined ? [acted, failed, halted, late].join(' OR ') : acted,
    "ExecutionStatus != 'ContinuedAsNew'",
    ...(until === undefined ? [] : [`StartTime < '${until}'`]),
  ];
}
