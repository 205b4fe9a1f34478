// The flows that a process has started, as far as the page of the process takes them over: those that are open whole, of those that
// have ended what they have left in lockers.
import { FlowNotFound } from '../../client/flow-errors.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { childForms } from '../../processes/action-forms/child-forms.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { formsInDoubt } from '../../processes/booking-doubt.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { pickUpPointNames } from '../../processes/pick-up-points.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { wallsOfTasks } from '../../processes/views/desk-tasks.ts';
import { quoted } from '../../processes/views/flow-query.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import type { ProcessReader, ProcessSnapshot, ShownProcess } from '../../processes/views/shown-process.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { beingPutInOf, type EmptyingForm, withItemsStillLeft } from './at-lockers.ts';
import { doubtsOf } from './doubts.ts';
import { lockersOf } from './overview/lockers.ts';
import { overviewOf, urgencyOf } from './overview/overview.ts';
import type { ChildShown, LockerShown, ProcessOverview } from './overview/overview-view.ts';

export interface CaseChild {
  readonly shown: ChildShown;
  /** Null: it does not say now, or it has ended and left nothing. */
  readonly overview: ProcessOverview | null;
  /** Null: it has ended. */
  readonly urgency: number | null;
  readonly lockers: readonly LockerShown[];
  readonly actionForms: readonly ActionForm[];
  /** Forms that say that a locker is empty, where its item was left in it. */
  readonly emptying: readonly EmptyingForm[];
  /** It could not be asked. */
  readonly isUnread: boolean;
}

export interface CaseChildren {
  readonly children: readonly CaseChild[];
  /** What could not be read, as in "the loan could not be read". */
  readonly unread: readonly string[];
}

// Each is asked too; who has more looks at them one by one.
const MAX_OPEN = 10;
const MAX_FOUND = 20;
/** Those that have ended are found by a search, of which Temporal has few to give. */
const FOUND_MS = 5_000;

type Reader = Pick<ProcessReader, 'snapshot'>;

/** @param process as it was asked last, if it does not answer now */
export async function caseChildrenOf(
  parts: ConsoleParts,
  reader: Reader,
  { described }: Pick<ProcessSnapshot, 'described'>,
  process: ShownProcess,
): Promise<CaseChildren> {
  if (isBuiltIn(process.flow)) return { children: [], unread: [] };
  const children = await openBelow(parts, reader, process);
  const keys = [process.key, ...children.flatMap(({ shown: { key } }) => key || [])];
  const unread: string[] = [];
  try {
    const found = (await startedBy(parts, keys, startOf(described))).filter(
      ({ workflowId }) => !keys.includes(workflowId),
    );
    const others = found.map(({ flow, workflowId: key, runId }) =>
      readChild(parts, reader, { flow, key, runId }),
    );
    // What the worker itself starts is none of the flows, and not found.
    for (const each of await Promise.all(others)) if (each.started !== null) children.push(each.child);
  } catch (error) {
    if (!commandErrorOf(error)) throw error;
    unread.push(t`flows that it has started and that have ended`);
  }
  unread.push(
    ...children.flatMap(({ isUnread, shown: { title, key } }) => (isUnread ? `${title} (${key})` : [])),
  );
  return { children, unread };
}

/** Those that the process says, with what those have started. */
async function openBelow(
  parts: ConsoleParts,
  reader: Reader,
  { progress }: ShownProcess,
): Promise<CaseChild[]> {
  const all: CaseChild[] = [];
  const waiting = [...(progress?.children ?? [])];
  for (let some = waiting.splice(0, MAX_OPEN); some.length > 0; ) {
    const read = await Promise.all(some.map((each) => readChild(parts, reader, each)));
    all.push(...read.map(({ child }) => child));
    waiting.push(...read.flatMap(({ started }) => started ?? []));
    some = waiting.splice(0, Math.max(0, MAX_OPEN - all.length));
  }
  return [...all, ...waiting.map(({ flow, key }) => silentChild(flow, key, t`not read here`))];
}

type Children = NonNullable<ShownProcess['progress']>['children'];

interface ReadChild {
  readonly child: CaseChild;
  /** Null: there is no such flow. */
  readonly started: Children | null;
}

interface ChildWanted {
  readonly flow: string;
  readonly key: string | null;
  /** Another one may have got its key since. */
  readonly runId?: string;
}

async function readChild(
  parts: ConsoleParts,
  reader: Reader,
  { flow, key, runId }: ChildWanted,
): Promise<ReadChild> {
  if (key === null) return { child: silentChild(flow, null, t`being started`), started: [] };
  try {
    const { process, described } = await reader.snapshot(key);
    if (runId !== undefined && process.runId !== runId)
      return { child: silentChild(flow, key, ''), started: null };
    const events = Number(described.raw.workflowExecutionInfo?.historyLength ?? 0);
    const read = process.status === 'Running' ? openChild : endedChild;
    const child = await read(parts, process, events);
    return { child, started: process.progress?.children ?? [] };
  } catch (error) {
    // It has just begun, or its worker does not answer: its own page says why.
    const child = silentChild(flow, key, t`not known now`);
    if (error instanceof FlowNotFound) return { child, started: null };
    if (!commandErrorOf(error)) throw error;
    return { child: { ...child, isUnread: true }, started: [] };
  }
}

const APART = { chart: null, timers: [], parent: null };

async function openChild(parts: ConsoleParts, process: ShownProcess, events: number): Promise<CaseChild> {
  const { key, flow, progress, actions } = process;
  const input = { key, isOpen: true, flow, progress, actions };
  const doubts = await doubtsOf(parts, key, progress);
  const own = childForms(input, formatFlowName(flow));
  const actionForms = progress === null ? own : formsInDoubt(own, { progress, doubts });
  const pickUpPoints = await pickUpPointNames(parts, wallsOfTasks(progress));
  const isBeingPutIn = await beingPutInOf(parts, progress);
  const said = { process, progress, actionForms, doubts, pickUpPoints, isBeingPutIn };
  const overview = overviewOf({ ...APART, ...said });
  const { shown, ...child } = silentChild(flow, key, wordsOf(overview));
  return {
    ...child,
    shown: { ...shown, events },
    overview: progress === null ? null : overview,
    urgency: urgencyOf(process, progress),
    lockers: lockersOf(key, progress),
    actionForms,
    isUnread: progress === null,
  };
}

async function endedChild(parts: ConsoleParts, process: ShownProcess, events: number): Promise<CaseChild> {
  const { key, flow } = process;
  const { answer: progress, unread, emptying } = await withItemsStillLeft(parts, process);
  const isLeft = progress?.bookings.some(({ itemsLeft }) => itemsLeft.length > 0) ?? false;
  const said = overviewOf({ ...APART, process, progress, actionForms: [] });
  // Why it has failed, the process has heard.
  const heard = { ...process, failure: null, trying: [] };
  const left = overviewOf({ ...APART, process: heard, progress, actionForms: [] });
  const { shown, ...child } = silentChild(flow, key, wordsOf(said));
  return {
    ...child,
    shown: { ...shown, isOpen: false, events },
    overview: isLeft ? left : null,
    emptying,
    isUnread: unread.length > 0,
  };
}

const wordsOf = ({ status, where }: ProcessOverview): string =>
  [status.words, ...where.map((each) => each.words)].join(', ');

const silentChild = (flow: string, key: string | null, words: string): CaseChild => ({
  shown: { key: key ?? '', title: formatFlowName(flow), words, isOpen: true, events: 0 },
  overview: null,
  urgency: null,
  lockers: [],
  actionForms: [],
  emptying: [],
  isUnread: false,
});

/** Another process may have had the key before; one that goes on as new began before its present run. Null: not known. */
function startOf({ raw, runId, startTime }: ProcessSnapshot['described']): string | null {
  const isFirst = raw.workflowExecutionInfo?.firstRunId === runId;
  return isFirst ? startTime.toISOString() : null;
}

/** The newest, also those that the process does not say any more. Throws CommandError. */
async function startedBy(
  parts: ConsoleParts,
  keys: readonly string[],
  start: string | null,
): Promise<readonly FoundFlow[]> {
  const since = start === null ? '' : ` AND StartTime >= ${quoted(start)}`;
  const query = `ParentWorkflowId IN (${keys.map(quoted).join(', ')})${since}`;
  const search = () => callTemporal(parts, () => foundPage(parts.client, query, { size: MAX_FOUND }));
  const { flows } = await parts.shared.of(`children: ${query}`, FOUND_MS, search);
  return flows.filter(({ status }) => status !== 'ContinuedAsNew');
}
