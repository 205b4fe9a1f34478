// The messages that come to a process of a flow file: which of them are events, and who may send which; and how the update
// `extendDeadline` is read. Nobody hears the refusal of a signal, so what is no event, or does not fit the schema of its event, is
// put aside and counted.
import type { AnyStateMachine, EventObject } from 'xstate';
import type { Attribution } from '../../../contract/flows/attribution.ts';
import { aftersOf, getOwn, isOfItself, TIMER_MOVED } from '../../../engine/chart/messages.ts';
import { notPossible, type Rejection } from '../../../engine/commands.ts';
import type { MessageEvent } from '../../../engine/definition/message-rules.ts';
import type { OpenTimer, TimerExtension } from '../../../engine/definition/timer-rules.ts';
import { INVALID_EVENT } from '../../../engine/messages.ts';
import { dataProblem } from '../correlation.ts';
import { declaredIssue } from '../declared-issues.ts';
import { instantText } from '../duration.ts';
import {
  type EventData,
  type FlowFile,
  invokesIn,
  type Json,
  type JsonObject,
  listenedFor,
  onceForEach,
  raisedIn,
} from '../flow-file.ts';
import { type NewEnd, newEnd } from '../new-end.ts';
import { type ValueIssue, valueIssues } from '../value-issues.ts';
import { type ActorKind, kindOfActor } from './actor-kinds.ts';
import { withDefaults } from './machine-runtime.ts';
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
export const isOfChild = onceForEach((file: FlowFile): ((type: string) => boolean) => {
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
});

/** The events that come to a process from others than the flows that it has started. */
export const outsideEvents = onceForEach((file: FlowFile): readonly string[] => {
  const isChilds = isOfChild(file);
  return listenedFor(file).filter((type) => !isOfItself(type) && !isChilds(type));
});

/** Those that the file raises, and does not describe for others: nobody is asked to send them. */
export const ownEvents = onceForEach((file: FlowFile): readonly string[] =>
  raisedIn(file).filter((type) => !Object.hasOwn(file.events ?? {}, type)),
);

const idsOf = (file: FlowFile, kinds: readonly ActorKind[]): string[] =>
  invokesIn(file).flatMap(({ id, invoke }) => (kinds.includes(kindOfActor(invoke.src)) ? [id] : []));

const schemaOf = ({ events = {} }: FlowFile, type: string): JsonObject | undefined =>
  getOwn<EventData>(events, type)?.data;

/** What the file's `events` say against the data of an event from outside. */
export const eventIssues = (file: FlowFile, type: string, data: Json): ValueIssue[] => {
  const schema = schemaOf(file, type);
  return schema === undefined ? [] : valueIssues(schema, data, 'data');
};

/** With what its schema gives in place of fields that are left out. */
function filled(file: FlowFile, event: EventObject, type = event.type): EventObject {
  const schema = schemaOf(file, type);
  const { data = null } = event as OutsideEvent;
  return schema ? ({ ...event, data: withDefaults(schema, data) } as EventObject) : event;
}

/** An event that the file raises, or that a flow of its own sends; null: it is not what `events` says. */
export const fittedEvent = (file: FlowFile, event: EventObject): EventObject | null =>
  eventIssues(file, event.type, (event as OutsideEvent).data ?? null).length === 0
    ? filled(file, event)
    : null;

export const formatIssues = (issues: readonly ValueIssue[]): string =>
  issues.map(({ field, message }) => `${field} ${message}`).join('; ');

/** An event that did not fit, without what it said: everybody who may read processes reads it. */
interface MisfitEvent {
  readonly type: string;
  readonly id?: string;
  readonly reason: string;
}

/** What a process keeps of messages that were put aside. */
export interface PutAside {
  /** How many. */
  readonly dropped: number;
  readonly misfits: readonly MisfitEvent[];
}

type Before = { readonly [Key in keyof PutAside]?: PutAside[Key] | undefined };

/** The newest, so that a process does not grow without end. */
const MAX_MISFITS = 10;
const MAX_REASON = 200;
/** A client sends no longer one. */
const MAX_ID = 200;

/** An event by the name that it has now. */
type Named = (event: EventObject) => EventObject;
const asItIs: Named = (event) => event;

export class Incoming {
  readonly #file: FlowFile;
  readonly #isOfChild: (type: string) => boolean;
  #putAside: PutAside;

  /** @param before what was put aside in former runs */
  constructor(file: FlowFile, { dropped = 0, misfits = [] }: Before = {}) {
    this.#file = file;
    this.#isOfChild = isOfChild(file);
    this.#putAside = { dropped, misfits };
  }

  get putAside(): PutAside {
    return this.#putAside;
  }

  /** Counts a message that was no event. */
  drop(): void {
    this.#putAside = { ...this.#putAside, dropped: this.#putAside.dropped + 1 };
  }

  /** Null for what is no event, or does not fit. */
  take(message: MessageEvent, named = asItIs): EventObject | null {
    const event = this.eventOf(message);
    const reason = event ? this.#misfitReason(event, named) : undefined;
    if (event && reason === undefined) return filled(this.#file, event, named(event).type);
    this.drop();
    if (event && reason !== undefined) this.#keep(event, reason);
    return null;
  }

  /** Why `take` puts it aside; undefined: it takes it. Counts nothing. */
  whyPutAside(message: MessageEvent, named = asItIs): string | undefined {
    const event = this.eventOf(message);
    return event ? this.#misfitReason(event, named) : this.#noEventReason(message);
  }

  /** An event of a flow that the file has started: a file describes it as `<id>.<type>`. Counts nothing. */
  ofChild(
    event: EventObject,
    { id, of }: { readonly id: string; readonly of: string | undefined },
  ): EventObject | { readonly putAside: EventObject } {
    // An item of an `each` has an id of its own within it.
    const type = of === undefined ? event.type : `${of}${event.type.slice(id.length)}`;
    const fitted = fittedEvent(this.#file, { ...event, type });
    return fitted === null ? { putAside: { ...event, type } } : { ...fitted, type: event.type };
  }

  /** One that does not fit. */
  putAsideMisfit(event: EventObject): void {
    this.drop();
    this.#keep(event, this.#misfitReason(event) ?? '');
  }

  issuesOf(event: EventObject, named = asItIs): ValueIssue[] {
    const { type, data } = named(event) as OutsideEvent;
    return eventIssues(this.#file, type, data ?? null);
  }

  /** As `take`, without counting, and whatever its data. */
  eventOf(message: MessageEvent): EventObject | null {
    if (this.#noEventReason(message) !== undefined) return null;
    const { type, id, data = null } = message.payload as OutsideEvent;
    const fields = { data, ...(typeof id === 'string' && { id }) };
    return { ...fields, type };
  }

  /** Undefined: it is an event. */
  #noEventReason({ payload }: MessageEvent): string | undefined {
    const { type, data = null } = (payload ?? {}) as Partial<OutsideEvent>;
    if (typeof type !== 'string') return 'it has no type';
    if (isReserved(type) || this.#isOfChild(type)) return 'nobody outside may send it';
    const problem = dataProblem(data);
    return problem === undefined ? undefined : `its data is too large, ${problem}`;
  }

  /** In the words of the file alone; undefined: it fits. */
  #misfitReason(event: EventObject, named = asItIs): string | undefined {
    const issues = this.issuesOf(event, named);
    const schema = schemaOf(this.#file, named(event).type);
    return issues.length === 0
      ? undefined
      : formatIssues(issues.map((each) => declaredIssue(each, schema))).slice(0, MAX_REASON);
  }

  #keep(event: EventObject, reason: string): void {
    const { type, id } = event as OutsideEvent;
    const misfit = { type, ...(id !== undefined && { id: id.slice(0, MAX_ID) }), reason };
    const misfits = [...this.#putAside.misfits, misfit].slice(-MAX_MISFITS);
    this.#putAside = { ...this.#putAside, misfits };
  }
}

export const formatDropped = (count: number): string =>
  `${count === 1 ? '1 message was' : `${count} messages were`} dropped: without a type, too large, not as the file describes the event, or in the name of a flow that had not sent it`;

export const formatMisfit = ({ type, reason }: MisfitEvent): string => `dropped: ${type}: ${reason}`;

/** Nobody outside may pretend that an actor is done. */
const isReserved = (type: string): boolean =>
  type === '' || isOfItself(type) || /^(?:xstate|lockerflow)\./.test(type);

/** True for the timer of a state, false for a delayed `raise`. */
export const isOfState = ({ event }: OpenTimer): boolean => event.type.startsWith('xstate.after.');

/** What a timer of a state may be called, what people use first: its name, its delay as it is written, or these with its state. */
function timerNames(id: string, afters: ReturnType<typeof aftersOf>): string[] {
  const { node, delay = '', name } = afters.get(id) ?? {};
  if (!node) return [id];
  const place = node.path.join('.') || 'process';
  const number = node.after.findIndex(({ eventType }) => eventType === id) + 1;
  const isComputed = delay.includes('${');
  return [
    ...(name === undefined ? [] : [name]),
    ...(isComputed ? [`${place}.after`, `${place}.after.${number}`] : [delay, `${place}.${delay}`]),
  ];
}

/** By its id, how each timer of a state is called where one is moved: by what no other that runs is called. Bookings name their own. */
export function timerHandles(
  open: readonly { readonly id: string; readonly of?: string | undefined }[],
  machine: AnyStateMachine,
): ReadonlyMap<string, string> {
  const ofStates = open.filter(({ of }) => of === undefined);
  if (ofStates.length === 0) return new Map();
  const afters = aftersOf(machine);
  const named = ofStates.map(({ id }) => ({ id, names: timerNames(id, afters) }));
  const isSingle = (name: string) => named.filter(({ names }) => names.includes(name)).length === 1;
  return new Map(named.map(({ id, names }) => [id, names.find(isSingle) ?? id]));
}

/** @returns the timers that it may mean, by what is meant first: an id, a name, a delay as it is written */
function timersMeant(given: unknown, timers: readonly OpenTimer[], machine: AnyStateMachine): OpenTimer[] {
  const afters = aftersOf(machine);
  const ways: ((timer: OpenTimer) => readonly (string | undefined)[])[] = [
    ({ id }) => [id],
    ({ id }) => [afters.get(id)?.name],
    ({ delay }) => [delay.name],
    ({ id }) => timerNames(id, afters),
  ];
  const found = ways.map((namesOf) => timers.filter((each) => namesOf(each).includes(given as string)));
  return found.find((each) => each.length > 0) ?? [];
}

export function extensionOf(
  payload: unknown,
  open: readonly OpenTimer[],
  { machine, now }: { readonly machine: AnyStateMachine; readonly now: number },
): TimerExtension | Rejection {
  const input: NewEnd & { readonly timer?: unknown } =
    typeof payload === 'object' && payload !== null ? payload : {};
  const timers = open.filter(isOfState);
  const [found, ...others] = timersMeant(input.timer, timers, machine);
  if (!found || others.length > 0) {
    const given = input.timer === undefined ? 'timer is missing' : `timer is ${JSON.stringify(input.timer)}`;
    const handles = timerHandles(timers, machine);
    const known = (found ? [found, ...others] : timers).map(({ id }) => handles.get(id) ?? id).join(', ');
    return notPossible(
      found
        ? `${given}, which several have, expected one of ${known}`
        : `${given}, expected ${known || 'none: it waits for no time now'}`,
    );
  }
  const dueAt = newEnd(found.id, input, found.dueAt, now) ?? 'a wait has always an end: until is null';
  return typeof dueAt === 'string' ? { code: INVALID_EVENT, message: dueAt } : { timer: found.id, dueAt };
}

/** What the file hears of it: `timer` is its name, or its delay as it is written. */
export const movedEvent = (
  { timer, dueAt }: TimerExtension,
  machine: AnyStateMachine,
): EventObject & {
  readonly timer: string;
  readonly until: string;
} => {
  const { name, delay = timer } = aftersOf(machine).get(timer) ?? {};
  return { type: TIMER_MOVED, timer: name ?? delay, until: instantText(dueAt) };
};
