// The messages that come to a process of a flow file: which of them are events, and who may send which; and how the update
// `extendDeadline` is read. Nobody hears the refusal of a signal, so what is no event is dropped and counted.
import type { AnyStateMachine, EventObject } from 'xstate';
import type { Attribution } from '../../../contract/flows/attribution.ts';
import { delayName, isOfItself, TIMER_MOVED, timerName } from '../../../engine/chart/messages.ts';
import { notPossible, type Refusal } from '../../../engine/commands.ts';
import type { MessageEvent, OpenTimer, TimerExtension } from '../../../engine/definition.ts';
import { INVALID_EVENT } from '../../../engine/messages.ts';
import { dataProblem } from '../correlation.ts';
import { instantText } from '../duration.ts';
import { type FlowFile, invokesIn, type Json, listenedFor } from '../flow-file.ts';
import { type NewEnd, newEnd } from '../new-end.ts';
import { type ActorKind, kindOfActor } from './actor-kinds.ts';
import { taskEvents } from './tasks.ts';

/** Signal `event`: what somebody outside tells a process; one `id` counts once. */
export interface OutsideEvent {
  readonly type: string;
  readonly id?: string;
  readonly data?: Json;
  /** How long it waits for a state that takes it, in milliseconds. By default it does not wait. */
  readonly keepForMs?: number;
  /** The history keeps it. */
  readonly who?: Attribution;
}

/** Whether an event belongs to a flow that the file starts, or to a task: it comes from that alone. */
export function isOfChild(file: FlowFile): (type: string) => boolean {
  const ids = idsOf(file, ['flow', 'each', 'book']);
  const tasks = idsOf(file, ['ask']);
  const ofTasks = new Set(tasks.flatMap((id) => taskEvents.map((event) => `${id}.${event}`)));
  const listened = new Set(listenedFor(file));
  // `old.*` takes the event `old` too.
  const isTakenAs = (id: string) => listened.has(`${id}.*`) && !listened.has(id);
  // What a file names beside its own events is outside's: `order.cancelled`, in a file whose question is `order`.
  const isTakenFor = (id: string, type: string) =>
    (type === id || type.startsWith(`${id}.`)) && listened.has(`${id}.*`) && !listened.has(type);
  return (type) =>
    ofTasks.has(type) ||
    tasks.some((id) => isTakenFor(id, type)) ||
    ids.some((id) => type.startsWith(`${id}.`) || (type === id && isTakenAs(id)));
}

/** The events that come to a process from others than the flows that it has started. */
export function outsideEvents(file: FlowFile): string[] {
  const isChilds = isOfChild(file);
  return listenedFor(file).filter((type) => !isOfItself(type) && !isChilds(type));
}

const idsOf = (file: FlowFile, kinds: readonly ActorKind[]): string[] =>
  invokesIn(file).flatMap(({ id, invoke }) => (kinds.includes(kindOfActor(invoke.src)) ? [id] : []));

export class Incoming {
  readonly #isOfChild: (type: string) => boolean;
  #dropped: number;

  /** @param dropped in former runs */
  constructor(file: FlowFile, dropped = 0) {
    this.#isOfChild = isOfChild(file);
    this.#dropped = dropped;
  }

  /** How many messages were no events. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts a message that was no event. */
  drop(): void {
    this.#dropped += 1;
  }

  /** Null for what is no event. */
  take(message: MessageEvent): EventObject | null {
    const event = this.eventOf(message);
    if (!event) this.drop();
    return event;
  }

  /** As `take`, without counting. */
  eventOf({ payload }: MessageEvent): EventObject | null {
    if (typeof payload !== 'object' || payload === null) return null;
    const { type } = payload as EventObject;
    if (typeof type !== 'string' || isReserved(type) || this.#isOfChild(type)) return null;
    const { id, data = null } = payload as OutsideEvent;
    if (dataProblem(data) !== undefined) return null;
    const fields = { data, ...(typeof id === 'string' && { id }) };
    return { ...fields, type };
  }
}

export const formatDropped = (count: number): string =>
  `${count === 1 ? '1 message was' : `${count} messages were`} dropped: without a type, too large, or in the name of a flow that had not sent it`;

/** Nobody outside may pretend that an actor is done. */
const isReserved = (type: string): boolean =>
  type === '' || type === TIMER_MOVED || /^(?:xstate|lockerflow)\./.test(type);

/** True for the timer of a state, false for a delayed `raise`. */
export const isOfState = ({ event }: OpenTimer): boolean => event.type.startsWith('xstate.after.');

/** How a timer of a state is called where one is moved, by its id: by its name, unless several that run have it. */
export function timerHandles(
  open: readonly { readonly id: string }[],
  machine: AnyStateMachine,
): ReadonlyMap<string, string> {
  const names = open.map(({ id }) => timerName(machine, id));
  const isSingle = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  return new Map(
    open.flatMap(({ id }, index) => {
      const name = names[index];
      return name !== undefined && isSingle(name) ? [[id, name]] : [];
    }),
  );
}

/** @returns the timers that it may mean: by its id, by its name, or by its delay as it is written */
function timersMeant(given: unknown, timers: readonly OpenTimer[], machine: AnyStateMachine): OpenTimer[] {
  const ways: ((timer: OpenTimer) => string | undefined)[] = [
    ({ id }) => id,
    ({ id }) => timerName(machine, id),
    ({ delay }) => delay.name,
  ];
  const found = ways.map((nameOf) => timers.filter((each) => nameOf(each) === given));
  return found.find((each) => each.length > 0) ?? [];
}

export function extensionOf(
  payload: unknown,
  open: readonly OpenTimer[],
  { machine, now }: { readonly machine: AnyStateMachine; readonly now: number },
): TimerExtension | Refusal {
  const input: NewEnd & { readonly timer?: unknown } =
    typeof payload === 'object' && payload !== null ? payload : {};
  const timers = open.filter(isOfState);
  const [found, ...others] = timersMeant(input.timer, timers, machine);
  if (!found || others.length > 0) {
    const given = input.timer === undefined ? 'timer is missing' : `timer is ${JSON.stringify(input.timer)}`;
    if (found)
      return notPossible(
        `${given}, which several have, expected one of ${[found, ...others].map(({ id }) => id).join(', ')}`,
      );
    return notPossible(
      `${given}, expected ${shortNames(timers, machine) || 'none: it waits for no time now'}`,
    );
  }
  const dueAt = newEnd(input, found.dueAt, now) ?? 'a wait has always an end: until is null';
  return typeof dueAt === 'string' ? { code: INVALID_EVENT, message: dueAt } : { timer: found.id, dueAt };
}

/** By what each of them alone is called. */
function shortNames(timers: readonly OpenTimer[], machine: AnyStateMachine): string {
  const handles = timerHandles(timers, machine);
  const isAlone = (text: string) => timersMeant(text, timers, machine).length === 1;
  return timers
    .map(({ id, delay: { name } }) => handles.get(id) ?? (isAlone(name) && !name.includes('${') ? name : id))
    .join(', ');
}

/** What the file hears of it: `timer` is its name, or its delay as it is written. */
export const movedEvent = (
  { timer, dueAt }: TimerExtension,
  machine: AnyStateMachine,
): EventObject & {
  readonly timer: string;
  readonly until: string;
} => ({
  type: TIMER_MOVED,
  timer: timerName(machine, timer) ?? delayName(machine, timer) ?? timer,
  until: instantText(dueAt),
});
