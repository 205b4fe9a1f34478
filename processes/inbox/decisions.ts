// The processes that wait for a person's decision: a booking in doubt, a shipment that contradicts what was heard, what could
// not be undone, a step of a flow file that cannot be taken.

import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { DecisionReason } from '../../contract/flows/wait-codes.ts';
import { decisionsOf } from '../action-forms/action-forms.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { actionsAndProgressOf } from '../actions.ts';
import { AnswerCache } from '../answer-cache.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, askingMany } from '../at-temporal.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatName } from '../views/format-names.ts';
import { everyFound, type FoundFlow } from '../views/found-flows.ts';
import {
  formatUnanswered,
  type InboxEntry,
  type InboxParts,
  type InboxSource,
  type SourceRead,
} from './inbox-entry.ts';

// As many as people can look through; each costs a question to its process when something has happened to it.
const MAX_SHOWN = 100;
// A page waits for the whole inbox.
const ANSWER_WITHIN_MS = 5_000;

export function decisions(): InboxSource {
  const kept = new AnswerCache<ProcessAnswer>();
  return { kind: 'decision', what: 'decisions of processes', read: (parts) => read(parts, kept) };
}

async function read(parts: InboxParts, kept: AnswerCache<ProcessAnswer>): Promise<SourceRead> {
  const found: FoundFlow[] = [];
  const query = `LockerPhase = 'NeedsPerson' AND ExecutionStatus = 'Running' AND ${onTaskQueue(parts.taskQueue)}`;
  for await (const flow of everyFound(parts.client, query)) found.push(flow);
  const oldest = found.toSorted(byStart).slice(0, MAX_SHOWN);
  const entries: InboxEntry[] = [];
  const unanswered: string[] = [];
  const asking = askingMany(parts, ANSWER_WITHIN_MS);
  const ask = (flow: FoundFlow) => kept.of(parts, flow.workflowId, () => asking(() => asked(parts, flow)));
  for await (const { item, outcome } of eachAtOnce(oldest, ask))
    if (outcome.done) entries.push(...entryOf(item, outcome.value));
    else unanswered.push(item.workflowId);
  const incomplete = [
    ...(unanswered.length > 0 ? [formatUnanswered(unanswered.length)] : []),
    ...(found.length > MAX_SHOWN ? [`only the oldest ${MAX_SHOWN} of ${found.length} are shown`] : []),
  ].join('; ');
  return { entries, unanswered, ...(incomplete && { incomplete }) };
}

const byStart = (one: FoundFlow, other: FoundFlow) =>
  (one.startedAt ?? '').localeCompare(other.startedAt ?? '');

interface ProcessAnswer {
  readonly progress: ProcessProgress;
  readonly actions: readonly ActionForm[];
}

async function asked(
  parts: AtTemporal,
  { workflowId, flow }: Pick<FoundFlow, 'workflowId' | 'flow'>,
): Promise<ProcessAnswer> {
  const { progress: answer, ...actions } = await actionsAndProgressOf(parts, workflowId, ANSWER_WITHIN_MS);
  const progress = answer as ProcessProgress;
  return { progress, actions: decisionsOf({ key: workflowId, isOpen: true, flow, progress, actions }) };
}

/** None: it has been decided since the search attribute was written. */
export function entryOf(
  { workflowId, startedAt, pickUpPoint }: FoundFlow,
  { progress, actions }: ProcessAnswer,
): InboxEntry[] {
  if (actions.length === 0) return [];
  return [
    {
      id: `decision:${workflowId}`,
      kind: 'decision',
      since: awaitedIn(progress).find(({ since }) => since !== null)?.since ?? startedAt,
      clockAheadMs: 0,
      ...textsOf(progress),
      reasons: awaitedIn(progress).map(({ code, params = {} }) => ({ code, params })),
      key: workflowId,
      pupUid: pickUpPoint,
      lockerName: null,
      shipmentUid: null,
      actions,
    },
  ];
}

/** The decisions that it waits for, the most urgent first. */
const awaitedIn = ({ waitingFor }: ProcessProgress): WaitingFor[] =>
  waitingFor.filter(({ kind }) => kind === 'decision');

function textsOf(progress: ProcessProgress): Pick<InboxEntry, 'title' | 'why' | 'ifNothing' | 'toDo'> {
  const awaited = awaitedIn(progress);
  const [first] = awaited;
  const { title, ifNothing, toDo } = textsBy(first?.code);
  const of = [
    progress.flow,
    ...(first?.booking !== undefined && progress.bookings.length > 1 ? [formatName(first.booking)] : []),
  ].join(', ');
  const why = awaited.map((each) => textsBy(each.code).why(each, progress));
  return { title: `${of}${title}`, why: [...new Set(why)].join(' '), ifNothing, toDo };
}

interface DecisionTexts {
  /** After the flow. */
  readonly title: string;
  /** Sentences. */
  readonly why: (awaited: WaitingFor, progress: ProcessProgress) => string;
  readonly ifNothing: string;
  readonly toDo: string;
}

const whatIsTrue: DecisionTexts = {
  title: ': what is true?',
  why: ({ why, words }) => `${why ?? words}.`,
  ifNothing:
    'The process goes on with what it believed before, and may wait for something that has happened.',
  toDo: 'Find out what is true, at the locker or from the receiver, and say so here.',
};

const byReason: Readonly<Record<DecisionReason, DecisionTexts>> = {
  Halted: {
    title: ' cannot take a step',
    why: (_awaited, { halted }) =>
      `The step for the event ${halted?.event} cannot be taken: ${halted?.message}.`,
    ifNothing: 'The process stands still, for as long as nobody decides. Its deadlines do not run on.',
    toDo: 'Let the flow file be corrected and published: lockerflow migrate --key … --apply then takes the event again. Only if nobody can correct it, decide here.',
  },
  BookingUnknown: {
    title: ': was it booked?',
    why(awaited, { bookings }) {
      const booking = bookings.find(({ id, isWhole }) => (isWhole ? true : id === awaited.booking));
      const { why = '', candidates = [] } = booking?.doubt ?? {};
      const seen = candidates.length > 0 ? ` It may be: ${candidates.join(', ')}.` : '';
      return `The answer to the booking was lost, so nobody knows whether it was made: ${why}.${seen}`;
    },
    ifNothing:
      'The process waits. If the booking was made, its locker stays taken, and nobody is told of it.',
    toDo: 'Look at the locker service, or ask its operator: if it was booked, adopt it; if it was not, book again.',
  },
  NotUndone: {
    title: ': not all could be undone',
    why: ({ why }) => `The process was cancelled, and could not undo everything: ${why}.`,
    ifNothing: 'The process goes on trying. What it cannot undo stays booked.',
    toDo: 'Mend the cause, like wrong credentials, and try again; or say what state the shipment is in.',
  },
  Contradiction: whatIsTrue,
  LegsUnmatched: whatIsTrue,
  LegsIndistinct: whatIsTrue,
};

/** A worker of another release may have a code that is not known here. */
const textsBy = (code = ''): DecisionTexts =>
  Object.hasOwn(byReason, code) ? byReason[code as DecisionReason] : whatIsTrue;
