// Histories in which two tasks of a process are one. That is what a question leaves that arrives just after an event: for
// its answer the process takes the event in a step of its own, but the server has recorded no task for that, and what
// comes next is recorded together with it. The commands must be the same, or the process can never be replayed.
import proto from '@temporalio/proto';

type Event = proto.temporal.api.history.v1.IHistoryEvent;
const { HistoryEvent } = proto.temporal.api.history.v1;
const { EventType } = proto.temporal.api.enums.v1;

/** What came, the task that told of it, and what the process asked for then. */
interface Task {
  readonly came: Event[];
  readonly task: Event[];
  readonly asked: Event[];
}

const nameOf = ({ eventType }: Event) => String(EventType[eventType ?? 0]).replace('EVENT_TYPE_', '');
const coming =
  /^(WORKFLOW_EXECUTION_(STARTED|SIGNALED|CANCEL_REQUESTED)|TIMER_FIRED|ACTIVITY_TASK_(STARTED|COMPLETED|FAILED))$/;
/** Scheduled, started, completed. */
const WHOLE = 3;

export function joined(events: readonly Event[]): Event[][] {
  const tasks = tasksOf(events);
  return tasks.slice(1, -1).flatMap((one, index) => {
    const next = tasks[index + 2];
    if (!next || !areJoinable(one, next)) return [];
    const before = tasks.slice(0, index + 1).flatMap(({ came, task, asked }) => [...came, ...task, ...asked]);
    const asked = withoutVoidTimers(one.asked, next.asked);
    return [renumbered([...before, ...one.came, ...next.came, ...next.task, ...asked], one, next)];
  });
}

function tasksOf(events: readonly Event[]): Task[] {
  const tasks: Task[] = [];
  for (const event of events) {
    const name = nameOf(event);
    const last = tasks.at(-1);
    const isBeginning = coming.test(name) || name === 'WORKFLOW_TASK_SCHEDULED';
    const isNext = isBeginning && (!last || last.task.length >= WHOLE);
    const task = last && !isNext ? last : { came: [], task: [], asked: [] };
    if (task !== last) tasks.push(task);
    if (name.startsWith('WORKFLOW_TASK_')) task.task.push(event);
    else if (coming.test(name)) task.came.push(event);
    else task.asked.push(event);
  }
  return tasks;
}

/** What came later may be the effect of an activity, or an update that has a task of its own. */
function areJoinable(one: Task, next: Task): boolean {
  const isApart = (event: Event) => /ACTIVITY|UPDATE_(ACCEPTED|COMPLETED)/.test(nameOf(event));
  return (
    one.task.length === WHOLE &&
    next.task.length === WHOLE &&
    !one.asked.some(isApart) &&
    !next.asked.some((event) => nameOf(event).includes('UPDATE_ACCEPTED')) &&
    !next.came.some((event) => one.asked.some(({ eventId }) => refersTo(event, eventId)))
  );
}

function refersTo(event: Event, eventId: Event['eventId']): boolean {
  const { scheduledEventId, startedEventId } = attributesOf(
    HistoryEvent.toObject(HistoryEvent.fromObject(event)),
  );
  return [scheduledEventId, startedEventId].some((id) => id !== undefined && String(id) === String(eventId));
}

/** A timer that is started and cancelled before the server hears of it is never asked for. */
function withoutVoidTimers(one: readonly Event[], next: readonly Event[]): Event[] {
  const cancelled = next.flatMap(({ timerCanceledEventAttributes: timer }) => String(timer?.startedEventId));
  const isVoid = ({ eventId }: Event) => cancelled.includes(String(eventId));
  const voids = one.filter(isVoid).map(({ eventId }) => String(eventId));
  const isItsEnd = ({ timerCanceledEventAttributes: timer }: Event) =>
    voids.includes(String(timer?.startedEventId));
  return [...one.filter((event) => !isVoid(event)), ...next.filter((event) => !isItsEnd(event))];
}

/** Events are numbered from 1, and refer to each other by that. */
function renumbered(events: readonly Event[], one: Task, next: Task): Event[] {
  const numbers = new Map(events.map(({ eventId }, index) => [String(eventId), index + 1]));
  for (const [index, { eventId }] of one.task.entries())
    numbers.set(String(eventId), numbers.get(String(next.task[index]?.eventId)) ?? 0);
  return events.map((event, index) => {
    const plain = HistoryEvent.toObject(HistoryEvent.fromObject(event), { longs: Number, bytes: String });
    const attributes = attributesOf(plain);
    for (const field of ['scheduledEventId', 'startedEventId', 'workflowTaskCompletedEventId'])
      if (attributes[field] !== undefined)
        attributes[field] = numbers.get(String(attributes[field])) ?? attributes[field];
    return HistoryEvent.fromObject({ ...plain, eventId: index + 1 });
  });
}

function attributesOf(event: Record<string, unknown>): Record<string, unknown> {
  const [, attributes] = Object.entries(event).find(([key]) => key.endsWith('EventAttributes')) ?? [];
  return (attributes ?? {}) as Record<string, unknown>;
}
