// What happened in a process, over all its runs: as data, and in sentences for people, each with what the process did then below
// it. The command line, the API and the page tell the same.
import { z } from 'zod';
import { yieldToEventLoop } from '../../shared/limits/yield-to-event-loop.ts';
import { t } from '../../shared/texts/text.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { addedAfterEnd, entryOfAdded } from './after-end.ts';
import { type DeliveryOutcome, deliveryOutcomes } from './deliveries.ts';
import { decoderOf, runsOf } from './history.ts';
import { legsIn, NO_BOOKINGS, namesIn } from './progress.ts';
import type { Names } from './readable.ts';
import { withReceivers } from './sent-events.ts';
import type { Sentence } from './sentence.ts';
import { sentenceOf } from './sentences.ts';
import type { ShownProcess } from './shown-process.ts';
import { nameIn, type TimelineEntry, timeline, timelineOf } from './timeline.ts';
import type { TimelineData } from './timeline-data.ts';
import { isOpenEnd, type Undo, undo, undosOf } from './undoable.ts';

const row = z.object({
  at: z.string().nullable(),
  words: z.string(),
  did: z.array(z.string()).meta({ description: 'What the process did then' }),
  by: z.string().nullable().meta({ description: 'Who made it happen, where the words do not say it' }),
  why: z.string().nullable().meta({ description: 'Why, where the words do not say it' }),
  isByPeople: z.boolean().meta({ description: 'Somebody made it happen, whether or not the words say who' }),
  isBad: z.boolean(),
  undo: undo.nullable().meta({ description: 'Null: it stays as it is' }),
  runId: z.string(),
  eventId: z.string(),
  of: z
    .object({ key: z.string(), title: z.string() })
    .exactOptional()
    .meta({ description: 'The flow in which it happened, where the process has started that' }),
  to: z
    .string()
    .exactOptional()
    .meta({ description: 'Of a message: the userUid in the words, for who may act on processes' }),
  from: z.string().exactOptional().meta({
    description: 'Of a start: the key of the process whose place it has taken; the words end with it',
  }),
  isNote: z.literal(true).exactOptional().meta({ description: 'It is a note of a person' }),
  isAtLocker: z.literal(true).exactOptional().meta({
    description: 'What became of an item at its locker: the door opened before that',
  }),
  isPending: z
    .literal(true)
    .exactOptional()
    .meta({ description: 'It is still being sent outside: what becomes of it is not known yet' }),
});
type Row = z.infer<typeof row>;
export type HappenedRow = Readonly<Row>;

export const processHistory = timeline.extend({
  happened: z.array(row).meta({ description: 'What happened, in sentences for people' }),
});
export type ProcessHistory = Readonly<z.infer<typeof processHistory>>;

interface HistoryOptions {
  readonly maxEvents?: number;
  /** Whether it says what was answered to the questions of the process, which is data of the process; true unless given. */
  readonly mayReadAnswers?: boolean;
  /** Epoch milliseconds. */
  readonly now?: number;
}

/** Throws FlowNotFound, and CommandError (HistoryTooLong). */
export async function historyOfProcess(
  { client }: Pick<TemporalContext, 'client'>,
  { key, runId, progress, status }: Pick<ShownProcess, 'key' | 'runId' | 'progress' | 'status'>,
  { maxEvents, mayReadAnswers = true, now = Date.now() }: HistoryOptions = {},
): Promise<ProcessHistory> {
  const roles = rolesIn(progress);
  const runs = await runsOf(client, key, maxEvents);
  const all = await timelineOf(runs, decoderOf(client), (uid) => roles.get(uid));
  const later = status === 'Running' ? [] : await addedAfterEnd(client, [runId]);
  const told = [...all.entries, ...later.map(entryOfAdded)];
  const heard = await withReceivers(client, told);
  const entries = mayReadAnswers ? heard : heard.map(withoutAnswer);
  const undos = status === 'Running' ? undosOf(all.entries, now) : new Map<string, Undo>();
  const isOpen = ({ fields }: Undo) => progress === null || isOpenEnd(fields, progress);
  const rows = await happenedOf(
    entries,
    namesIn(progress ?? NO_BOOKINGS),
    await deliveriesOf(client, entries),
  );
  const happened = rows.map((each) => {
    const undo = undos.get(`${each.runId} ${each.eventId}`);
    return { ...each, undo: undo && isOpen(undo) ? undo : null };
  });
  return { ...all, entries, happened };
}

/** What became of what people sent outside. */
export const deliveriesOf = (client: TemporalContext['client'], entries: readonly TimelineEntry[]) =>
  deliveryOutcomes(
    client,
    entries.flatMap(({ data }) => deliveryIn(data) ?? []),
  );

const deliveryIn = (data: TimelineData): string | undefined =>
  data.type === 'updated' ? data.delivery : undefined;

type Answer = ShownProcess['progress'];

/** The role of each shipment by its uid, as far as the process says them. */
const rolesIn = (progress: Answer): ReadonlyMap<string, string> =>
  new Map(legsIn(progress ?? NO_BOOKINGS).map(({ role, shipment }) => [shipment.shipmentUid, role]));

export function withoutAnswer(entry: TimelineEntry): TimelineEntry {
  const { data } = entry;
  return data.type === 'updated' ? { ...entry, data: { ...data, values: null } } : entry;
}

/** What the process asks for, which Temporal then notes: it belongs to what came before. */
const asked: ReadonlySet<TimelineData['type']> = new Set([
  'callBegun',
  'timerBegun',
  'timerDropped',
  'flowStarted',
  'told',
  'sent',
  'phase',
]);

export async function happenedOf(
  entries: readonly TimelineEntry[],
  names: Names,
  deliveries: ReadonlyMap<string, DeliveryOutcome> = new Map(),
): Promise<HappenedRow[]> {
  const rows: Row[] = [];
  // The last that came and says nothing to people: what the process did then stands in its place.
  let silent: TimelineEntry | undefined;
  const yieldNow = yieldToEventLoop();
  for (const entry of startedTogether(changesOfPhase(onceFailed(entries)))) {
    await yieldNow();
    const sentence = sentenceOf(entry, names);
    const { words, isBad = false } = sentence;
    const isAsked = asked.has(entry.data.type);
    const last = rows.at(-1);
    if (isAsked && last && !silent) addTo(last, words, isBad);
    else if (words === null && last) silent = isAsked ? silent : entry;
    else {
      const of = (isAsked && silent) || entry;
      rows.push({
        ...rowOf(of, words ?? t`It goes on from before.`),
        ...attribution(of, sentence),
        isByPeople: nameIn(of) !== null,
        isBad,
        undo: null,
        ...besideOf(of.data, isBad, deliveries),
      });
      silent = undefined;
    }
  }
  return rows;
}

/** Beside the sentence: of what was sent, to whom and what became of it. */
function besideOf(
  data: TimelineData,
  isBad: boolean,
  deliveries: ReadonlyMap<string, DeliveryOutcome>,
): Partial<Pick<Row, 'to' | 'did' | 'isBad' | 'isNote' | 'isAtLocker' | 'isPending' | 'from'>> {
  const delivered = deliveries.get(deliveryIn(data) ?? '');
  return {
    ...toIn(data),
    ...(data.type === 'started' && data.movedFrom && { from: data.movedFrom.key }),
    ...(data.type === 'updated' && data.name === 'note' && { isNote: true }),
    ...(data.type === 'reported' && { isAtLocker: true }),
    ...(delivered && { did: [delivered.words], isBad: isBad || delivered.state === 'refused' }),
    ...(delivered?.state === 'trying' && { isPending: true }),
  };
}

const toIn = (data: TimelineData): Pick<Row, 'to'> => {
  const to = data.type === 'updated' && data.name === 'message' ? data.values?.to : undefined;
  return typeof to === 'string' ? { to } : {};
};

/** Without the ends by what the call before has failed by: it is one failure, and told once. */
function onceFailed(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const came = entries.filter(({ data }) => !asked.has(data.type));
  const again = came.filter(({ data }, index) => {
    const before = came[index - 1]?.data;
    if (data.type !== 'failed' || before?.type !== 'callFailed') return false;
    const { code, message } = before.failure;
    return data.failure.code === code && data.failure.message === message;
  });
  return entries.filter((entry) => !again.includes(entry));
}

/** All attributes are set anew where somebody acts: a phase that stays is nothing that happened then. */
function changesOfPhase(entries: readonly TimelineEntry[]): TimelineEntry[] {
  let phase: string | undefined;
  return entries.filter(({ data }) => {
    if (data.type !== 'phase') return true;
    const isNew = data.phase !== phase;
    phase = data.phase;
    return isNew;
  });
}

/** Flows of the same kind that it starts one after the other, as an `each` does, are one sentence. */
function startedTogether(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const together: TimelineEntry[][] = [];
  for (const entry of entries) {
    const last = together.at(-1);
    if (last?.[0] && isStartedAlike(last[0], entry)) last.push(entry);
    else together.push([entry]);
  }
  return together.map(([first, ...others]) => {
    const titles = [first, ...others].flatMap((each) => titleOfStarted(each) ?? []);
    const entry = first as TimelineEntry;
    return others.length > 0 && entry.data.type === 'flowStarted'
      ? { ...entry, data: { ...entry.data, itemTitle: formatSome(titles) } }
      : entry;
  });
}

const titleOfStarted = (entry: TimelineEntry | undefined): string | undefined =>
  entry?.data.type === 'flowStarted' ? entry.data.itemTitle : undefined;

const isStartedAlike = (one: TimelineEntry, other: TimelineEntry): boolean =>
  [one, other].every((each) => titleOfStarted(each) !== undefined) &&
  (one.data as { flow: string }).flow === (other.data as { flow: string }).flow;

/** Nobody reads more names in one sentence. */
const MAX_NAMED = 5;

const formatSome = (names: readonly string[]): string =>
  names.length > MAX_NAMED
    ? t`${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ');

/** What the process did at what came. */
function addTo(row: Row, words: string | null, isBad: boolean): void {
  if (words !== null && words !== row.words && !row.did.includes(words)) row.did.push(words);
  row.isBad ||= isBad;
}

function rowOf(
  entry: TimelineEntry,
  words: string,
): Omit<Row, 'isByPeople' | 'isBad' | 'by' | 'why' | 'undo'> {
  const { at, runId, eventId } = entry;
  return { at, words, did: [], runId, eventId };
}

/** Who and why, unless the sentence says it. */
const attribution = (entry: TimelineEntry, { saysWho, saysWhy }: Sentence): Pick<Row, 'by' | 'why'> => ({
  by: saysWho ? null : nameIn(entry),
  why: saysWhy ? null : entry.why,
});
