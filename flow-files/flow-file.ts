// A flow file as plain JSON data, just as it was written: what goes into the registry and into the histories of processes.
// But for name, meaning and input it is an xstate machine configuration; what it may name is closed (vocabulary.ts).

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface ActionData {
  readonly type: string;
  readonly params?: JsonObject;
}

/** An expression as `${…}`, or one of xstate's own guards with params. */
export type GuardData = string | { readonly type: string; readonly params?: JsonObject };

export interface TransitionData {
  readonly target?: string | readonly string[];
  readonly guard?: GuardData;
  readonly actions?: ActionData | readonly ActionData[];
  readonly reenter?: boolean;
  readonly description?: string;
  readonly meta?: JsonObject;
}

/** A target alone, one transition, or several in order. */
export type TransitionsData = string | TransitionData | readonly (string | TransitionData)[];

export interface InvokeData {
  readonly src: string;
  /** By default the path of its state. */
  readonly id?: string;
  readonly input?: Json;
  readonly onDone?: TransitionsData;
  readonly onError?: TransitionsData;
  readonly meta?: JsonObject;
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
  readonly description?: string;
  readonly meta?: JsonObject;
}

export interface FlowFile extends StateData {
  readonly name: string;
  /** What it is for, as one sentence. */
  readonly meaning: string;
  /** JSON Schema of the start's `request`. */
  readonly input?: JsonObject;
  readonly context?: JsonObject;
}

/** What a file may ask of its process at most; each is refused with a code. */
export const bounds = {
  /** Of a file, as UTF-8. A file goes into every history. */
  fileBytes: 64 * 1024,
  states: 200,
  transitions: 1_000,
  /** Temporal ends the task of a process that has 2,000 of them open. */
  invokes: 200,
  expressionLength: 1_000,
  /** Of the context as JSON, after every step; also of each value that an expression gives. */
  contextBytes: 32 * 1024,
  /** Of a whole value with all its expressions filled in: Temporal takes no input or result without end. */
  valueBytes: 128 * 1024,
  /** Of one event. */
  microsteps: 200,
  /** How deep values and states may nest. */
  depth: 32,
} as const;

/** One or several, as xstate takes them. */
export function listOf<Item>(given: Item | readonly Item[] | undefined): readonly Item[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as Item];
}

/** The id under which what it invokes is known. */
export function invokeIdOf({ id }: InvokeData, statePath: readonly string[], index: number): string {
  const path = statePath.length > 0 ? statePath.join('.') : 'process';
  return id ?? (index === 0 ? path : `${path}.${index + 1}`);
}
