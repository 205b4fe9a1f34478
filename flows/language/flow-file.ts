// A flow file as plain JSON data, exactly as its author wrote it. The registry and the histories of processes hold it so.
// Except for name, meaning and input it is an xstate machine configuration. vocabulary.ts lists all that it may contain.

import { type CalendarData, MOST_CLOSED_DAYS } from './calendar.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface ActionData {
  readonly type: string;
  readonly params?: JsonObject;
}

/** An expression such as `${…}`; `stateIn` with the `state` that must be active; or `not`, `and`, `or` of further guards. */
export type GuardData = string | { readonly type: string; readonly params?: JsonObject };

export interface TransitionData {
  readonly target?: string | readonly string[];
  readonly guard?: GuardData;
  readonly actions?: ActionData | readonly ActionData[];
  readonly reenter?: boolean;
  /** Only in `after`: the name by which people and `extend` know the timer. */
  readonly name?: string;
  readonly description?: string;
  /** The former name of the event, as `StateData.was`. */
  readonly was?: string;
  readonly meta?: JsonObject;
}

/** Only a target, one transition, or a list of transitions. The first one whose guard holds is taken. */
export type TransitionsData = string | TransitionData | readonly (string | TransitionData)[];

export interface InvokeData {
  readonly src: string;
  /** By default the path of its state. */
  readonly id?: string;
  readonly input?: Json;
  readonly onDone?: TransitionsData;
  readonly onError?: TransitionsData;
  /** How an operation or a call is tried again. */
  readonly retry?: RetryData;
  /** How long all attempts of an operation or a call may take together. */
  readonly within?: string;
  /** What undoes it once it is done. */
  readonly undo?: Pick<InvokeData, 'src' | 'input' | 'retry' | 'within'>;
  /** Its id, as `StateData.was`. */
  readonly was?: string;
  readonly meta?: JsonObject;
}

/** How a call is tried again. */
export interface RetryData {
  /** Codes and HTTP statuses of refusals that are worth another attempt too. */
  readonly on?: string | number | readonly (string | number)[];
  /** The first pause; PT1S unless given. */
  readonly first?: string;
  /** By how much each pause is longer than the one before; 2 unless given. */
  readonly factor?: number;
  /** The longest pause; PT1M unless given. */
  readonly longest?: string;
  /** How many attempts there are; without end unless given. */
  readonly tries?: number;
}

export interface StateData {
  readonly id?: string;
  readonly type?: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial?: string;
  readonly states?: Readonly<Record<string, StateData>>;
  readonly on?: Readonly<Record<string, TransitionsData>>;
  readonly after?: Readonly<Record<string, TransitionsData>>;
  readonly always?: TransitionsData;
  readonly entry?: ActionData | readonly ActionData[];
  readonly exit?: ActionData | readonly ActionData[];
  readonly invoke?: InvokeData | readonly InvokeData[];
  readonly onDone?: TransitionsData;
  readonly output?: Json;
  readonly history?: 'shallow' | 'deep';
  readonly target?: string;
  readonly tags?: string | readonly string[];
  /** While it is active, the process is overdue. */
  readonly overdue?: boolean;
  /** Its path in the version before. Without effect on how a process runs. */
  readonly was?: string;
  /** Its name for people. */
  readonly title?: string;
  readonly description?: string;
  readonly meta?: JsonObject;
}

/** An event that the file hears. */
export interface EventData {
  /** JSON Schema of its data. */
  readonly data?: JsonObject;
  readonly description?: string;
}

export interface FlowFile extends StateData {
  readonly name: string;
  /** What the flow is for, in one sentence. */
  readonly meaning: string;
  /** Who corrects the file, for people. */
  readonly maintainer?: string;
  /** JSON Schema of the `request` that starts a process. */
  readonly input?: JsonObject;
  /** JSON Schema of `output`, which a process gives at its end. */
  readonly result?: JsonObject;
  readonly context?: JsonObject;
  /** By names of the author's own, such as `desk`. */
  readonly calendars?: Readonly<Record<string, CalendarData>>;
  /** The keys of its data by which events find a process: expressions, by the names of the keys. */
  readonly correlate?: JsonObject;
  /** By their types. */
  readonly events?: Readonly<Record<string, EventData>>;
  /** By names of the author's own, such as `monthly`. */
  readonly schedules?: Readonly<Record<string, ScheduleData>>;
  /** By the types of events. */
  readonly starts?: Readonly<Record<string, EventStartData>>;
}

/** The process that an event starts: expressions over `event`. */
export interface EventStartData {
  /** The name of the flow and the id of the event unless given. */
  readonly key?: string;
  /** The data of the event unless given. */
  readonly request?: Json;
  readonly description?: string;
}

/** When processes are started by themselves; it has one of `zone` and `calendar`. */
interface ScheduleData {
  readonly cron: string;
  readonly zone?: string;
  /** One of the file. */
  readonly calendar?: string;
  readonly request?: JsonObject;
  readonly description?: string;
}

/** What a flow, and what is named in its file, may be called. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The limits of a file and of its processes. Each limit has a code for what goes beyond it. */
export const bounds = {
  /** The bytes of a file in UTF-8. Every history holds the file. */
  fileBytes: 64 * 1024,
  states: 200,
  transitions: 1_000,
  /** Temporal fails the task of a process that has 2,000 activities or child workflows open. */
  invokes: 200,
  calendars: 8,
  schedules: 20,
  starts: 20,
  /** Closed days in one calendar. */
  closedDays: MOST_CLOSED_DAYS,
  expressionLength: 1_000,
  /** The size of the context as JSON, after every step, and of each value that an expression gives. */
  contextBytes: 32 * 1024,
  /** The size of a whole value with all its expressions filled in: Temporal limits the size of inputs and results. */
  valueBytes: 128 * 1024,
  /** Of `each`: the items of one list, as JSON too, and what is kept of them when they have ended. */
  items: 10_000,
  itemsBytes: 512 * 1024,
  outcomesBytes: 384 * 1024,
  /** Of `each`: how many may run at once. */
  atOnce: 100,
  /** Steps that one event may lead to. */
  microsteps: 200,
  /** How many levels of values and states may be within each other. */
  depth: 32,
} as const;

export const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty for what is no map. */
export const mapOf = (value: unknown): JsonObject =>
  isMap(value as Json | undefined) ? (value as JsonObject) : {};

/** As a list: xstate takes one item or a list of items. */
export function listOf<Item>(given: Item | readonly Item[] | undefined): readonly Item[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as Item];
}

/** The id of an invoke: its own, or one made from the path of its state. */
export function invokeIdOf({ id }: InvokeData, statePath: readonly string[], index: number): string {
  const path = statePath.length > 0 ? statePath.join('.') : 'process';
  return id ?? (index === 0 ? path : `${path}.${index + 1}`);
}

interface StateAt {
  readonly state: StateData;
  /** The names of the states that lead to it. */
  readonly keys: readonly string[];
}

/** What is computed of a file once: no file changes. A process asks for much of this in each step. */
export function onceForEach<File extends StateData, Result>(
  compute: (file: File) => Result,
): (file: File) => Result {
  const known = new WeakMap<File, { readonly result: Result }>();
  return (file) => {
    const before = known.get(file);
    if (before) return before.result;
    const result = compute(file);
    known.set(file, { result });
    return result;
  };
}

/** Each before those within it. */
export const statesIn = (state: StateData, keys: readonly string[] = []): StateAt[] => [
  { state, keys },
  ...Object.entries(state.states ?? {}).flatMap(([key, inner]) => statesIn(inner, [...keys, key])),
];

interface InvokeIn {
  readonly id: string;
  readonly invoke: InvokeData;
}

export const invokesIn = onceForEach((file: StateData): readonly InvokeIn[] =>
  statesIn(file).flatMap(({ state, keys }) =>
    listOf(state.invoke).map((invoke, index) => ({ id: invokeIdOf(invoke, keys, index), invoke })),
  ),
);

/** Every event that a state takes, as it is written in `on`. */
export const listenedFor = onceForEach((file: StateData): readonly string[] => [
  ...new Set(statesIn(file).flatMap(({ state }) => Object.keys(state.on ?? {}))),
]);

/** Every event that an action raises. */
export const raisedIn = (file: StateData): string[] =>
  actionsIn(file).flatMap(({ type, params }) => (type === 'raise' ? [String(params?.type)] : []));

/** Those of entry, exit and transitions. */
export const actionsIn = (file: StateData): ActionData[] =>
  statesIn(file).flatMap(({ state }) => [
    ...[state.entry, state.exit].flatMap((actions) => listOf(actions)),
    ...transitionsIn(state).flatMap(({ actions }) => listOf(actions)),
  ]);

const transitionsIn = ({ on = {}, after = {}, always, onDone, invoke }: StateData): TransitionData[] =>
  [
    ...Object.values(on),
    ...Object.values(after),
    always,
    onDone,
    ...listOf(invoke).flatMap((each) => [each.onDone, each.onError]),
  ].flatMap((given) =>
    (listOf(given) as readonly (string | TransitionData)[]).flatMap((each) =>
      typeof each === 'string' ? [] : [each],
    ),
  );

/** The events of one invoke that the file listens for, without the id of the invoke. */
export function subscribedEvents(file: StateData, id: string): string[] {
  const prefix = `${id}.`;
  const all = listenedFor(file);
  // A wildcard for all events, or one that ends within the id, takes every event of the invoke.
  if (all.some((type) => type === '*' || (type.endsWith('.*') && prefix.startsWith(type.slice(0, -1)))))
    return ['*'];
  return all.filter((type) => type.startsWith(prefix)).map((type) => type.slice(prefix.length));
}
