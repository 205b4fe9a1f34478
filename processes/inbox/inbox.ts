// The inbox: everything that waits for a person, from all sources at once. A source that fails hides none of the others, and is
// named.

import { DEFAULT_PRIORITY } from '../../flows/language/machine/tasks.ts';
import { t } from '../../shared/texts/text.ts';
import { type ActionForm, questionForm, taskForms, WHY_FIELD } from '../action-forms/question-forms.ts';
import { AnswerCache } from '../answer-cache.ts';
import { ProcessClocks } from '../flow-clock.ts';
import { commandErrorOf } from '../outcome.ts';
import { callTemporal } from '../temporal-context.ts';
import { toNextStates } from '../views/awaited.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { capitalized, formatFlowName, formatState } from '../views/format-names.ts';
import { foundPage } from '../views/found-flows.ts';
import { formatItemToSee } from '../views/item-to-see.ts';
import { type KeptQuestions, type Question, questionsAsked } from '../views/questions.ts';
import { formatDuration, sentence } from '../views/readable.ts';
import { type UnmatchedRow, unmatchedQuery, unmatchedRows } from '../views/unmatched.ts';
import { decisions } from './decisions.ts';
import { eventsNotTaken } from './events-not-taken.ts';
import { failedStarts } from './failed-starts.ts';
import {
  type EntryKind,
  formatUnanswered,
  type InboxEntry,
  type InboxParts,
  type InboxSource,
  type InboxView,
  type SourceRead,
  type Unread,
} from './inbox-entry.ts';
import { itemsLeft } from './items-left.ts';
import { itemsOut } from './items-out.ts';
import { late, lateAtOfflineWalls } from './late.ts';
import { openDoors } from './open-doors.ts';
import { outOfOrder } from './out-of-order.ts';
import { snoozedEntries } from './snooze.ts';
import { doors } from './stuck-doors.ts';
import { missingWorkers } from './workers.ts';

export class Inbox {
  readonly keptQuestions: KeptQuestions = new AnswerCache();
  readonly #parts: InboxParts;
  readonly #sources: readonly InboxSource[];
  readonly #lastRead: LastRead = new Map();

  constructor(parts: InboxParts) {
    this.#parts = parts;
    const clocks = new ProcessClocks();
    this.#sources = [
      decisions(clocks),
      questions(clocks, this.keptQuestions),
      late(clocks),
      failedStarts(),
      doors,
      openDoors,
      itemsLeft,
      itemsOut,
      unmatched,
      eventsNotTaken(),
      outOfOrder,
    ];
  }

  async read(): Promise<InboxView> {
    const [view, ofWorkers] = await Promise.all([
      readInbox(this.#parts, this.#sources, this.#lastRead),
      // Where Temporal does not answer, each source says so.
      missingWorkers(this.#parts).catch(() => []),
    ]);
    return { ...view, unread: [...ofWorkers, ...view.unread] };
  }
}

/** What each source gave last. What cannot be read now stays: it waits for a person as long as nobody knows otherwise. */
type LastRead = Map<EntryKind, readonly InboxEntry[]>;

export async function readInbox(
  parts: InboxParts,
  sources: readonly InboxSource[],
  lastRead: LastRead = new Map(),
): Promise<InboxView> {
  const entries: InboxEntry[] = [];
  const unread: Unread[] = [];
  const reading = sources.map(async (source) => {
    const before = lastRead.get(source.kind) ?? [];
    try {
      const { entries: read, incomplete, unanswered } = await callTemporal(parts, () => source.read(parts));
      const silent = new Set(unanswered);
      const old = before.filter(({ key }) => key !== null && silent.has(key));
      entries.push(...read, ...old);
      const asOf = new Date().toISOString();
      lastRead.set(source.kind, [...read.map((entry) => ({ ...entry, asOf })), ...old]);
      if (incomplete) unread.push({ kind: source.kind, what: source.what(), why: incomplete });
    } catch (error) {
      entries.push(...before);
      unread.push({ kind: source.kind, what: source.what(), why: reasonOf(error) });
    }
  });
  const snoozed = callTemporal(parts, () => snoozedEntries(parts)).catch((error) => {
    unread.push({ kind: null, what: t`what is snoozed`, why: reasonOf(error) });
    return undefined;
  });
  const [memos] = await Promise.all([snoozed, ...reading]);
  return {
    ...(memos && { snoozed: memos }),
    entries: lateAtOfflineWalls(entries).sort(byUrgency(Date.now())),
    unread: unread.sort((one, other) => one.what.localeCompare(other.what)),
  };
}

function reasonOf(error: unknown): string {
  const refusal = commandErrorOf(error);
  if (!refusal) throw error;
  return refusal.code === 'UnknownOperation'
    ? t`this locker service does not have the operation that lists them`
    : refusal.message;
}

const byUrgency = (now: number) => (one: InboxEntry, other: InboxEntry) =>
  (other.priority ?? DEFAULT_PRIORITY) - (one.priority ?? DEFAULT_PRIORITY) ||
  Number(isOverdue(other, now)) - Number(isOverdue(one, now)) ||
  byAge(one, other);

const isOverdue = ({ due, clockAheadMs }: InboxEntry, now: number): boolean =>
  due !== undefined && Date.parse(due) - clockAheadMs < now;

/** What has no age is told first: it may be the oldest. Each by its own clock: one may be ahead of the others. */
const byAge = (one: InboxEntry, other: InboxEntry): number =>
  begun(one) - begun(other) || one.id.localeCompare(other.id);

const begun = ({ since, clockAheadMs }: InboxEntry): number =>
  since === null ? Number.MIN_SAFE_INTEGER : Date.parse(since) - clockAheadMs;

const MAX_SHOWN = 100;

export const unmatched: InboxSource = {
  kind: 'unmatched',
  what: () => t`unmatched callbacks`,
  read: readUnmatched,
};

async function readUnmatched(parts: InboxParts): Promise<SourceRead> {
  const query = `${unmatchedQuery({})} AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  const rows = await unmatchedRows(parts, flows);
  return {
    entries: rows.map(unmatchedEntry),
    ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }),
  };
}

function unmatchedEntry({ workflowId, input, since, givenUp, newest }: UnmatchedRow): InboxEntry {
  const latest = newest
    ? t` The newest says: ${formatState(newest.stateCode)}${newest.case ? t`, case number ${newest.case}` : ''}.`
    : '';
  const lost = givenUp > 0 ? t` ${givenUp} older ones were given up.` : '';
  return {
    id: `unmatched:${workflowId}`,
    kind: 'unmatched',
    since,
    clockAheadMs: 0,
    title:
      input.kind === 'shipment'
        ? t`An item that no case follows`
        : t`Messages of the type ${input.messageType}`,
    why:
      input.kind === 'shipment'
        ? t`The locker service reports an item that no open case has.${latest}${lost}`
        : t`Messages of the type ${input.messageType} came, which lockerflow does not know.${lost}`,
    ifNothing: t`They are kept for ${formatDuration(input.keepFor) ?? input.keepFor} from their arrival, and then closed as not claimed.`,
    toDo:
      input.kind === 'shipment'
        ? t`If one of the cases should have it, give the reports to that. If another system booked it, drop them.`
        : t`Read them with lockerflow unmatched show; drop them if nobody needs them.`,
    key: null,
    pupUid: newest?.pickUpPoint ?? null,
    lockerName: null,
    shipmentUid: input.kind === 'shipment' ? input.shipmentUid : null,
    actions: [
      ...(input.kind === 'shipment' ? [claimForm(workflowId, newest?.case ?? undefined)] : []),
      dropForm(workflowId),
    ],
  };
}

const requestOf = (id: string, command: 'claim' | 'drop') => ({
  path: `/v1/unmatched/${encodeURIComponent(id)}/${command}`,
  body: {},
});

const claimForm = (id: string, suggested: string | undefined): ActionForm => ({
  id: 'claim',
  label: t`Give them to a case`,
  consequence: t`The case gets the reports as if they had just come. It must be open and have this shipment.`,
  fields: [
    { name: 'to', label: t`Business key of the case`, kind: 'text', ...(suggested && { suggested }) },
    WHY_FIELD(),
  ],
  request: requestOf(id, 'claim'),
});

const dropForm = (id: string): ActionForm => ({
  id: 'drop',
  label: t`Drop them`,
  consequence: t`The reports are closed, and no case gets them. Later ones are kept again.`,
  fields: [WHY_FIELD()],
  request: requestOf(id, 'drop'),
  isDestructive: true,
});

// A page waits for the whole inbox.
const ANSWER_WITHIN_MS = 5_000;

export const questions = (clocks: ProcessClocks, kept: KeptQuestions): InboxSource => ({
  kind: 'question',
  what: () => t`questions of cases`,
  read: (parts) => readQuestions(parts, clocks, kept),
});

async function readQuestions(
  parts: InboxParts,
  clocks: ProcessClocks,
  kept: KeptQuestions,
): Promise<SourceRead> {
  const { items, unanswered } = await questionsAsked(parts, {}, { withinMs: ANSWER_WITHIN_MS, kept });
  return {
    entries: await Promise.all(
      items.map(async (each) => questionEntry(each, await clocks.aheadMs(parts, each))),
    ),
    unanswered,
    ...(unanswered.length > 0 && { incomplete: formatUnanswered(unanswered.length) }),
  };
}

/** What a migration has changed of a question; a worker of another release may say more. */
const formatNote = (note: string): string[] =>
  note.split('; ').map((each) => {
    const [, former] = FORMER_INBOX.exec(each) ?? [];
    if (former !== undefined) return t`Before a migration ${former} was asked.`;
    return each === ASKED_ANEW ? t`It was asked anew: a migration has changed its fields.` : sentence(each);
  });

const ASKED_ANEW = 'asked anew: its fields have changed';
const FORMER_INBOX = /^was asked of (.+) before$/;

export function questionEntry(asked: Question, clockAheadMs: number): InboxEntry {
  const { key, flow, question, of, text, fields, askedAt, until, priority, due, holder, item, note } = asked;
  const pupUid = item?.pupUid ?? asked.pupUid;
  const open = { ...asked, id: question, holder: holder ?? undefined };
  const to = toNextStates(asked.unanswered);
  return {
    // A key may have any character; the question's id has none of these.
    id: `question:${question}:${key}`,
    kind: 'question',
    since: askedAt,
    clockAheadMs,
    title: text,
    why: [
      t`“${formatFlowName(flow)}” asks ${of}.`,
      ...(holder === null ? [] : [t`${holder} has taken it.`]),
      ...(due === null ? [] : [t`It is due at ${due}.`]),
      ...(note === undefined ? [] : formatNote(note)),
    ].join(' '),
    ifNothing: until
      ? t`After ${until} the case goes on${to} without an answer.`
      : t`The case waits for the answer, for as long as it takes.`,
    toDo: [
      holder === null
        ? t`${capitalized(of)} is asked; whoever knows the answer and may give it answers. Take it first if others may work on it too.`
        : t`${holder} answers it; others can assign it to themselves.`,
      ...(item ? [formatItemToSee([item.lockerName, pupUid].filter(Boolean).join(', '))] : []),
    ].join(' '),
    key,
    pupUid,
    lockerName: item?.lockerName ?? null,
    shipmentUid: null,
    priority,
    ...(due !== null && { due }),
    task: { inbox: of, holder, until, form: JSON.stringify([flow, question, fields]) },
    actions: [questionForm(key, open), ...taskForms(key, open)],
  };
}
