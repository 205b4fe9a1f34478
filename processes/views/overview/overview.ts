// What an operator sees first: what needs a person, what is late or soon due, which doors and walls are in trouble, and what has
// failed. Each with its number and the first few; the whole of it is a filtered list.
import { z } from 'zod';
import { LockerApiError } from '../../../shared/locker-api/index.ts';
import { type AtTemporal, askedTemporal } from '../../at-temporal.ts';
import { refusalOf } from '../../outcome.ts';
import { flowQuery } from '../flow-query.ts';
import { type FoundFlow, foundPage } from '../found-flows.ts';
import { doorsThatStayedShut } from '../inbox/doors.ts';
import type { InboxView } from '../inbox/inbox-entry.ts';
import type { InboxParts } from '../inbox/source.ts';
import { FAILED, joined } from './counts.ts';
import { formatFlowName } from './format.ts';
import { byDeadline, isDueBefore, type OpenNow, type OpenProcess } from './open-processes.ts';

const overviewParts = ['needsYou', 'overdue', 'doors', 'walls', 'due', 'failed'] as const;
export type OverviewPartName = (typeof overviewParts)[number];

export interface OverviewEntry {
  readonly title: string;
  readonly words: string | null;
  /** The process, if it is about one. */
  readonly key: string | null;
  /** The wall, if it is about one. */
  readonly pupUid: string | null;
  /** Its locker, if it is about one. */
  readonly lockerUid: string | null;
  /** ISO 8601, by the real time: since when, or until when. */
  readonly at: string | null;
}

export interface OverviewPart {
  readonly part: OverviewPartName;
  readonly count: number;
  /** The first few. */
  readonly entries: readonly OverviewEntry[];
  /** Why this is not all of it, or nothing of it; null: it is all. */
  readonly incomplete: string | null;
}

export interface OverviewView {
  readonly parts: readonly OverviewPart[];
}

export const overviewView = z
  .object({
    parts: z.array(
      z.object({
        part: z.enum(overviewParts),
        count: z.int(),
        entries: z
          .array(
            z.object({
              title: z.string(),
              words: z.string().nullable(),
              key: z.string().nullable().meta({ description: 'The process, if it is about one' }),
              pupUid: z.string().nullable().meta({ description: 'The wall, if it is about one' }),
              lockerUid: z.string().nullable().meta({ description: 'Its locker, if it is about one' }),
              at: z.string().nullable().meta({ description: 'Since when, or until when' }),
            }),
          )
          .meta({ description: 'The first few' }),
        incomplete: z
          .string()
          .nullable()
          .meta({ description: 'Why this is not all of it, or nothing of it; null: it is all' }),
      }),
    ),
  })
  .meta({ title: 'Overview' }) satisfies z.ZodType<OverviewView>;

const MAX_SHOWN = 5;
/** Since yesterday at the same time. */
const FAILED_WITHIN_HOURS = 24;

interface OverviewSources {
  readonly inbox: () => Promise<InboxView>;
  readonly open: () => Promise<OpenNow>;
}

/** A part that cannot be read hides none of the others. */
export async function readOverview(
  parts: InboxParts,
  { inbox, open }: OverviewSources,
  dueBeforeMs: number,
): Promise<OverviewView> {
  const doors = shutDoors(parts);
  const reading: Readonly<Record<OverviewPartName, Promise<Omit<OverviewPart, 'part'>>>> = {
    needsYou: inbox().then(needsYou),
    overdue: overdueIn(parts, open),
    doors: doors.then((all) => stuckDoors(all.filter(({ door }) => door !== 'Unknown'))),
    walls: doors.then((all) => offlineWalls(all.filter(({ door }) => door === 'Unknown'))),
    due: open().then((now) => dueIn(now, dueBeforeMs)),
    failed: failedIn(parts),
  };
  const read = overviewParts.map(async (part): Promise<OverviewPart> => {
    try {
      return { part, ...(await reading[part]) };
    } catch (error) {
      return { part, count: 0, entries: [], incomplete: refusalOf(error)?.message ?? 'It failed.' };
    }
  });
  return { parts: await Promise.all(read) };
}

const whole = (count: number, entries: readonly OverviewEntry[]): Omit<OverviewPart, 'part'> => ({
  count,
  incomplete: null,
  entries: entries.slice(0, MAX_SHOWN),
});

function needsYou({ entries, unread }: InboxView): Omit<OverviewPart, 'part'> {
  // A door has a part of its own.
  const mine = entries.filter(({ kind }) => kind !== 'door');
  const shown = mine.slice(0, MAX_SHOWN).map(
    ({ title, why, key, pupUid, since, clockAheadMs }): OverviewEntry => ({
      title,
      words: why,
      key,
      pupUid,
      lockerUid: null,
      at: since && new Date(Date.parse(since) - clockAheadMs).toISOString(),
    }),
  );
  const incomplete = unread.map(({ what, why }) => `${what}: ${why}`).join('; ');
  return { ...whole(mine.length, shown), incomplete: incomplete || null };
}

async function overdueIn(
  parts: AtTemporal,
  open: OverviewSources['open'],
): Promise<Omit<OverviewPart, 'part'>> {
  const { count, found } = await firstOf(parts, flowQuery({ phase: 'Overdue' }));
  const known = new Map((await open()).processes.map((each) => [each.runId, each]));
  return whole(
    count,
    found.map((each) => ofProcess(known.get(each.runId) ?? each, known.get(each.runId)?.dueMs ?? null)),
  );
}

function dueIn({ processes, isWhole }: OpenNow, beforeMs: number): Omit<OverviewPart, 'part'> {
  const due = processes.filter(isDueBefore(beforeMs)).toSorted(byDeadline);
  const silent = processes.filter(({ isAsked }) => !isAsked).length;
  return {
    ...whole(
      due.length,
      due.slice(0, MAX_SHOWN).map((each) => ofProcess(each, each.dueMs)),
    ),
    incomplete: isWhole ? silentWords(silent) : `Counted among the newest ${processes.length} processes.`,
  };
}

const silentWords = (count: number): string | null =>
  count === 0
    ? null
    : `${count === 1 ? '1 process has' : `${count} processes have`} not said yet when the next deadline ends.`;

async function failedIn(parts: AtTemporal): Promise<Omit<OverviewPart, 'part'>> {
  const since = new Date(Date.now() - FAILED_WITHIN_HOURS * 3_600_000).toISOString();
  const { count, found } = await firstOf(
    parts,
    flowQuery({ query: joined(FAILED, `CloseTime >= '${since}'`) }),
  );
  return whole(
    count,
    found.map((each) => ofProcess(each, each.closedAt ? Date.parse(each.closedAt) : null)),
  );
}

async function firstOf(
  parts: AtTemporal,
  query: string,
): Promise<{ readonly count: number; readonly found: readonly FoundFlow[] }> {
  const { client } = parts;
  const [{ count }, { flows: found }] = await askedTemporal(parts, () =>
    Promise.all([client.workflow.count(query), foundPage(client, query, { size: MAX_SHOWN })]),
  );
  return { count, found };
}

function ofProcess(found: OpenProcess | FoundFlow, atMs: number | null): OverviewEntry {
  const { workflowId: key, flow, case: caseNo } = found;
  const stands = 'words' in found ? found.words : null;
  const words = [
    stands ?? formatFlowName(flow),
    ...(caseNo === null || caseNo === key ? [] : [`case ${caseNo}`]),
  ];
  return {
    title: key,
    words: words.join(', '),
    key,
    pupUid: null,
    lockerUid: null,
    at: atMs === null ? null : new Date(atMs).toISOString(),
  };
}

async function shutDoors(parts: InboxParts): Promise<readonly Door[]> {
  try {
    const { items } = await doorsThatStayedShut(parts);
    return items.filter(({ doorFailure, outOfOrder }) => doorFailure != null && outOfOrder !== true);
  } catch (error) {
    // A service may not list them: nothing is known then.
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return [];
    throw error;
  }
}

type Door = Awaited<ReturnType<typeof doorsThatStayedShut>>['items'][number];

const stuckDoors = (doors: readonly Door[]): Omit<OverviewPart, 'part'> =>
  whole(
    doors.length,
    doors.map(({ lockerName, lockerUid, pupUid, doorFailure }) => ({
      title: `Locker ${lockerName}`,
      words: doorFailure?.reason ?? null,
      key: null,
      pupUid,
      lockerUid,
      at: doorFailure?.occurredAt ? `${doorFailure.occurredAt}Z` : null,
    })),
  );

function offlineWalls(doors: readonly Door[]): Omit<OverviewPart, 'part'> {
  const walls = [...new Set(doors.flatMap(({ pupUid }) => pupUid ?? []))];
  return whole(
    walls.length,
    walls.map((pupUid) => ({
      title: 'Does not answer',
      words: 'None of its doors opens.',
      key: null,
      pupUid,
      lockerUid: null,
      at: null,
    })),
  );
}
