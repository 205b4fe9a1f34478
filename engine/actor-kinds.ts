// The kinds of actors that a machine may have. The logic of an activity, a child workflow or a procedure never runs as xstate's
// own: the engine reads from it what the world is to call.
import type { ActivityOptions, ChildWorkflowOptions } from '@temporalio/workflow';
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
  readonly heedsCancellation: boolean;
  /** Run by the worker that has the workflow task, for a single event of history: only for what takes milliseconds. */
  readonly isLocal?: true;
}

export type ActivityLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly call: ActivityCall<Input>;
};

export function activityLogic<Output, Input>(call: ActivityCall<Input>): ActivityLogic<Output, Input> {
  return { ...neverRun<Output, Input>(call.activity), call };
}

export interface ActivitySettings<Input> extends Omit<ActivityOptions, 'summary'> {
  /** A text for the timeline of the Web UI; the history keeps it, so no personal data. */
  readonly summary?: string | ((input: Input) => string);
  /** Whether a request to cancel the workflow also cancels the activity. True if not given. */
  readonly heedsCancellation?: boolean;
}

/** An activity by its type, to be invoked or spawned by a machine. It has one minute if no time-out is given. */
export function activity<Output = unknown, Input = unknown>(
  name: string,
  settings: ActivitySettings<Input> = {},
): ActivityLogic<Output, Input> {
  return activityLogic(callBySettings(name, settings));
}

/** An activity as an action of a machine: the machine does not wait for it, but the workflow ends only after it. */
export type ActivityAction<Params> = ((args: unknown, params: Params) => void) & {
  readonly activityCall: ActivityCall<unknown>;
};

/** It gets the action's params, or the event if the action has none. */
export function activityAction<Params = undefined>(
  name: string,
  settings: ActivitySettings<unknown> = {},
): ActivityAction<Params> {
  const action = () => {
    throw new TypeError(`the action ${name} is an activity: only a workflow made with the engine can run it`);
  };
  return Object.assign(action, { activityCall: callBySettings(name, settings) });
}

export function activityOfAction(implementation: unknown): ActivityCall<unknown> | undefined {
  return typeof implementation === 'function' && 'activityCall' in implementation
    ? (implementation as ActivityAction<unknown>).activityCall
    : undefined;
}

function callBySettings<Input>(
  name: string,
  { summary, heedsCancellation = true, ...options }: ActivitySettings<Input>,
): ActivityCall<Input> {
  const { startToCloseTimeout, scheduleToCloseTimeout } = options;
  const hasTimeout = startToCloseTimeout !== undefined || scheduleToCloseTimeout !== undefined;
  const scheduled: ActivityOptions = hasTimeout ? options : { ...options, startToCloseTimeout: '1 minute' };
  return {
    activity: name,
    options: () => scheduled,
    summary: (input) => (typeof summary === 'function' ? summary(input) : summary),
    heedsCancellation,
  };
}

/**
 * As Temporal's own, but that it does not end a child together with its parent's run: the process cancels it when it ends
 * itself, and may continue as a new run meanwhile. A `parentClosePolicy` other than ABANDON binds the child to the run.
 */
export type ChildOptions = Omit<ChildWorkflowOptions, 'cancellationType'>;

export interface ChildWorkflowCall<Input> {
  /** The workflow's type. */
  readonly workflow: string;
  options(input: Input): ChildOptions;
  /** The types of its events that the chart gets, without the actor's id: `issue.Completed`, `issue.*`, or `*` for all. */
  hears?(input: Input): readonly string[];
  /** What the workflow gets; the actor's input if not given. */
  argument?(input: Input): unknown;
}

export type ChildWorkflowLogic<Output, Input> = PromiseActorLogic<Output, Input> & {
  readonly child: ChildWorkflowCall<Input>;
};

/**
 * A separate workflow by its type: it gets the invoke's input, its result is the output, and events sent to it are its
 * signals.
 */
export function childWorkflow<Output = unknown, Input = unknown>(
  name: string,
  options: ChildSettings | ((input: Input) => ChildSettings) = {},
): ChildWorkflowLogic<Output, Input> {
  const settingsOf = typeof options === 'function' ? options : () => options;
  return {
    ...neverRun<Output, Input>(name),
    child: {
      workflow: name,
      options: (input) => {
        const { hears: _, ...given } = settingsOf(input);
        return given;
      },
      hears: (input) => settingsOf(input).hears ?? [],
    },
  };
}

export interface ChildSettings extends ChildOptions {
  /** The types of its events that the chart gets, each as `<id>.<type>`: `paid`, `order.*`, or `*` for all. */
  readonly hears?: readonly string[];
}

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

export interface Procedure {
  /** Events that are sent to it. */
  send?(event: EventObject): void;
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
    readonly heedsCancellation: boolean;
  };
};

export interface ProcedureSettings {
  /** Whether a request to cancel the process also cancels it. True if not given. */
  readonly heedsCancellation?: boolean;
}

/**
 * Your own function within the process: it needs no activity and no separate workflow, and waits for a message to the
 * process. A replay runs it again, so it must be deterministic.
 */
export function procedure<Output = unknown, Input = unknown>(
  name: string,
  begin: (input: Input, host: ProcedureHost, kept?: unknown) => Procedure,
  { heedsCancellation = true }: ProcedureSettings = {},
): ProcedureLogic<Output, Input> {
  return { ...neverRun<Output, Input>(name), procedure: { name, begin, heedsCancellation } };
}

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

/** Logic that the world runs. */
export type ExternalLogic =
  | ActivityLogic<unknown, unknown>
  | ChildWorkflowLogic<unknown, unknown>
  | ProcedureLogic<unknown, unknown>;

/** Part: a state of its own within the process (part.ts). Live: it runs by itself, which a process cannot. */
export type Kind = 'activity' | 'childWorkflow' | 'procedure' | 'part' | 'live';

export function kindOf(logic: unknown): Kind {
  if (typeof logic !== 'object' || logic === null) return 'live';
  if ('call' in logic) return 'activity';
  if ('child' in logic) return 'childWorkflow';
  if ('procedure' in logic) return 'procedure';
  return 'part' in logic ? 'part' : 'live';
}

/** Null for what no world runs. */
export function externalLogic(logic: AnyActorLogic): ExternalLogic | null {
  const kind = kindOf(logic);
  return kind === 'part' || kind === 'live' ? null : (logic as unknown as ExternalLogic);
}

/** The activity's or workflow's type, or the procedure's name. */
export function typeOf(logic: ExternalLogic): string {
  if ('call' in logic) return logic.call.activity;
  return 'child' in logic ? logic.child.workflow : logic.procedure.name;
}
