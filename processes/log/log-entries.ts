// What of the past of a process stands in the log: what people did, their notes, and what failed by itself. What the process did
// then stands below it, as in its timeline.
import { z } from 'zod';
import { isByCommandLine, isByProgram, nameOfActor } from '../../contract/flows/attribution.ts';
import { type HappenedRow, happenedOf, withoutAnswer } from '../views/happened.ts';
import { about, type RowAbout } from '../views/process-list.ts';
import { type TimelineEntry, timelineEntry } from '../views/timeline.ts';
import type { TimelineData } from '../views/timeline-data.ts';

const kinds = ['command', 'note', 'failure', 'late'] as const;

export const logEntry = timelineEntry
  .extend({
    at: z.string(),
    kind: z.enum(kinds).meta({
      description:
        'A start, a command or an event of somebody; a note; what failed by itself; or a deadline that passed, of a process that is still late or was acted on since: no search finds one that is in time again',
    }),
    key: z.string().meta({ description: 'Of the process' }),
    flow: z.string(),
    flowName: z.string().meta({ description: 'The flow, for people: `Issue from stock`' }),
    about: about.nullable().meta({
      description: 'Whom and what the process is about; null for who may not act on processes',
    }),
    words: z.string().meta({ description: 'What happened, as a sentence for people' }),
    did: z.array(z.string()).meta({ description: 'What the process did then' }),
    saysWho: z.boolean().meta({ description: 'The sentence names who it was' }),
    saysWhy: z.boolean().meta({ description: 'The sentence has the reason' }),
  })
  .meta({ title: 'LogEntry' });
export type LogEntry = Readonly<z.infer<typeof logEntry>>;

/** As people read them: what was done, what failed, what is to be known. */
export const byKind = <Entry extends Pick<LogEntry, 'kind'>>(entries: readonly Entry[]) => ({
  command: entries.filter(({ kind }) => kind === 'command'),
  failure: entries.filter(({ kind }) => kind === 'failure'),
  late: entries.filter(({ kind }) => kind === 'late'),
  note: entries.filter(({ kind }) => kind === 'note'),
});

export interface LoggedProcess {
  readonly key: string;
  readonly flow: string;
  readonly flowName: string;
  readonly about: RowAbout | null;
}

/** What became of what people sent outside, by the id of its delivery. */
type Deliveries = Parameters<typeof happenedOf>[2];

/** The oldest first. */
export async function logEntriesOf(
  process: LoggedProcess,
  all: readonly TimelineEntry[],
  mayReadAnswers: boolean,
  deliveries: Deliveries = new Map(),
): Promise<LogEntry[]> {
  const entries = mayReadAnswers ? all : all.map(withoutAnswer);
  const rows = await happenedOf(entries, new Map(), deliveries);
  const failing = rowsWith(entries, rows, isFailure);
  const late = rowsWith(entries, rows, isLate);
  const byId = new Map(entries.map((entry) => [idOf(entry), entry]));
  return rows.flatMap((row): LogEntry[] => {
    const entry = byId.get(idOf(row));
    const byItself = failing.has(row) ? 'failure' : late.has(row) && 'late';
    const kind = entry && (kindOf(entry) ?? (byItself || undefined));
    if (!entry?.at || !kind) return [];
    const { words, did, by, why } = row;
    const saysWho = entry.by !== null && by === null;
    return [
      {
        ...entry,
        by: entry.by && nameOfActor(entry.by),
        at: entry.at,
        kind,
        ...process,
        words,
        did,
        saysWho,
        saysWhy: entry.why !== null && why === null,
      },
    ];
  });
}

const idOf = ({ runId, eventId }: Pick<TimelineEntry, 'runId' | 'eventId'>): string => `${runId} ${eventId}`;

/** Undefined: nobody has done it. */
function kindOf({ data, by, onBehalfOf }: TimelineEntry): 'command' | 'note' | undefined {
  if (by === null) return undefined;
  if (data.type === 'updated') return data.name === 'note' ? 'note' : 'command';
  // Systems start processes and send events all day.
  const isSystem = isByProgram({ by, ...(onBehalfOf !== null && { onBehalfOf }) }) || isByCommandLine(by);
  return isSystem ? undefined : 'command';
}

const failures: ReadonlySet<TimelineData['type']> = new Set(['failed', 'terminated', 'timedOut']);

const isFailure = ({ type, ...data }: TimelineData): boolean =>
  failures.has(type) || ('phase' in data && data.phase === 'NeedsPerson');

const isLate = (data: TimelineData): boolean => 'phase' in data && data.phase === 'Overdue';

/** That a process fails which a person has given up is no news. */
const isGivenUp = ({ data }: TimelineEntry): boolean => data.type === 'updated' && data.name === 'giveUp';

/** A row has all that came until the next one. */
function rowsWith(
  entries: readonly TimelineEntry[],
  rows: readonly HappenedRow[],
  isMeant: (data: TimelineData) => boolean,
): ReadonlySet<HappenedRow> {
  const meant = new Set<HappenedRow>();
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  let row: HappenedRow | undefined;
  let hasGivenUp = false;
  for (const entry of entries) {
    row = byId.get(idOf(entry)) ?? row;
    hasGivenUp ||= isGivenUp(entry);
    if (row && isMeant(entry.data) && !hasGivenUp) meant.add(row);
  }
  return meant;
}
