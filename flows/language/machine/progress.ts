// What a process of a flow file says of itself: the answer to `progress`. What a file calls its context may be personal, and is told
// only to those who ask for it.

import type { AnyMachineSnapshot } from 'xstate';
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { pathOf, stateTitle } from '../../../engine/chart/chart-view.ts';
import type { Halt } from '../../../engine/definition/halt-rules.ts';
import type { PendingWork } from '../../../engine/definition/views.ts';
import { activeNodes, takenEventTypes } from '../../../engine/stepper.ts';
import type { CorrelationKeys } from '../correlation.ts';
import { listenedFor } from '../flow-file.ts';
import type { Published } from '../registry.ts';
import { plainEventName, waitingFor } from '../waiting-for.ts';
import type { OpenQuestion } from './asked-question.ts';
import { isOfChild, ownEvents, type PutAside } from './incoming.ts';
import type { FlowContext } from './machine-runtime.ts';
import { allWaitingFor, eachIn, itemOf, overdueIn, overdueNodes, withTimerHandles } from './waits.ts';

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

/**
 * The progress of a process that does not have its definition yet, or has failed before its first step.
 * @param version 0: it is not known
 */
export const notBegun = (flow: string, hasFailed: boolean, version = 0): FlowFileProgress => ({
  flow,
  version,
  phase: hasFailed ? null : 'Open',
  activity: hasFailed ? 'Ended' : 'Running',
  waitingFor: hasFailed ? [] : [waitingFor({ code: 'Definition', params: {} })],
  state: null,
  ...nothingOfChart,
  bookings: [],
});

/** What the machine does not know of its process. */
export interface RuntimeState {
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
    phase: isOpen ? phaseOf(halted, snapshot) : null,
    activity: isOpen ? activityOf(halted) : 'Ended',
    waitingFor: isOpen
      ? allWaitingFor(
          {
            halted,
            questions: open,
            events: events.filter((type) => !own.includes(type)),
            overdue: overdueIn(snapshot, pending),
          },
          withTimerHandles(pending, snapshot),
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

export function phaseOf(halted: Halt | null | undefined, snapshot: AnyMachineSnapshot) {
  if (halted) return 'NeedsPerson';
  return overdueNodes(snapshot).length > 0 ? 'Overdue' : 'Open';
}

const activityOf = (halted: Halt | null) => (halted ? 'NeedsPerson' : 'Running');

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
