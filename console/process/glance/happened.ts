// What happened in a process as rows for people: what came, and below it what the process did then. Rounds that are equal are
// folded into one.
import { nameIn, type Timeline, type TimelineEntry } from '../../../processes/views/timeline.ts';
import { breathing } from '../../../shared/limits/breathing.ts';
import type { ProcessStep } from '../process-view.ts';
import type { HappenedItem, HappenedRow } from './glance-view.ts';
import type { Names } from './readable.ts';
import { type Sentence, sentenceOfDoing, sentenceOfEntry } from './sentences.ts';

/** @param steps what they tell of what the process did is more than its history has; without them that must do */
export async function happenedOf(
  { entries }: Pick<Timeline, 'entries'>,
  steps: readonly ProcessStep[] | null,
  names: Names,
): Promise<HappenedItem[]> {
  return await folded(await rowsOf(happeningsOf(entries, steps ?? []), names));
}

interface Happening {
  readonly entry: TimelineEntry;
  /** The steps that the process took then. */
  readonly steps: ProcessStep[];
  /** As the history has it. */
  readonly noted: TimelineEntry[];
}

function happeningsOf(entries: readonly TimelineEntry[], steps: readonly ProcessStep[]): Happening[] {
  const all: Happening[] = [];
  const byEvent = new Map<string, Happening>();
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.kind === 'did' && last) last.noted.push(entry);
    else {
      const one = { entry, steps: [], noted: [] };
      all.push(one);
      byEvent.set(`${entry.runId} ${entry.eventId}`, one);
    }
  }
  let last = all[0];
  for (const step of steps) {
    // A step without an event of its own follows from the one before.
    last = byEvent.get(`${step.runId} ${step.eventId}`) ?? last;
    last?.steps.push(step);
  }
  return all;
}

async function rowsOf(all: readonly Happening[], names: Names): Promise<HappenedRow[]> {
  const groups: [HappenedRow, ...HappenedRow[]][] = [];
  const breathe = breathing();
  for (const happening of all) {
    await breathe();
    const row = await rowOf(happening, names, breathe);
    const last = groups.at(-1);
    // What says nothing to people goes with what came before.
    if (row.words !== '' || !last) groups.push([{ ...row, words: row.words || 'It goes on from before.' }]);
    else last.push(row);
  }
  return groups.map((group) => ({
    ...group[0],
    did: group.flatMap(({ did }) => did),
    technical: group.flatMap(({ technical }) => technical),
    steps: group.flatMap(({ steps }) => steps),
  }));
}

async function rowOf(
  { entry, steps, noted }: Happening,
  names: Names,
  breathe: () => Promise<void> | undefined,
): Promise<HappenedRow> {
  const { at, what, runId, eventId } = entry;
  const own = sentenceOfEntry(entry, names);
  const isStepped = steps.length > 0;
  const dids = isStepped ? steps.flatMap(({ did }) => did) : noted.map((each) => each.what);
  const sentences: Sentence[] = [];
  // One message may have made a process take thousands of steps.
  for (const { doings } of steps) {
    await breathe();
    sentences.push(...doings.map((doing) => sentenceOfDoing(doing, names)));
  }
  if (!isStepped) sentences.push(...noted.map((each) => sentenceOfEntry(each, names)));
  const did = [...new Set(sentences.flatMap(({ words }) => words ?? []))].filter(
    (words) => words !== own.words,
  );
  const [first = '', ...others] = own.words === null ? did : [own.words, ...did];
  const raw = [...steps.flatMap((step) => (step.what === what ? [] : [step.what])), ...dids];
  return {
    at,
    words: first,
    did: others,
    runId,
    eventId,
    by: unlessIn(first, nameIn(entry)),
    why: unlessIn(first, entry.why),
    isBad: own.isBad === true || sentences.some(({ isBad }) => isBad === true),
    technical: [what, ...raw],
    steps: steps.map(({ number }) => number),
  };
}

const unlessIn = (words: string, text: string | null): string | null =>
  text !== null && words.toLowerCase().includes(text.toLowerCase()) ? null : text;

/** How many rows one round has at most. */
const LONGEST_ROUND = 6;
/** Two equal ones are read faster than what says that there were two. */
const LEAST_ROUNDS = 3;

/** Rounds that say the same, one after the other, become one; the first and the last row never do. */
export async function folded(rows: readonly HappenedRow[]): Promise<HappenedItem[]> {
  const items: HappenedItem[] = [];
  const same: string[] = [];
  const breathe = breathing();
  for (const row of rows) {
    await breathe();
    same.push(sameOf(row));
  }
  for (let at = 0; at < rows.length; ) {
    await breathe();
    const { length, times } = roundsFrom(same, at);
    const round = rows.slice(at, at + length);
    const all = rows.slice(at, at + length * times);
    items.push({ rows: round, times, others: all.slice(length), lastAt: all.at(-1)?.at ?? null });
    at += length * times;
  }
  return items;
}

function roundsFrom(same: readonly string[], at: number): { length: number; times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= LONGEST_ROUND; length++) {
    let times = 1;
    while (isEqual(same, { at, length, times })) times++;
    const covered = length * times;
    if (times >= LEAST_ROUNDS && covered > best.length * best.times) best = { length, times };
  }
  return best;
}

const isEqual = (
  same: readonly string[],
  { at, length, times }: { readonly at: number; readonly length: number; readonly times: number },
): boolean => {
  const next = same.slice(at + length * times, at + length * (times + 1));
  return next.length === length && next.every((each, index) => each === same[at + index]);
};

const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)/g;

/** Rounds differ in their times alone. */
const sameOf = ({ words, did, by, why }: HappenedRow): string =>
  JSON.stringify([words, did, by, why]).replaceAll(INSTANT, '');
