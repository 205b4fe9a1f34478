// The kinds of actors that a machine may have. The logic of an activity, a child workflow or a procedure never runs as xstate's
// own: the engine reads from it what the host is to call.
import type { ActivityOptions } from '@temporalio/workflow';
import { type AnyActorLogic, type EventObject, fromPromise, type PromiseActorLogic } from 'xstate';

export interface ActivityCall<Input> {
  /** The activity's type. */
  readonly activity: string;
  options(input: Input): ActivityOptions;
  /** What the activity gets; the actor's input if not given. */
  argument?(input: Input): unknown;
  /** A text for the timeline. No personal data, no access codes. */
  summary(input: Input): string | undefined;
  /** A request to cancel the process also cancels this activity; it still answers when its outcome is known. */
  readonly isCancellable: boolean;
  /** Run by the worker that has the workflow task, for a single event of history: only for what takes milliseconds. */
  readonly isLocal?: true;
}

export type ActivityLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly call: ActivityCall<Input>;
};

export const activityLogic = <Output, Input>(call: ActivityCall<Input>): ActivityLogic<Output, Input> => ({
  ...neverRun<Output, Input>(call.activity),
  call,
});

/** A separate workflow: it does not end with the run that starts it. Events that are sent to it are its signals. */
export interface ChildWorkflowCall<Input> {
  /** The workflow's type. */
  readonly workflow: string;
  workflowId(input: Input): string;
  /** The types of its events that the chart gets, without the actor's id: `issue.Completed`, `issue.*`, or `*` for all. */
  subscriptions(input: Input): readonly string[];
  /** What the workflow gets. */
  argument(input: Input): unknown;
  /** A text for the timeline. No personal data, no access codes. */
  summary?(input: Input): string | undefined;
  /** What Temporal lists it by, from its start. */
  readonly searchAttributes?: Readonly<Record<string, string[]>>;
}

type ChildWorkflowLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly child: ChildWorkflowCall<Input>;
};

export const childLogic = <Output, Input>(
  child: ChildWorkflowCall<Input>,
): ChildWorkflowLogic<Output, Input> => ({ ...neverRun<Output, Input>(child.workflow), child });

/** What a procedure has of the process that it runs in. The first of `done` and `failed` counts. */
export interface ProcedureHost {
  /** Milliseconds since 1970, by the clock of the process. */
  now(): number;
  /** Calls `ring` at the moment, if the procedure has not ended by then. */
  alarm(dueAt: number, summary: string, ring: () => void): void;
  done(output: unknown): void;
  failed(error: unknown): void;
  /** An event for the machine that began it, which gets it as `<id>.<type>`. */
  event(event: EventObject): void;
}

interface Procedure {
  /** Called once: it has answered or was cancelled, or the state that made it was left. */
  end?(): void;
  /** A migration: the new definition would begin it with this input. */
  changed?(input: unknown): void;
  /** What a continued run begins it with again, as JSON. Not given: the process continues as new only after it. */
  kept?(): unknown;
}

export type ProcedureLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly procedure: {
    readonly name: string;
    begin(input: Input, host: ProcedureHost, kept?: unknown): Procedure;
    /** A request to cancel the process also cancels it. */
    readonly isCancellable: boolean;
  };
};

/**
 * A function within the process: it needs no activity and no separate workflow, and waits for a message to the process. A replay
 * runs it again, so it must be deterministic.
 */
export const procedure = <Output = unknown, Input = unknown>(
  name: string,
  begin: (input: Input, host: ProcedureHost, kept?: unknown) => Procedure,
): ProcedureLogic<Output, Input> => ({
  ...neverRun<Output, Input>(name),
  procedure: { name, begin, isCancellable: true },
});

/** Logic of which only the type is used. */
function neverRun<Output, Input>(name: string): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(() => {
    throw new TypeError(`${name} is run by the engine, expected never to run in a live actor`);
  });
}

/** A field of an event for a child workflow: the signal's argument, where that is not the event's other fields. */
export const SIGNAL_ARGUMENT = 'lockerflow.argument';

/** The event that cancels an invoked actor; its failure then says that it was cancelled. */
export const CANCEL_CALL = 'lockerflow.cancel';

/** Logic that the host runs. */
export type ExternalLogic =
  | ActivityLogic<unknown, unknown>
  | ChildWorkflowLogic<unknown, unknown>
  | ProcedureLogic<unknown, unknown>;

export type Kind = 'activity' | 'childWorkflow' | 'procedure';

export function callKindOf(logic: ExternalLogic): Kind {
  if ('call' in logic) return 'activity';
  return 'child' in logic ? 'childWorkflow' : 'procedure';
}

/** Null for what no host runs: an inline actor (inline-actor.ts). */
export const externalLogic = (logic: AnyActorLogic): ExternalLogic | null =>
  ['call', 'child', 'procedure'].some((field) => field in logic) ? (logic as never) : null;

/** The activity's or workflow's type, or the procedure's name. */
export function callTypeOf(logic: ExternalLogic): string {
  if ('call' in logic) return logic.call.activity;
  return 'child' in logic ? logic.child.workflow : logic.procedure.name;
}
