// Which event of the history made the process take a step. A step tells only the type of its event, and how long the
// history was; the events that came since the step before tell the rest.

import type { TracedStatus } from '../../driver/temporal/trace.ts';
import { changedBy, taskActions } from '../../flow-files/machine/tasks.ts';
import type { DescribedEvent, HistoryEvent } from '../../processes/views/timeline.ts';
import { isKnownUpdate } from '../../processes/views/update-words.ts';

export interface Came {
  readonly what: string;
  readonly by: string | null;
  readonly eventId: string | null;
}

/** For each step of one run, in their order. */
export function whatCame(steps: readonly TracedStatus[], described: readonly DescribedEvent[]): Came[] {
  const left = [...described];
  return steps.map((step, index) => {
    const next = steps.slice(index).find(({ historyLength }) => historyLength > step.historyLength);
    const isFor = fitting(step.event);
    const hasCome = ({ event }: DescribedEvent) => hasComeFor(event, step.historyLength, next?.historyLength);
    const found = left.findIndex((each) => isFor(each.event) && hasCome(each));
    const [one] = found < 0 ? [] : left.splice(found, 1);
    if (one) return { what: one.what, by: personOf(one.event), eventId: String(one.event.eventId) };
    // All that was due on the way of one move: each is a step of its own.
    const move = isTimer(step.event) && described.find((each) => isMove(each.event, step) && hasCome(each));
    if (!move) return { what: ownWords(step), by: null, eventId: null };
    const what = `passed: ${timerWords(step, steps[index - 1])}; ${move.what}`;
    return { what, by: personOf(move.event), eventId: String(move.event.eventId) };
  });
}

/** An accepted update is written behind the task that takes it, all other events before it. */
function hasComeFor(event: HistoryEvent, length: number, nextLength = Number.POSITIVE_INFINITY): boolean {
  const id = Number(event.eventId);
  return event.workflowExecutionUpdateAcceptedEventAttributes ? id < nextLength : id <= length;
}

type Fits = (event: HistoryEvent) => boolean;

function fitting(type: string): Fits {
  if (type === 'start' || type === 'continued')
    return (event) => Boolean(event.workflowExecutionStartedEventAttributes);
  if (type === 'cancelRequested')
    return (event) => Boolean(event.workflowExecutionCancelRequestedEventAttributes);
  if (/^xstate\.(done|error)\.actor\./.test(type)) return isAnswer;
  if (type === MIGRATION) return (event) => updateIn(event) === 'migrate';
  if (isTimer(type)) return (event) => Boolean(event.timerFiredEventAttributes);
  if (isKnownUpdate(type)) return (event) => updateIn(event) === type;
  // A flow file names its events by itself.
  return (event) =>
    Boolean(event.workflowExecutionSignaledEventAttributes) ||
    isUnknownUpdate(updateIn(event)) ||
    isOfTask(type, event);
}

/** A task sends its events after an update, or at a time of its own. */
function isOfTask(type: string, event: HistoryEvent): boolean {
  const name = type.slice(type.lastIndexOf('.') + 1);
  if (name === 'reminder' || name === 'overdue') return Boolean(event.timerFiredEventAttributes);
  return taskActions.some((action) => changedBy[action] === name && updateIn(event) === action);
}

/** As the driver names the step by which a process goes over to another definition. */
const MIGRATION = 'lockerflow.migration';

const isTimer = (type: string): boolean => type.startsWith('xstate.after.');

const updateIn = (event: HistoryEvent): string | undefined =>
  event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ?? undefined;

const isUnknownUpdate = (update: string | undefined): boolean =>
  update !== undefined && !isKnownUpdate(update);

/** An accepted update is written behind the task that takes it. */
const isMove = (event: HistoryEvent, { historyLength }: TracedStatus): boolean =>
  updateIn(event) === 'moveClock' && Number(event.eventId) > historyLength;

/** What its timer was for, as it stood before. */
function timerWords({ event, awaited, taken }: TracedStatus, before: TracedStatus | undefined): string {
  const left = new Set(awaited.timers.map(({ timer }) => timer));
  const rung = before?.awaited.timers.find(({ timer }) => !left.has(timer));
  return rung?.timer ?? taken[0]?.event ?? event.replace(/^xstate\./, '');
}

const isAnswer: Fits = (event) =>
  Boolean(
    event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes,
  ) || updateIn(event) === 'answer';

/** For a step that no event of the history explains: a child's end, something postponed that came again. */
function ownWords({ event, taken }: TracedStatus): string {
  const [first] = taken;
  if (event.startsWith('xstate.')) return first?.event ?? event.replace(/^xstate\./, '');
  return `${event}: it had come before, and was kept until now`;
}

const OF_PERSON = / \(console\)$/;

/** The person's name, if a person did it by the console: it is Temporal's identity of the request. */
const personIn = (identity: string | null | undefined): string | null =>
  identity && OF_PERSON.test(identity) ? identity.replace(OF_PERSON, '') : null;

function personOf(event: HistoryEvent): string | null {
  const { workflowExecutionSignaledEventAttributes: signal } = event;
  const cancelling = event.workflowExecutionCancelRequestedEventAttributes;
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta;
  return personIn(signal?.identity ?? cancelling?.identity ?? update?.identity);
}
