// Metrics of what waits for people: how many cases and entries of Work there are, and the age of the oldest. Read at a scrape; every
// console reports the same.
import { type EntryKind, entryKinds, type InboxView } from '../processes/inbox/inbox-entry.ts';
import type { ProcessCounts } from '../processes/views/counts.ts';
import { TimeLimit } from '../shared/limits/time-limit.ts';
import { gauges, type Report } from '../shared/telemetry/metrics.ts';

/** Prometheus waits for 10 s, and must not lose the other metrics. */
const WITHIN_MS = 8_000;
/** A reading takes some queries, and Prometheus scrapes more often than anybody needs to know. */
const KEPT_MS = 30_000;
/** Flow files name the inboxes. Above this limit, the rest are reported as one. */
const MAX_INBOXES = 20;
const OTHERS = 'others';

export interface WorkReaders {
  inbox(): Promise<InboxView>;
  counts(): Promise<ProcessCounts>;
}

interface Work {
  readonly inbox: InboxView;
  readonly counts: ProcessCounts;
}

export function measureWork({ inbox, counts }: WorkReaders, now: () => number = Date.now): void {
  let last: { readonly at: number; readonly work: Promise<Work> } | undefined;
  const read = (): Promise<Work> => {
    if (last && now() - last.at < KEPT_MS) return last.work;
    const work = Promise.all([inbox(), counts()]).then((both) => ({ inbox: both[0], counts: both[1] }));
    const reading = { at: now(), work };
    last = reading;
    work.catch(() => {
      if (last === reading) last = undefined;
    });
    return work;
  };
  /** The inboxes reported so far: a gauge that is not reported again would keep its last value. */
  const toldInboxes = new Set<string>();
  gauges(help, async (report) => {
    using limit = new TimeLimit(WITHIN_MS);
    const work = await limit.race(read()).catch(() => undefined);
    report('lockerflow_work_is_read', work ? 1 : 0);
    if (!work) return;
    reportWork(work, report, now());
    reportInboxes(work, report, now(), toldInboxes);
  });
}

const help = {
  lockerflow_work_is_read:
    'Whether Temporal has said within 8 s what waits for people; if not, the others are as they were.',
  lockerflow_cases:
    'Cases: open, and of these overdue, halted or in doubt (needs_person), with a question (waits_for_answer); failed ones that nobody has started again.',
  lockerflow_work_entries: 'What waits for a person, by kind: the entries of Work that nobody has snoozed.',
  lockerflow_work_oldest_seconds: 'Age of the oldest of them.',
  lockerflow_work_unread: 'Kinds of which not all could be read.',
  lockerflow_questions: 'Open questions by inbox, of the first 20 inboxes that had some; the rest is others.',
  lockerflow_question_oldest_seconds: 'Age of the oldest question by inbox.',
} as const;

function reportWork(
  { inbox: { entries, unread, snoozed }, counts }: Work,
  report: Report<keyof typeof help>,
  now: number,
): void {
  const { open, overdue, needsPerson, waitsForAnswer, failed } = counts;
  const states = { open, overdue, needs_person: needsPerson, waits_for_answer: waitsForAnswer, failed };
  for (const [state, count] of Object.entries(states)) report('lockerflow_cases', count, { state });
  const awake = entries.filter(({ id }) => !snoozed?.has(id));
  for (const kind of entryKinds) {
    const own = awake.filter((entry) => entry.kind === kind);
    report('lockerflow_work_entries', own.length, { kind });
    report('lockerflow_work_oldest_seconds', oldestOf(own, now), { kind });
    report('lockerflow_work_unread', unread.some((each) => isOf(each.kind, kind)) ? 1 : 0, { kind });
  }
}

function reportInboxes(
  { inbox: { entries, snoozed } }: Work,
  report: Report<keyof typeof help>,
  now: number,
  told: Set<string>,
): void {
  const awake = entries.filter(({ id, task }) => task && !snoozed?.has(id));
  const labelled = awake.map((entry) => ({ entry, inbox: labelOf(entry.task?.inbox ?? OTHERS, told) }));
  for (const inbox of told) {
    const own = labelled.flatMap((each) => (each.inbox === inbox ? [each.entry] : []));
    report('lockerflow_questions', own.length, { inbox });
    report('lockerflow_question_oldest_seconds', oldestOf(own, now), { inbox });
  }
}

/** A file may compute the name of an inbox from data: only the first ones get a label of their own. */
function labelOf(inbox: string, told: Set<string>): string {
  const label = told.has(inbox) || told.size < MAX_INBOXES ? inbox : OTHERS;
  told.add(label);
  return label;
}

/** Null: all of them. */
const isOf = (unread: EntryKind | null, kind: EntryKind): boolean => unread === null || unread === kind;

type Aged = Pick<InboxView['entries'][number], 'since' | 'clockAheadMs'>;

const oldestOf = (entries: readonly Aged[], now: number): number =>
  entries.reduce((oldest, { since, clockAheadMs }) => {
    const begun = since === null ? now : Date.parse(since) - clockAheadMs;
    return Math.max(oldest, (now - begun) / 1_000);
  }, 0);
