// Which event of the history made the process take a step. A step tells only the type of its event, and how long the
// history was; the events that came since the step before tell the rest.

import type { Attribution } from '../../contract/flows/attribution.ts';
import { actorOf } from '../../engine/chart/messages.ts';
import type { TracedStatus } from '../../engine/temporal/trace.ts';
import { changedBy, taskActions } from '../../flows/language/machine/tasks.ts';
import { isKnownUpdate } from '../../processes/views/format-update.ts';
import type { DescribedEvent, HistoryEvent } from '../../processes/views/timeline.ts';
import { type TimelineData, timerData } from '../../processes/views/timeline-data.ts';
import { breathing } from '../../shared/limits/breathing.ts';

export interface Came {
  readonly what: string;
  /** That of its event in the timeline; null: no event explains the step. */
  readonly data: TimelineData | null;
  /** Who made it happen, and why; null: nobody has said. */
  readonly who: Attribution | null;
  readonly eventId: string | null;
}

/** One run: its steps, what its history tells, and with which events its tasks began. */
export interface RunHistory {
  readonly steps: readonly TracedStatus[];
  readonly described: readonly DescribedEvent[];
  readonly tasks: readonly number[];
}

/** For each step of one run, in their order. */
export async function whatCame({ steps, described, tasks }: RunHistory): Promise<Came[]> {
  const ids = described.map(({ event }) => Number(event.eventId));
  const taken = new Set<DescribedEvent>();
  const all: Came[] = [];
  const breathe = breathing();
  for (const [index, step] of steps.entries()) {
    await breathe();
    const before = steps[index - 1];
    const { last, own, next, hasCome } = comingFor(step, before, tasks);
    const came = described
      .slice(firstBehind(ids, last), firstBehind(ids, next - 1))
      .filter(({ event }) => hasCome(event));
    const one = fittingOne(
      came.filter((each) => !taken.has(each)),
      step,
      before,
    );
    if (one) taken.add(one);
    all.push(one ? cameWith(one) : withoutOne(came, step, before, own));
  }
  return all;
}

const cameWith = ({ what, data, who, event }: DescribedEvent): Came => ({
  what,
  data,
  who,
  eventId: String(event.eventId),
});

function withoutOne(
  came: readonly DescribedEvent[],
  step: TracedStatus,
  before: TracedStatus | undefined,
  own: number,
): Came {
  // All that was due on the way of one move: each is a step of its own.
  const move = isTimer(step.event) && came.find(({ event }) => isMove(event, own));
  if (!move) return { what: ownWords(step), data: null, who: null, eventId: null };
  const timer = timerWords(step, before);
  const data: TimelineData = { type: 'timerPassed', ...timerData(timer) };
  return { ...cameWith(move), what: `passed: ${timer}; ${move.what}`, data };
}

/** The index of the first that is greater, in numbers that rise. */
function firstBehind(numbers: readonly number[], value: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) > value) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * What came with the task in which the process took the step, and nothing that came before: a step of before has taken that, or
 * the chart does not wait for it. An accepted update is written behind the task that takes it, all other events before it. A
 * process that was halted takes later what came meanwhile. The last step of a history that is still open is told its whole
 * length, so that its task is the last that began within it.
 */
function comingFor(
  { historyLength }: TracedStatus,
  before: TracedStatus | undefined,
  tasks: readonly number[],
) {
  const wasHalted = before?.awaited.halted !== undefined;
  const nextTask = firstBehind(tasks, historyLength);
  const own = tasks[nextTask - 1] ?? historyLength;
  const last = wasHalted ? 0 : (tasks[nextTask - 2] ?? 0);
  const next = tasks[nextTask] ?? Number.POSITIVE_INFINITY;
  const hasCome = (event: HistoryEvent): boolean => {
    const id = Number(event.eventId);
    return event.workflowExecutionUpdateAcceptedEventAttributes
      ? id < next && (wasHalted || id > own)
      : id <= own && id > last;
  };
  /** All that has come lies between the two. */
  return { last, own, next, hasCome };
}

/** The one that fits best, and of those the first. */
function fittingOne(
  candidates: readonly DescribedEvent[],
  step: TracedStatus,
  before: TracedStatus | undefined,
): DescribedEvent | undefined {
  for (const fits of fitting(step, before)) {
    const found = candidates.find(fits);
    if (found) return found;
  }
  return undefined;
}

type Fits = (each: DescribedEvent) => boolean;

const byEvent =
  (fits: (event: HistoryEvent) => boolean): Fits =>
  ({ event }) =>
    fits(event);

/** From what is certain to what is possible. */
function fitting(step: TracedStatus, before: TracedStatus | undefined): readonly Fits[] {
  const { event: type } = step;
  if (type === 'start' || type === 'continued')
    return [byEvent((event) => Boolean(event.workflowExecutionStartedEventAttributes))];
  if (type === 'cancelRequested')
    return [byEvent((event) => Boolean(event.workflowExecutionCancelRequestedEventAttributes))];
  const call = actorOf(type);
  if (call !== undefined) return answersOf(call, before);
  if (type === MIGRATION) return [byEvent((event) => updateIn(event) === 'migrate')];
  if (isTimer(type)) {
    const hasFired = ({ event }: DescribedEvent) => Boolean(event.timerFiredEventAttributes);
    const words = `passed: ${timerWords(step, before)}`;
    return [(each) => hasFired(each) && each.what === words, hasFired];
  }
  if (isKnownUpdate(type)) return [byEvent((event) => updateIn(event) === type)];
  // A flow file names its events by itself.
  return [
    byEvent((event) => signalIn(event) === type || isOfTask(type, event)),
    byEvent((event) => signalIn(event) !== undefined || isUnknownUpdate(updateIn(event))),
  ];
}

const signalIn = (event: HistoryEvent): string | undefined =>
  event.workflowExecutionSignaledEventAttributes?.signalName ?? undefined;

/**
 * The chart waits for the answers to its calls. What else runs in activities, like the delivery of an event that it emits, makes
 * it take no step.
 */
function answersOf(call: string, before: TracedStatus | undefined): readonly Fits[] {
  const open = new Set(before?.awaited.calls);
  const isAnswer = ({ event, activity }: DescribedEvent): boolean =>
    activity === undefined
      ? updateIn(event) === 'answer' || signalIn(event) !== undefined
      : before === undefined || open.has(activity);
  return [
    // A call to a connector is named by its id.
    (each) => isAnswer(each) && each.what.replace(/^[a-z ]+: /, '').startsWith(`${call}: `),
    (each) => isAnswer(each) && (each.activity !== undefined || updateIn(each.event) === 'answer'),
    isAnswer,
  ];
}

/** A task sends its events after an update, or at a time of its own. */
function isOfTask(type: string, event: HistoryEvent): boolean {
  const name = type.slice(type.lastIndexOf('.') + 1);
  if (name === 'reminder' || name === 'overdue') return Boolean(event.timerFiredEventAttributes);
  return taskActions.some((action) => changedBy[action] === name && updateIn(event) === action);
}

/** As the engine names the step by which a process goes over to another definition. */
export const MIGRATION = 'lockerflow.migration';

const isTimer = (type: string): boolean => type.startsWith('xstate.after.');

const updateIn = (event: HistoryEvent): string | undefined =>
  event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ?? undefined;

const isUnknownUpdate = (update: string | undefined): boolean =>
  update !== undefined && !isKnownUpdate(update);

/** An accepted update is written behind the task that takes it. */
const isMove = (event: HistoryEvent, task: number): boolean =>
  updateIn(event) === 'moveClock' && Number(event.eventId) > task;

/** What its timer was for, as it stood before. */
function timerWords({ event, awaited, taken }: TracedStatus, before: TracedStatus | undefined): string {
  const left = new Set(awaited.timers.map(({ timer }) => timer));
  const rung = before?.awaited.timers.find(({ timer }) => !left.has(timer));
  return rung?.timer ?? taken[0]?.event ?? event.replace(/^xstate\./, '');
}

/** For a step that no event of the history explains: a child's end, something postponed that came again. */
function ownWords({ event, taken }: TracedStatus): string {
  const [first] = taken;
  if (event.startsWith('xstate.')) return first?.event ?? event.replace(/^xstate\./, '');
  return `${event}: it had come before, and was kept until now`;
}
