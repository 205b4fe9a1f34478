// The processes that wait for a person's decision: a booking in doubt, a shipment that contradicts what was heard, what could
// not be undone, a step of a flow file that cannot be taken.

import { lastWorkerFailure } from '../../client/worker-failure.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { t } from '../../shared/texts/text.ts';
import { decisionsOf } from '../action-forms/action-forms.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { actionsAndProgressOf } from '../actions.ts';
import { AnswerCache } from '../answer-cache.ts';
import { eachAtOnce } from '../at-once.ts';
import { askAboutDoubt, bookingsInDoubt, type DoubtAnswer, formsInDoubt } from '../booking-doubt.ts';
import type { ProcessClocks } from '../flow-clock.ts';
import { pickUpPointNames } from '../pick-up-points.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { everyFound, type FoundFlow } from '../views/found-flows.ts';
import { needsPerson, reportsProblems } from '../views/needs-person.ts';
import { sentence } from '../views/readable.ts';
import { awaitedIn, textsInDoubt, textsOf } from './decision-texts.ts';
import { entriesOfFlows } from './entries-of-flows.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

// As many as people can look through; each costs a question to its process when something has happened to it.
const MAX_SHOWN = 100;

export function decisions(clocks: ProcessClocks): InboxSource {
  const kept = new AnswerCache<ProcessAnswer>();
  return { kind: 'decision', what: () => t`decisions of cases`, read: (parts) => read(parts, clocks, kept) };
}

async function read(
  parts: InboxParts,
  clocks: ProcessClocks,
  kept: AnswerCache<ProcessAnswer>,
): Promise<SourceRead> {
  const found: FoundFlow[] = [];
  const inNeed = needsPerson(await reportsProblems(parts.client));
  const query = `${inNeed} AND ExecutionStatus = 'Running' AND ${onTaskQueue(parts.taskQueue)}`;
  for await (const flow of everyFound(parts.client, query)) found.push(flow);
  const oldest = found.toSorted(byStart).slice(0, MAX_SHOWN);
  const failing = await Promise.all(
    oldest.filter(({ workerFails }) => workerFails).map((flow) => failingEntry(parts, flow)),
  );
  const inDoubt = new Map<string, ProcessAnswer>();
  const { entries, ...all } = await entriesOfFlows(
    parts,
    oldest.filter(({ workerFails }) => !workerFails),
    {
      kept,
      ask: (flow, withinMs) => asked(parts, clocks, flow, withinMs),
      entriesOf: (flow, answer) => {
        if (bookingsInDoubt(answer.progress).length > 0) inDoubt.set(flow.workflowId, answer);
        return entryOf(flow, answer);
      },
      notAll: found.length > MAX_SHOWN && t`only the oldest ${MAX_SHOWN} of ${found.length} are shown`,
    },
  );
  const doubts = await doubtsOf(parts, inDoubt);
  const names = await pickUpPointNames(parts, whereFound([...doubts.values()].flat()));
  const decided = entries.map((entry) => withDoubts(entry, { inDoubt, all: doubts, names }));
  return { ...all, entries: [...decided, ...failing] };
}

/** A process whose workflow task fails again and again cannot report that it stands still. */
async function failingEntry(
  { client }: Pick<TemporalContext, 'client'>,
  { workflowId: key, runId, flow, startedAt, pickUpPoint }: FoundFlow,
): Promise<InboxEntry> {
  const reason = (await lastWorkerFailure(client, key, runId)) ?? t`no reason given`;
  return {
    id: `decision:${key}`,
    kind: 'decision',
    since: startedAt,
    clockAheadMs: 0,
    title: t`A worker fails at ${formatFlowName(flow)}`,
    why: sentence(t`a worker failed at it: ${reason}`),
    ifNothing: t`The case stands still, whatever is reported and however late it is.`,
    toDo: t`Deploy workers with the defect mended, and it goes on by itself. To end it and undo nothing, use temporal workflow terminate.`,
    cause: {
      id: `workerFails:${flow}:${reason}`,
      title: (count) => t`${count} of ${formatFlowName(flow)} stand still: a worker fails at them`,
    },
    key,
    pupUid: pickUpPoint,
    lockerName: null,
    shipmentUid: null,
    actions: [],
  };
}

/** The pick up points where a booking in doubt was found. */
const whereFound = (doubts: readonly DoubtAnswer[]): string[] =>
  doubts.flatMap(({ found }) => found.flatMap(({ pupUid }) => pupUid ?? []));

interface InDoubt {
  readonly inDoubt: ReadonlyMap<string, ProcessAnswer>;
  readonly all: ReadonlyMap<string, readonly DoubtAnswer[]>;
  readonly names: ReadonlyMap<string, string>;
}

/** By key. What the service says is never kept with the answers of the processes, which do not change when it does. */
async function doubtsOf(
  { service }: InboxParts,
  inDoubt: ReadonlyMap<string, ProcessAnswer>,
): Promise<ReadonlyMap<string, readonly DoubtAnswer[]>> {
  const asking = eachAtOnce([...inDoubt], async ([key, { progress }]) =>
    Promise.all(bookingsInDoubt(progress).map((booking) => askAboutDoubt(service, key, booking))),
  );
  const doubts = new Map<string, readonly DoubtAnswer[]>();
  for await (const { item, outcome } of asking) {
    if (!outcome.done) throw outcome.error;
    doubts.set(item[0], outcome.value);
  }
  return doubts;
}

function withDoubts(entry: InboxEntry, { inDoubt, all, names }: InDoubt): InboxEntry {
  const answer = inDoubt.get(entry.key ?? '');
  const doubts = all.get(entry.key ?? '') ?? [];
  if (!answer || doubts.length === 0) return entry;
  const actions = formsInDoubt(entry.actions, { progress: answer.progress, doubts, names });
  return { ...entry, ...textsInDoubt(entry, doubts, names), actions };
}

const byStart = (one: FoundFlow, other: FoundFlow) =>
  (one.startedAt ?? '').localeCompare(other.startedAt ?? '');

interface ProcessAnswer {
  readonly progress: ProcessProgress;
  readonly actions: readonly ActionForm[];
  /** How far its clock is ahead of the real time. */
  readonly clockAheadMs: number;
}

async function asked(
  parts: TemporalContext,
  clocks: ProcessClocks,
  { workflowId, runId, flow }: Pick<FoundFlow, 'workflowId' | 'runId' | 'flow'>,
  withinMs: number,
): Promise<ProcessAnswer> {
  const [{ progress: answer, ...actions }, clockAheadMs] = await Promise.all([
    actionsAndProgressOf(parts, workflowId, withinMs),
    clocks.aheadMs(parts, { key: workflowId, runId }),
  ]);
  const progress = answer as ProcessProgress;
  const forms = decisionsOf({ key: workflowId, isOpen: true, flow, progress, actions });
  return { progress, actions: forms, clockAheadMs };
}

/** None: it has been decided since the search attribute was written. */
export function entryOf(
  { workflowId, flow, startedAt, pickUpPoint }: FoundFlow,
  { progress, actions, clockAheadMs }: ProcessAnswer,
): InboxEntry[] {
  if (actions.length === 0) return [];
  const since = awaitedIn(progress).find((each) => each.since !== null)?.since;
  return [
    {
      id: `decision:${workflowId}`,
      kind: 'decision',
      since: since ?? startedAt,
      // Its start is by the real time.
      clockAheadMs: since ? clockAheadMs : 0,
      ...textsOf(progress),
      ...causeOf(flow, progress),
      reasons: awaitedIn(progress).map(({ code, params = {} }) => ({ code, params })),
      key: workflowId,
      pupUid: pickUpPoint,
      lockerName: null,
      shipmentUid: null,
      actions,
    },
  ];
}

/** One error in a flow file halts all of its processes that come to it. */
function causeOf(flow: string, { halted }: ProcessProgress): Pick<InboxEntry, 'cause' | 'remedy'> {
  if (!halted) return {};
  const title = (count: number) => t`${count} of ${formatFlowName(flow)} are halted by the same error`;
  return {
    cause: {
      id: `halted:${flow}:${halted.code}:${halted.message}`,
      title,
      ifNothing: t`They stand still, for as long as nobody decides; what they would do after a time waits, too. The deadlines of what they have booked or started run on, and can be extended.`,
    },
  };
}
