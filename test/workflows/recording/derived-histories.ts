// Makes histories from that of a process that has ended: those that it had while it was open, and those in which two of its
// tasks are one.
import proto from '@temporalio/proto';

type Event = proto.temporal.api.history.v1.IHistoryEvent;
const { HistoryEvent } = proto.temporal.api.history.v1;
const { EventType } = proto.temporal.api.enums.v1;

/** The events that came, the events of the task that took them, and the commands that the process gave then. */
interface Task {
  readonly came: Event[];
  readonly task: Event[];
  readonly asked: Event[];
}

const nameOf = ({ eventType }: Event) => String(EventType[eventType ?? 0]).replace('EVENT_TYPE_', '');
const coming =
  /^(WORKFLOW_EXECUTION_(STARTED|SIGNALED|CANCEL_REQUESTED)|TIMER_FIRED|ACTIVITY_TASK_(STARTED|COMPLETED|FAILED))$/;
/** The events of a whole task: scheduled, started, completed. */
const WHOLE = 3;

/** Each time that the process waited: its history until then, and the event that came next. */
export function waits(events: readonly Event[]): { open: Event[]; next: Event }[] {
  let length = 0;
  return tasksOf(events).flatMap(({ came, task, asked }) => {
    length += came.length + task.length + asked.length;
    const next = events[length];
    return next ? [{ open: events.slice(0, length), next }] : [];
  });
}

/**
 * Two tasks are one when a query arrives just after an event. To answer, the process takes the event in a separate step, but
 * the server records no task for that step. It records the event together with the next one. The commands must be the same, or
 * the process can never be replayed.
 */
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

/** Not if the next events may follow from an activity of this task, or if an update needs its own task. */
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

/** If a process starts and cancels a timer in one task, it gives no commands for it. So both events are left out. */
function withoutVoidTimers(one: readonly Event[], next: readonly Event[]): Event[] {
  const cancelled = next.flatMap(({ timerCanceledEventAttributes: timer }) => String(timer?.startedEventId));
  const isVoid = ({ eventId }: Event) => cancelled.includes(String(eventId));
  const voids = one.filter(isVoid).map(({ eventId }) => String(eventId));
  const isItsEnd = ({ timerCanceledEventAttributes: timer }: Event) =>
    voids.includes(String(timer?.startedEventId));
  return [...one.filter((event) => !isVoid(event)), ...next.filter((event) => !isItsEnd(event))];
}

/** Numbers the events again from 1, and corrects the numbers by which events refer to each other. */
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
