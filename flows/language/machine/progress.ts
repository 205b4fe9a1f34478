// What people see of a process of a flow file: the answer to `progress`, the details in the Web UI, the search attributes.
// What a file calls its context may be personal, and is told only to those who ask for it.

import type { AnyMachineSnapshot } from 'xstate';
import type { WaitingFor } from '../../../contract/flows/flow-answers.ts';
import { titleOf } from '../../../engine/chart/chart-view.ts';
import { CANCEL_REQUESTED, formatStateValue } from '../../../engine/chart/messages.ts';
import type { Halt, PendingWork, SearchAttributes } from '../../../engine/definition.ts';
import { activeNodes, takenOf } from '../../../engine/stepper.ts';
import { shownAsText } from '../../../shared/markdown/shown-as-text.ts';
import type { CorrelationKeys } from '../correlation.ts';
import type { FileFault } from '../expressions/failure.ts';
import { type Json, listenedFor } from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { waitingFor } from '../waiting-for.ts';
import { type EachContext, srcInName } from './each.ts';
import { formatDropped, isOfChild } from './incoming.ts';
import type { FlowContext } from './kit.ts';
import type { OpenQuestion } from './questions.ts';

/** The answer to the query `progress`. */
export interface FlowFileProgress {
  readonly flow: string;
  /** 0 as long as the process has no definition yet. */
  readonly version: number;
  /** Null once it has ended. */
  readonly phase: 'Open' | 'NeedsPerson' | null;
  readonly activity: 'Running' | 'NeedsPerson' | 'Ended';
  /** The most urgent first. */
  readonly waitingFor: readonly WaitingFor[];
  /** As xstate tells it. */
  readonly state: unknown;
  readonly tags: readonly string[];
  /** The names for people of the active states that have one, the outermost first; only where there are such. */
  readonly titles?: readonly string[];
  /** Those that the present state takes from outside. */
  readonly events: readonly string[];
  /** Those that it takes from the flows that the process has started, and from nobody else. */
  readonly childEvents: readonly string[];
  /** Messages that were no events: without a type, or in the name of a flow that had not sent them. */
  readonly dropped: number;
  readonly questions: readonly OpenQuestion[];
  /** Flows that it has started and that have not ended, as the file names them. */
  readonly children: readonly ChildOfProcess[];
  /** The ids of the steps that are done and can be undone, the last one last; only where there are such. */
  readonly undoable?: readonly string[];
  /** The keys by which events find it now; only where its file has `correlate`. */
  readonly keys?: CorrelationKeys;
  /** Events by correlation that wait for a state that takes them; only where such wait. */
  readonly kept?: readonly { readonly type: string; readonly until: string }[];
  /** The step that cannot be taken, if there is one. */
  readonly halted: FlowFileHalt | null;
  /** Only where the query asks for it: `{ "context": true }`. */
  readonly context?: Json;
  readonly output?: unknown;
}

/** Each halt is a fault of the file. */
export interface FlowFileHalt extends Halt {
  readonly details?: FileFault;
}

interface ChildOfProcess {
  readonly id: string;
  readonly flow: string;
  /** Null: it is just being started. */
  readonly key: string | null;
}

/** The progress of a process that does not have its definition yet, or has failed before its first step. */
export const notBegun = (flow: string, hasFailed: boolean): FlowFileProgress => ({
  flow,
  version: 0,
  phase: hasFailed ? null : 'Open',
  activity: hasFailed ? 'Ended' : 'Running',
  waitingFor: hasFailed ? [] : [waitingFor({ code: 'Definition', params: {} })],
  state: null,
  tags: [],
  events: [],
  childEvents: [],
  dropped: 0,
  questions: [],
  children: [],
  halted: null,
});

/** What the machine does not know of its process. */
interface RuntimeState {
  readonly questions: readonly OpenQuestion[];
  readonly dropped: number;
  readonly keys: CorrelationKeys | undefined;
}

export function progressOf(
  { file, version }: Published,
  snapshot: AnyMachineSnapshot,
  { questions, dropped, keys }: RuntimeState,
  pending: PendingWork = { timers: [], calls: [] },
  asked: { readonly context?: boolean } = {},
): FlowFileProgress {
  const { status, value, tags, output, context } = snapshot;
  const { halted = null, isOpen: isStepping = true, kept = [] } = pending;
  const isOpen = status === 'active' && isStepping;
  const open = isOpen ? questions : [];
  const taken = isOpen ? takenOf(listenedFor(file), snapshot) : [];
  const isChilds = isOfChild(file);
  const events = taken.filter((type) => !isChilds(type));
  const undoable = ((context as FlowContext).steps?.done ?? []).map(({ id }) => id);
  return {
    flow: file.name,
    version,
    phase: isOpen ? phaseOf(halted) : null,
    activity: isOpen ? activityOf(halted) : 'Ended',
    waitingFor: isOpen ? allWaitingFor({ halted, questions: open, events: taken }, pending) : [],
    ...filled({ titles: titlesOf(snapshot) }),
    state: value,
    tags: [...tags].sort(),
    events,
    childEvents: taken.filter(isChilds),
    dropped,
    questions: open,
    halted: isOpen ? (halted as FlowFileHalt | null) : null,
    children: isOpen ? childrenIn(pending) : [],
    ...(isOpen && { ...filled({ undoable, kept }), ...(keys && { keys }) }),
    ...(asked.context === true && { context: context.context }),
    ...(output !== undefined && { output }),
  };
}

/** The lists that are not empty. */
const filled = <Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;

const phaseOf = (halted: Halt | null) => (halted ? 'NeedsPerson' : 'Open');
const activityOf = (halted: Halt | null) => (halted ? 'NeedsPerson' : 'Running');

interface WaitSources extends Pick<RuntimeState, 'questions'> {
  readonly halted: Halt | null;
  readonly events: readonly string[];
}

function allWaitingFor({ halted, questions, events }: WaitSources, pending: PendingWork): WaitingFor[] {
  const fromOutside = events.filter((type) => type !== CANCEL_REQUESTED);
  return [
    ...(halted ? [waitingForDecision(halted)] : []),
    ...waitingForBatches(pending),
    ...questions.map(waitingForAnswer),
    ...pending.calls
      .filter(({ kind }) => kind !== 'procedure')
      .map(({ id, kind, type, since, workflowId: key }) =>
        waitingFor({
          code: kind === 'childWorkflow' ? 'Flow' : 'Call',
          params: { type },
          id,
          type,
          since,
          ...(key !== undefined && { key }),
        }),
      ),
    ...pending.timers.map(({ id, timer, since, until }) =>
      waitingFor({ code: 'Time', params: { timer, until }, id, since, until }),
    ),
    ...(fromOutside.length > 0
      ? [waitingFor({ code: 'Event', params: { events: fromOutside }, who: 'outside', events: fromOutside })]
      : []),
  ];
}

const waitingForDecision = ({ event, message }: Halt): WaitingFor =>
  waitingFor({ code: 'Halted', params: { event, message } });

function waitingForAnswer({
  id,
  of,
  question,
  askedAt: since,
  until,
  holder,
  due,
}: OpenQuestion): WaitingFor {
  return waitingFor({
    code: 'Answer',
    params: { of, question, isClaimed: holder !== undefined, due: due ?? null, until },
    who: of,
    id,
    since,
    until,
    ...(holder !== undefined && { holder }),
  });
}

/** Each `each`, as far as it has come. */
const waitingForBatches = ({ actors = [] }: PendingWork): WaitingFor[] =>
  actors.flatMap(({ id, name, state }) => {
    const type = srcInName(name);
    if (type === undefined) return [];
    const { items, done, failed, open } = state as EachContext;
    const counts = {
      items: items.length,
      done: done.length,
      failed: failed.length,
      open: open.length,
    };
    return [waitingFor({ code: 'Batch', params: { id, ...counts }, id, type })];
  });

const childrenIn = ({ calls }: PendingWork): ChildOfProcess[] =>
  calls
    .filter(({ kind }) => kind === 'childWorkflow')
    .map(({ id, type: flow, workflowId: key = null }) => ({ id, flow, key }));

export function detailsOf(
  published: Published,
  snapshot: AnyMachineSnapshot,
  runtime: RuntimeState,
  pending?: PendingWork,
): string {
  const {
    flow,
    version,
    state,
    waitingFor: waits,
    tags,
    keys,
    undoable = [],
  } = progressOf(published, snapshot, runtime, pending);
  const place = `${formatStateValue(state)}${tags.length > 0 ? ` (${tags.join(', ')})` : ''}`;
  return [
    `**${shownAsText(flow)}@${version}: ${shownAsText(place.replaceAll('`', ''))}**`,
    '',
    ...descriptionsOf(snapshot),
    ...waits.map(({ words }) => `- ${shownAsText(words.replaceAll('`', ''))}`),
    ...(undoable.length > 0 ? [`- can be undone: ${undoable.map(shownAsText).join(', ')}`] : []),
    // Their values may be personal.
    ...(keys && Object.keys(keys).length > 0
      ? [`- found by its ${Object.keys(keys).map(shownAsText).join(', ')}`]
      : []),
    ...(runtime.dropped > 0 ? [`- ${formatDropped(runtime.dropped)}`] : []),
  ].join('\n');
}

const titlesOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap((node) => (node.parent ? (titleOf(node) ?? []) : []));

/** What the file says of its active states. */
const descriptionsOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap(({ description }) => (description ? [shownAsText(description), ''] : []));

export function attributesOf(questions: readonly OpenQuestion[], pending?: PendingWork): SearchAttributes {
  const inboxes = [...new Set(questions.map(({ of }) => of))].sort();
  return { LockerPhase: pending?.halted ? 'NeedsPerson' : 'Open', LockerInbox: inboxes };
}
