// The input of the engine to run a process: a statechart, and pure functions beside it, grouped by what they are about. The engine
// never looks into a snapshot's context.
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Command } from '../commands.ts';
import type { Obstacle, Plan } from '../migration-plan.ts';
import type { Ending } from './closing.ts';
import type { HaltRules } from './halt-rules.ts';
import type { MessageRules } from './message-rules.ts';
import type { MigrationRequest } from './migration-request.ts';
import type { OutgoingRules } from './outgoing-rules.ts';
import type { ExtensionRules } from './timer-rules.ts';
import type { InlineActorView, ProcessViews } from './views.ts';

/** How a process was started; by default the statechart's `input`. */
export interface ProcessStart<Input = unknown> {
  readonly input: Input;
  readonly flow: string;
  readonly version: number;
  readonly workflowId: string;
  /** The same after continue-as-new and after a reset, unlike the run id: idempotency keys are made from it. */
  readonly firstExecutionRunId: string;
}

export interface Definition {
  /** Marked (`marked`), with a bound of its loops (`options.maxIterations`). */
  readonly machine: AnyStateMachine;
  /** The machine's input. The whole ProcessStart if not given. */
  input?(start: ProcessStart): unknown;
  /** How the workflow closes. The machine's output, an `Ending`, if not given. */
  ending?(snapshot: AnyMachineSnapshot, isCancelled: boolean, actors: readonly InlineActorView[]): Ending;
  readonly messages: MessageRules;
  readonly views: ProcessViews;
  readonly outgoing?: OutgoingRules;
  /** Not given: each error is a defect, and the process waits for a repaired worker. */
  readonly halting?: HaltRules;
  /** Not given: its timers cannot be moved. */
  readonly extension?: ExtensionRules;
  /**
   * The commands that the query `actions` answers with; without them there is no such query. It gets the Process (engine/process.ts),
   * which this file cannot name: a process is made of a definition.
   */
  commands?(process: object): readonly Command[];
  /** Called before each step: of the process, or of a copy of it, which has the same definition. */
  stepping?(process: { readonly isCancelled: boolean }): void;
  /** Bounds what the process does over time. Not given: it never rests. */
  readonly pace?: Pace;
  /** More data for a continued run, as `Continued.carries`: JSON. Called when the run continues as a new one. */
  carries?(): unknown;
  /**
   * What a process that has this definition is to have instead, by the request's `to`. Throws a TypeError if that is none.
   * Not given: its definition cannot be replaced.
   */
  migrates?(
    request: MigrationRequest,
    now: AnyMachineSnapshot,
    actors: readonly InlineActorView[],
  ): MigrationTarget;
}

/**
 * By version; a function, so that only those in use are built. It must be pure: its chart serves all processes of a worker.
 * A version stays as long as processes run on it.
 */
export type Versions = Readonly<Record<number, () => Definition>>;

/** The definition that a process is to have. */
export interface MigrationTarget {
  readonly definition: Definition;
  readonly version: number;
  readonly plan: Plan;
  /** The context of the new machine. */
  context?(before: unknown): unknown;
  /**
   * The input of an actor that is carried, by its new id.
   * @param of the inline actor that calls it, by its new id: the call keeps the id that it has
   */
  input?(id: string, before: unknown, of?: string): unknown;
  /** The state of an inline actor that is carried, by its new id; `of` as for `input`. */
  actor?(id: string, before: unknown, of?: string): unknown;
  /** What stands in the way beside the machine: values of the context and the input that it needs. */
  readonly obstacles?: readonly Obstacle[];
  /** What is carried otherwise than one may expect. */
  notes?(invokes: ReadonlyMap<string, string>): readonly string[];
}

/** A process that has done much rests before it goes on, so that its worker gets to all others. */
export interface Pace {
  /** Runs a turn: what it does is at the expense of the process. */
  turn<Result>(run: () => Result): Result;
  /** Runs a query, or the check of an update, which is not: a replay does not ask it again. */
  question<Result>(run: () => Result): Result;
  /** How long the process is to rest before its next step, in milliseconds; 0 outside of a turn. */
  readonly restMs: number;
}
