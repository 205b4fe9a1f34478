// What really happened to a process, as data: its start, everything that came from outside, and its end. Timers are not part of
// it: they follow from the definition that is played.
import type { EventObject } from 'xstate';
import { bookingSignals } from '../booking/booking-actor.ts';
import { isBookingUpdate } from '../booking/refusals.ts';
import type { FlowFile, Json, JsonObject } from '../language/flow-file.ts';
import type { Answer } from '../language/machine/asked-question.ts';
import type { TaskAction, TaskChange } from '../language/machine/tasks.ts';

export interface RecordedProcess {
  readonly key: string;
  /** The file and the version on which it was started. */
  readonly file: FlowFile;
  readonly version: number;
  readonly input: Json;
  /** What else it was started with: `deadlines`, `onOverdue` … */
  readonly beside?: JsonObject;
  /** Milliseconds since 1970, as all times here. */
  readonly begunAt: number;
  /** What happened later is not known. */
  readonly until: number;
  /** In the order in which the process took them. */
  readonly stimuli: readonly Stimulus[];
  /** The calls that it made, in their order: flows, operations, calls, and those of bookings; questions leave no trace. */
  readonly calls: readonly string[];
  /** Null while it runs. */
  readonly end: RecordedEnd | null;
}

export type Stimulus = At &
  (
    | { readonly kind: 'event'; readonly payload: unknown }
    /** For its bookings: what a callback or another process says. */
    | { readonly kind: 'signal'; readonly name: string; readonly payload: unknown }
    /** Somebody moves a deadline or a timer, or decides about a booking. */
    | { readonly kind: 'update'; readonly name: string; readonly given: unknown }
    | { readonly kind: 'answer'; readonly given: Answer }
    | { readonly kind: 'task'; readonly action: TaskAction; readonly given: TaskChange }
    | { readonly kind: 'cancellation' }
    | { readonly kind: 'decision'; readonly decision: 'dropEvent' | 'giveUp' }
    | { readonly kind: 'call'; readonly call: string; readonly came: CameOfCall }
  );

/** About a question. */
export type PersonStimulus = Extract<Stimulus, { readonly kind: 'answer' | 'task' }>;

export const isOfPerson = (stimulus: Stimulus): stimulus is PersonStimulus =>
  stimulus.kind === 'answer' || stimulus.kind === 'task';

interface At {
  readonly at: number;
}

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

export const isPlayedSignal = (name: string): boolean => Object.hasOwn(bookingSignals, name);
export const isPlayedUpdate = (name: string): boolean => isBookingUpdate(name);
