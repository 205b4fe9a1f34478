// What really happened to a process, as data: its start, everything that came from outside, and its end. Timers are not part of
// it: they follow from the definition that is played.
import type { EventObject } from 'xstate';
import type { FlowFile, Json } from '../flow-file.ts';
import type { Answer } from '../machine/questions.ts';
import type { TaskAction, TaskChange } from '../machine/tasks.ts';
import type { ProcessRules } from '../registry.ts';

/** What all processes have. */
export interface Recorded {
  readonly key: string;
  /** On which it was started. */
  readonly version: number;
  readonly input: Json;
  /** Milliseconds since 1970, as all times here. */
  readonly begunAt: number;
  /** What happened later is not known. */
  readonly until: number;
  /** In the order in which the process took them. */
  readonly stimuli: readonly Stimulus[];
  /** The calls that it made, in their order: flows, operations and calls; questions and locks leave no trace of their own. */
  readonly calls: readonly string[];
  /** Null while it runs. */
  readonly end: RecordedEnd | null;
}

/** A process of a flow file. */
export interface RecordedProcess extends Recorded {
  /** That it was started on. */
  readonly file: FlowFile;
  /** That its worker had. */
  readonly rules: ProcessRules | undefined;
}

export type Stimulus = At &
  (
    | OwnStimulus
    | { readonly kind: 'cancellation' }
    | { readonly kind: 'decision'; readonly decision: 'dropEvent' | 'giveUp' }
    | { readonly kind: 'call'; readonly call: string; readonly came: CameOfCall }
  );

interface At {
  readonly at: number;
}

export type OwnStimulus =
  | { readonly kind: 'event'; readonly payload: unknown }
  | { readonly kind: 'answer'; readonly given: Answer }
  | { readonly kind: 'task'; readonly action: TaskAction; readonly given: TaskChange };

export type CameOfCall =
  | { readonly event: EventObject }
  | { readonly output: unknown }
  | { readonly error: unknown };

export interface RecordedEnd {
  readonly status: 'done' | 'failed' | 'cancelled' | 'terminated';
  readonly output?: unknown;
}

/** One invocation: its id, and which time it is. */
export const callKey = (id: string, count: number): string => `${id}#${count}`;
