// What happened in a process as rows for people: what came, and below it what the process did then.
import { formatUpdate } from '../../../processes/views/format-update.ts';
import { nameIn, type Timeline, type TimelineEntry } from '../../../processes/views/timeline.ts';
import { breathing } from '../../../shared/limits/turns.ts';
import type { HappenedTimeline } from '../process-view.ts';
import type { HappenedRow } from './glance-view.ts';
import type { Names } from './readable.ts';
import { sentenceOfEntry } from './sentences.ts';

export async function happenedOf(
  { entries }: Pick<Timeline, 'entries'>,
  names: Names,
): Promise<HappenedRow[]> {
  const groups: [HappenedRow, ...HappenedRow[]][] = [];
  const breathe = breathing();
  for (const happening of happeningsOf(entries)) {
    await breathe();
    const row = rowOf(happening, names);
    const last = groups.at(-1);
    // What says nothing to people goes with what came before.
    if (row.words !== '' || !last) groups.push([{ ...row, words: row.words || 'It goes on from before.' }]);
    else last.push(row);
  }
  return groups.map((group) => ({
    ...group[0],
    did: group.flatMap(({ did }) => did),
  }));
}

interface Happening {
  readonly entry: TimelineEntry;
  /** What the process did then. */
  readonly noted: TimelineEntry[];
}

function happeningsOf(entries: readonly TimelineEntry[]): Happening[] {
  const all: Happening[] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.kind === 'did' && last) last.noted.push(entry);
    else all.push({ entry, noted: [] });
  }
  return all;
}

function rowOf({ entry, noted }: Happening, names: Names): HappenedRow {
  const { at, runId, eventId, why } = entry;
  const own = sentenceOfEntry(entry, names);
  const sentences = noted.map((each) => sentenceOfEntry(each, names));
  const did = [...new Set(sentences.flatMap(({ words }) => words ?? []))].filter(
    (words) => words !== own.words,
  );
  const [first = '', ...others] = own.words === null ? did : [own.words, ...did];
  return {
    at,
    words: first,
    did: others,
    runId,
    eventId,
    by: unlessIn(first, nameIn(entry)),
    why: unlessIn(first, why),
    isBad: [own, ...sentences].some(({ isBad }) => isBad === true),
  };
}

const unlessIn = (words: string, text: string | null): string | null =>
  text !== null && words.toLowerCase().includes(text.toLowerCase()) ? null : text;

/**
 * An entry for who may not act on processes: that a question was answered, by whom and why, but not what was answered, which is
 * data of the process.
 */
function withoutAnswer(entry: TimelineEntry): TimelineEntry {
  const { data, onBehalfOf } = entry;
  if (data.type !== 'updated' || data.values === null) return entry;
  const what = formatUpdate(data.name, { ...data.fields, onBehalfOf });
  return { ...entry, what, data: { ...data, values: null } };
}

/** @param mayReadAnswers whether it says what was answered to the questions of the process */
export async function happenedTimeline(
  all: Timeline,
  names: Names,
  mayReadAnswers: boolean,
): Promise<HappenedTimeline> {
  const entries = mayReadAnswers ? all.entries : all.entries.map(withoutAnswer);
  return { ...all, entries, happened: await happenedOf({ entries }, names) };
}
