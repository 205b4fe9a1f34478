// The processes that wait for a person's decision: a booking in doubt, a shipment that contradicts what was heard, what could
// not be undone, a step of a flow file that cannot be taken.

import { decisionsOf } from '../action-forms/action-forms.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { actionsAndProgressOf } from '../actions.ts';
import { AnswerCache } from '../answer-cache.ts';
import { eachAtOnce } from '../at-once.ts';
import { type AtTemporal, askingMany } from '../at-temporal.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { everyFound, type FoundFlow } from '../views/found-flows.ts';
import type { AnyProgress } from '../views/progress.ts';
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
  readonly progress: AnyProgress;
  readonly actions: readonly ActionForm[];
}

async function asked(
  parts: AtTemporal,
  { workflowId, flow }: Pick<FoundFlow, 'workflowId' | 'flow'>,
): Promise<ProcessAnswer> {
  const { progress: said, ...actions } = await actionsAndProgressOf(parts, workflowId, ANSWER_WITHIN_MS);
  const progress = said as AnyProgress;
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
      since: sinceOf(progress) ?? startedAt,
      clockAheadMs: 0,
      title: titleOf(progress),
      ...textsOf(progress),
      key: workflowId,
      pupUid: pickUpPoint,
      lockerName: null,
      shipmentUid: null,
      actions,
    },
  ];
}

function sinceOf(progress: AnyProgress): string | null {
  if ('halted' in progress) return null;
  return progress.reportHistory.find(({ judgement }) => judgement === 'contradictory')?.receivedAt ?? null;
}

const titleOf = (progress: AnyProgress): string => {
  if ('halted' in progress) return `${progress.flow} cannot take a step`;
  if (progress.doubt) return `${progress.flow}: was it booked?`;
  return progress.activity === 'NeedsPerson'
    ? `${progress.flow}: not all could be undone`
    : `${progress.flow}: what is true?`;
};

function textsOf(progress: AnyProgress): Pick<InboxEntry, 'why' | 'ifNothing' | 'toDo'> {
  if ('halted' in progress)
    return {
      why: `The step for the event ${progress.halted?.event} cannot be taken: ${progress.halted?.message}.`,
      ifNothing: 'The process stands still, for as long as nobody decides. Its deadlines do not run on.',
      toDo: 'Let the flow file be corrected and published: lockerflow migrate --key … --apply then takes the event again. Only if nobody can correct it, decide here.',
    };
  if (progress.doubt) {
    const { why, candidates } = progress.doubt;
    const seen = candidates.length > 0 ? ` It may be: ${candidates.join(', ')}.` : '';
    return {
      why: `The answer to the booking was lost, so nobody knows whether it was made: ${why}.${seen}`,
      ifNothing:
        'The process waits. If the booking was made, its locker stays taken, and nobody is told of it.',
      toDo: 'Look at the locker service, or ask its operator: if it was booked, adopt it; if it was not, book again.',
    };
  }
  const awaited = progress.waitingFor
    .flatMap(({ kind, why }) => (kind === 'decision' && why !== undefined ? [why] : []))
    .join('; ');
  if (progress.activity === 'NeedsPerson')
    return {
      why: `The process was cancelled, and could not undo everything: ${awaited}.`,
      ifNothing: 'The process goes on trying. What it cannot undo stays booked.',
      toDo: 'Mend the cause, like wrong credentials, and try again; or say what state the shipment is in.',
    };
  return {
    why: `${awaited}.`,
    ifNothing:
      'The process goes on with what it believed before, and may wait for something that has happened.',
    toDo: 'Find out what is true, at the locker or from the receiver, and say so here.',
  };
}
