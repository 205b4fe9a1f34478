// The parts of a case that does the same for many, as an `each` of its flow file: where each stands, also those that have not begun.
// Whom they are for is of people, and told apart (subject.ts).
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { formatBatch } from '../../../processes/views/batch-words.ts';
import { whereOf } from '../../../processes/views/item-locations.ts';
import { t } from '../../../shared/texts/text.ts';
import { lockersOf } from './lockers.ts';
import type { CasePart, LockerShown, ProcessOverview, UpcomingEvent } from './overview-view.ts';
import { nextOf } from './upcoming-events.ts';

/** Nobody reads a longer table; the summary counts all. */
export const MAX_PARTS = 100;

type Batch = NonNullable<ProcessProgress['batches']>[number];
type Status = 'open' | 'done' | 'failed' | 'cancelled' | 'notBegun';

export function statusIn({ next, open, failed, left }: Omit<Batch, 'of'>, index: number): Status {
  if (index >= next) return 'notBegun';
  if (open.includes(index)) return 'open';
  if (failed.includes(index)) return 'failed';
  return left.includes(index) ? 'cancelled' : 'done';
}

const isUrgent: Readonly<Record<Status, number>> = { open: 0, notBegun: 1, failed: 2, cancelled: 3, done: 4 };

/** Those that are shown of a batch, by their indexes: what is over is left out first. */
export function indexesShown(batch: Omit<Batch, 'of'>): readonly number[] {
  const all = Array.from({ length: batch.items }, (_, index) => index);
  if (all.length <= MAX_PARTS) return all;
  const rank = (index: number) => isUrgent[statusIn(batch, index)];
  return all.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_PARTS);
}

export const partId = ({ id }: Pick<Batch, 'id'>, index: number): string => `${id}.${index}`;

/** A flow that the process has started, as far as it is known. */
export interface PartProcess {
  readonly key: string;
  readonly overview: Pick<ProcessOverview, 'where' | 'next'> | null;
  readonly lockers: readonly LockerShown[];
}

interface PartsInput {
  readonly key: string;
  readonly progress: ProcessProgress | null;
  readonly children: readonly PartProcess[];
}

/** Who is late stands first, then what the desk is to fetch, then who has not come. */
export function casePartsOf({ key, progress, children }: PartsInput): CasePart[] {
  if (!progress) return [];
  const keys = new Map(progress.children.map((child) => [child.id, child.key]));
  const parts = (progress.batches ?? []).flatMap((batch) =>
    indexesShown(batch).map((index) => {
      const id = partId(batch, index);
      const status = statusIn(batch, index);
      const known = keys.get(id) ?? `${key}/${id}`;
      const child = children.find((each) => each.key === known) ?? ofBooking(key, id, progress);
      const [locker] = child?.lockers ?? [];
      const part: CasePart = {
        id,
        key: child && child.key !== key ? child.key : null,
        stage: status === 'open' ? stageOf(locker) : status,
        where: [...(child?.overview?.where ?? [])],
        next: child?.overview?.next[0] ?? (status === 'notBegun' ? toBegin(batch) : null),
      };
      return { part, rank: rankOf(part, locker) };
    }),
  );
  return parts.toSorted((one, other) => one.rank - other.rank).map(({ part }) => part);
}

function toBegin({ atOnce }: Batch): UpcomingEvent {
  const limit = atOnce === undefined ? '' : t`; ${atOnce} at a time`;
  const words = t`Not begun: begins when one of the others is done${limit}`;
  return { code: null, words, until: null, isOverdue: false };
}

/** Where its items are booked by the process itself. */
function ofBooking(key: string, id: string, progress: ProcessProgress): PartProcess | undefined {
  const bookings = progress.bookings.filter((each) => each.id === id);
  if (bookings.length === 0) return undefined;
  const waitingFor = progress.waitingFor.filter(({ booking }) => booking === id);
  const own = { ...progress, bookings, waitingFor, halted: null };
  const next = nextOf({ chart: null, timers: [] }, own);
  return { key, overview: { where: whereOf(own, true), next }, lockers: lockersOf(key, own) };
}

const stages: Readonly<Record<string, CasePart['stage']>> = { DropOff: 'toBring', PickUp: 'inside' };
const stageOf = (locker: LockerShown | undefined): CasePart['stage'] => stages[locker?.goal ?? ''] ?? 'open';

const order: readonly CasePart['stage'][] = [
  'failed',
  'cancelled',
  'toBring',
  'open',
  'notBegun',
  'inside',
  'done',
];
function rankOf({ stage, next }: CasePart, locker: LockerShown | undefined): number {
  if (next?.isOverdue) return -2;
  return locker?.isForDesk ? -1 : order.indexOf(stage);
}

/** One for each `each` at work. */
export const summariesOf = (progress: ProcessProgress | null, parts: readonly CasePart[]): string[] =>
  progress === null || parts.length === 0
    ? []
    : (progress.batches ?? []).map((each) => summaryOf(each, progress, parts));

/** "0 of 6 back: 1 in a locker, 2 to be brought, 3 not begun". */
export function summaryOf(
  batch: Batch,
  { bookings }: Pick<ProcessProgress, 'bookings'>,
  parts: readonly CasePart[],
): string {
  const own = parts.filter((part) => part.id.startsWith(`${batch.id}.`));
  const at = (stage: CasePart['stage']) => own.filter((part) => part.stage === stage).length;
  return formatBatch(batch, bookings, { inside: at('inside'), toBring: at('toBring') });
}

/** The same of several is said once, with how many: the table has each. */
export function together(events: readonly UpcomingEvent[]): UpcomingEvent[] {
  const byWords = new Map<string, UpcomingEvent[]>();
  for (const event of events) byWords.set(event.words, [...(byWords.get(event.words) ?? []), event]);
  return [...byWords.values()].flatMap((same) => {
    const [first] = same.toSorted((one, other) => (one.until ?? '').localeCompare(other.until ?? ''));
    if (!first) return [];
    const words =
      same.length === 1 ? first.words : t`${first.words.replace(/\.$/, '')} (${same.length} parts).`;
    return [{ ...first, words, isOverdue: same.some(({ isOverdue }) => isOverdue) }];
  });
}
