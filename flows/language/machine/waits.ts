// What a process of a flow file waits for.
import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import type { WaitingFor } from '../../../contract/flows/flow-answers.ts';
import { pathOf, stateTitle } from '../../../engine/chart/chart-view.ts';
import { isOfItself } from '../../../engine/chart/messages.ts';
import type { Halt } from '../../../engine/definition/halt-rules.ts';
import type { OpenCallView, PendingWork } from '../../../engine/definition/views.ts';
import { activeNodes } from '../../../engine/stepper.ts';
import type { FileFault } from '../expressions/failure.ts';
import { chartEventOf, plainEventName, waitingFor } from '../waiting-for.ts';
import type { OpenQuestion } from './asked-question.ts';
import { type EachContext, srcInName } from './each-data.ts';
import { timerHandles } from './incoming.ts';

interface WaitSources {
  readonly questions: readonly OpenQuestion[];
  readonly halted: Halt | null;
  readonly events: readonly string[];
  readonly overdue: readonly WaitingFor[];
}

export function allWaitingFor(
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
export const overdueNodes = (snapshot: AnyMachineSnapshot): AnyStateNode[] =>
  activeNodes(snapshot).filter(({ meta }) => (meta as { overdue?: unknown } | undefined)?.overdue === true);

export const overdueIn = (snapshot: AnyMachineSnapshot, { entered = {} }: PendingWork): WaitingFor[] =>
  overdueNodes(snapshot).map((node) => {
    const since = entered[pathOf(node)] ?? null;
    const params = { state: stateTitle(node) ?? node.key, since };
    return waitingFor({ code: 'Overdue', params, since, until: since, isOverdue: true });
  });

/** A timer is extended by what people call it. */
export function withTimerHandles(pending: PendingWork, { machine }: AnyMachineSnapshot): PendingWork {
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
      const of = { type, ...itemOf(call, pending) };
      const common = { id, type, since, ...(key !== undefined && { key }) };
      return kind === 'childWorkflow'
        ? waitingFor({ code: 'Flow', params: of, ...common })
        : waitingFor({ code: 'Call', params: { ...of, id }, ...common });
    });

/** The expression is for whoever corrects the file: `halted` has it. */
function waitingForDecision({ event, message, details, since }: Halt): WaitingFor {
  const { expression = null } = (details ?? {}) as Partial<FileFault>;
  const plain = expression === null ? message : message.replace(` ${expression}:`, '');
  const params = { event: plainEventName(event), message: plain, ...chartEventOf(event) };
  return waitingFor({ code: 'Halted', params, since });
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
    return waitingFor({
      code: 'Batch',
      params: { id, ...counts, ...(atWork.length > 0 && { atWork }) },
      id,
      type,
    });
  });

export const eachIn = ({ actors = [] }: Pick<PendingWork, 'actors'>) =>
  actors.flatMap(({ id, name, state }) => {
    const type = srcInName(name);
    return type === undefined ? [] : [{ id, type, state: state as EachContext }];
  });

/** What people call the item that a call of an `each` is for. */
export function itemOf(
  { id, of }: OpenCallView,
  pending: Pick<PendingWork, 'actors'>,
): { readonly itemTitle?: string } {
  const { state } = eachIn(pending).find((each) => each.id === of) ?? {};
  const itemTitle = state?.titles?.[Number(id.slice(id.lastIndexOf('.') + 1))];
  return itemTitle === undefined ? {} : { itemTitle };
}
