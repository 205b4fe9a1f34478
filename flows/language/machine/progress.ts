// What people see of a process of a flow file: the answer to `progress`, the details in the Web UI, the search attributes.
// What a file calls its context may be personal, and is told only to those who ask for it.

import type { AnyMachineSnapshot } from 'xstate';
import type { ProcessProgress, WaitingFor } from '../../../contract/flows/flow-answers.ts';
import { pathOf, stateTitle } from '../../../engine/chart/chart-view.ts';
import { formatStateValue, isOfItself } from '../../../engine/chart/messages.ts';
import type { Halt } from '../../../engine/definition/halt-rules.ts';
import type { OpenCallView, PendingWork, SearchAttributes } from '../../../engine/definition/views.ts';
import { activeNodes, takenEventTypes } from '../../../engine/stepper.ts';
import { shownAsText } from '../../../shared/markdown/shown-as-text.ts';
import type { CorrelationKeys } from '../correlation.ts';
import type { FileFault } from '../expressions/failure.ts';
import { listenedFor } from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { plainEventName, waitingFor } from '../waiting-for.ts';
import type { OpenQuestion } from './asked-question.ts';
import { type EachContext, srcInName } from './each-data.ts';
import {
  formatDropped,
  formatMisfit,
  isOfChild,
  ownEvents,
  type PutAside,
  timerHandles,
} from './incoming.ts';
import type { FlowContext } from './machine-runtime.ts';

/** The answer to the query `progress`. */
export type FlowFileProgress = ProcessProgress;

/** What a process says that asks nobody, has started nothing and takes no events. */
export const nothingOfChart = {
  tags: [],
  events: [],
  childEvents: [],
  dropped: 0,
  questions: [],
  children: [],
  halted: null,
} as const satisfies Partial<ProcessProgress>;

/** The progress of a process that does not have its definition yet, or has failed before its first step. */
export const notBegun = (flow: string, hasFailed: boolean): FlowFileProgress => ({
  flow,
  version: 0,
  phase: hasFailed ? null : 'Open',
  activity: hasFailed ? 'Ended' : 'Running',
  waitingFor: hasFailed ? [] : [waitingFor({ code: 'Definition', params: {} })],
  state: null,
  ...nothingOfChart,
  bookings: [],
});

/** What the machine does not know of its process. */
interface RuntimeState {
  readonly questions: readonly OpenQuestion[];
  readonly putAside: PutAside;
  readonly keys: CorrelationKeys | undefined;
}

export function progressOf(
  { file, version }: Published,
  snapshot: AnyMachineSnapshot,
  { questions, putAside: { dropped, misfits }, keys }: RuntimeState,
  pending: PendingWork = { timers: [], calls: [] },
  query: { readonly context?: boolean } = {},
): FlowFileProgress {
  const { status, value, tags, output, context } = snapshot;
  const { halted = null, isOpen: isStepping = true, kept = [] } = pending;
  const isOpen = status === 'active' && isStepping;
  const open = isOpen ? questions : [];
  const taken = isOpen ? takenEventTypes(listenedFor(file), snapshot) : [];
  const isChilds = isOfChild(file);
  const own = ownEvents(file);
  const events = taken.filter((type) => !isChilds(type));
  const undoable = ((context as FlowContext).steps?.done ?? []).map(({ id }) => id);
  return {
    flow: file.name,
    version,
    phase: isOpen ? phaseOf(halted, overdueNodes(snapshot)) : null,
    activity: isOpen ? activityOf(halted) : 'Ended',
    waitingFor: isOpen
      ? allWaitingFor(
          {
            halted,
            questions: open,
            events: events.filter((type) => !own.includes(type)),
            overdue: overdueIn(snapshot, pending),
          },
          named(pending, snapshot),
        )
      : [],
    ...filled({ titles: titlesOf(snapshot) }),
    state: value,
    tags: [...tags].sort(),
    events,
    childEvents: taken.filter(isChilds),
    dropped,
    ...filled({ misfits }),
    questions: open.map((each) => withNext(each, snapshot)),
    halted: isOpen && halted ? haltedIn(file, halted) : null,
    children: isOpen ? childrenIn(pending) : [],
    ...(isOpen && filled({ batches: batchesIn(pending, query) })),
    ...(isOpen && { ...filled({ undoable, kept }), ...(keys && { keys }) }),
    ...(query.context === true && { context: context.context }),
    ...(output !== undefined && { output }),
    bookings: [],
  };
}

const haltedIn = ({ maintainer }: Published['file'], halted: Halt): ProcessProgress['halted'] => ({
  ...(halted as NonNullable<ProcessProgress['halted']>),
  event: plainEventName(halted.event),
  ...(maintainer !== undefined && { maintainer }),
});

/** The lists that are not empty. */
const filled = <Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;

function phaseOf(halted: Halt | null | undefined, overdue: readonly unknown[]) {
  if (halted) return 'NeedsPerson';
  return overdue.length > 0 ? 'Overdue' : 'Open';
}
const activityOf = (halted: Halt | null) => (halted ? 'NeedsPerson' : 'Running');

interface WaitSources extends Pick<RuntimeState, 'questions'> {
  readonly halted: Halt | null;
  readonly events: readonly string[];
  readonly overdue: readonly WaitingFor[];
}

function allWaitingFor(
  { halted, questions, events, overdue }: WaitSources,
  pending: PendingWork,
): WaitingFor[] {
  const fromOutside = events.filter((type) => !isOfItself(type));
  return [
    ...(halted ? [waitingForDecision(halted)] : []),
    ...overdue,
    ...waitingForBatches(pending),
    ...questions.map(waitingForAnswer),
    ...waitingForCalls(pending),
    ...pending.timers.map(({ id, timer, since, until }) =>
      waitingFor({ code: 'Time', params: { timer, until }, id, since, until }),
    ),
    ...(fromOutside.length > 0
      ? [waitingFor({ code: 'Event', params: { events: fromOutside }, who: 'outside', events: fromOutside })]
      : []),
  ];
}

/** The active states that the file calls overdue. */
const overdueNodes = (snapshot: AnyMachineSnapshot) =>
  activeNodes(snapshot).filter(({ meta }) => (meta as { overdue?: unknown } | undefined)?.overdue === true);

const overdueIn = (snapshot: AnyMachineSnapshot, { entered = {} }: PendingWork): WaitingFor[] =>
  overdueNodes(snapshot).map((node) => {
    const since = entered[pathOf(node)] ?? null;
    const params = { state: stateTitle(node) ?? node.key, since };
    return waitingFor({ code: 'Overdue', params, since, until: since, isOverdue: true });
  });

/** A timer is extended by what people call it. */
function named(pending: PendingWork, { machine }: AnyMachineSnapshot): PendingWork {
  const handles = timerHandles(pending.timers, machine);
  return {
    ...pending,
    timers: pending.timers.map((each) => ({ ...each, id: handles.get(each.id) ?? each.id })),
  };
}

export const waitingForCalls = (pending: Pick<PendingWork, 'calls' | 'actors'>): WaitingFor[] =>
  pending.calls
    .filter(({ kind }) => kind !== 'procedure')
    .map((call) => {
      const { id, kind, type, since, workflowId: key } = call;
      return waitingFor({
        code: kind === 'childWorkflow' ? 'Flow' : 'Call',
        params: { type, ...itemOf(call, pending) },
        id,
        type,
        since,
        ...(key !== undefined && { key }),
      });
    });

/** The expression is for whoever corrects the file: `halted` has it. */
function waitingForDecision({ event, message, details }: Halt): WaitingFor {
  const { expression = null } = (details ?? {}) as Partial<FileFault>;
  const plain = expression === null ? message : message.replace(` ${expression}:`, '');
  return waitingFor({ code: 'Halted', params: { event: plainEventName(event), message: plain } });
}

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
const waitingForBatches = (pending: PendingWork): WaitingFor[] =>
  eachIn(pending).map(({ id, type, state: { items, done, failed, open, titles = {} } }) => {
    const counts = {
      items: items.length,
      done: done.length,
      failed: failed.length,
      open: open.length,
    };
    const atWork = open.flatMap((index) => titles[index] ?? []);
    return waitingFor({ code: 'Batch', params: { id, ...counts, ...filled({ atWork }) }, id, type });
  });

const eachIn = ({ actors = [] }: Pick<PendingWork, 'actors'>) =>
  actors.flatMap(({ id, name, state }) => {
    const type = srcInName(name);
    return type === undefined ? [] : [{ id, type, state: state as EachContext }];
  });

/** What people call the item that a call of an `each` is for. */
function itemOf(
  { id, of }: OpenCallView,
  pending: Pick<PendingWork, 'actors'>,
): { readonly itemTitle?: string } {
  const { state } = eachIn(pending).find((each) => each.id === of) ?? {};
  const itemTitle = state?.titles?.[Number(id.slice(id.lastIndexOf('.') + 1))];
  return itemTitle === undefined ? {} : { itemTitle };
}

/** What the items are may be personal, as the context. */
const batchesIn = (
  pending: PendingWork,
  query: { readonly context?: boolean },
): NonNullable<ProcessProgress['batches']> =>
  eachIn(pending).map(({ type, state: { id, items, next, atOnce, open, failed, left } }) => ({
    id,
    type,
    items: items.length,
    next,
    atOnce,
    open,
    failed: failed.map(({ index }) => index),
    left,
    ...(query.context === true && { of: items }),
  }));

const childrenIn = (pending: PendingWork): ProcessProgress['children'] =>
  pending.calls
    .filter(({ kind }) => kind === 'childWorkflow')
    .map((call) => {
      const { id, type: flow, workflowId: key = null } = call;
      return { id, flow, key, ...itemOf(call, pending) };
    });

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
    ...(runtime.putAside.dropped > 0 ? [`- ${formatDropped(runtime.putAside.dropped)}`] : []),
    ...runtime.putAside.misfits.map((each) => `- ${shownAsText(formatMisfit(each).replaceAll('`', ''))}`),
  ].join('\n');
}

/** With where the process goes on if nobody answers in time. */
function withNext(
  question: OpenQuestion,
  snapshot: AnyMachineSnapshot,
): FlowFileProgress['questions'][number] {
  if (question.until === null) return question;
  const failed = activeNodes(snapshot).flatMap(({ transitions }) => [
    ...(transitions.get(`xstate.error.actor.${question.id}`) ?? []),
  ]);
  const targets = failed.flatMap(({ target = [] }) => target);
  const states = new Map(targets.map((node) => [pathOf(node), stateTitle(node)]));
  const unanswered = [...states].map(([state, title]) => ({ state, ...(title !== null && { title }) }));
  return { ...question, ...filled({ unanswered }) };
}

const titlesOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap((node) => (node.parent ? (stateTitle(node) ?? []) : []));

/** What the file says of its active states. */
const descriptionsOf = (snapshot: AnyMachineSnapshot): string[] =>
  activeNodes(snapshot).flatMap(({ description }) => (description ? [shownAsText(description), ''] : []));

/** @param subjects where there are none, those that whoever started it has given stay */
export function attributesOf(
  questions: readonly OpenQuestion[],
  subjects: readonly string[],
  snapshot: AnyMachineSnapshot,
  pending?: PendingWork,
): SearchAttributes {
  const inboxes = [...new Set(questions.map(({ of }) => of))].sort();
  return {
    LockerPhase: phaseOf(pending?.halted, overdueNodes(snapshot)),
    LockerInbox: inboxes,
    ...(subjects.length > 0 && { LockerSubjects: subjects }),
  };
}
