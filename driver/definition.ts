// What the driver is given to run a process: a statechart, and pure functions that tell people what it does.
// Only the machine is mandatory (defaults.ts has the rest). The driver never looks into a snapshot's context.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import type { ActivityCall } from './actors/activity-call.ts';
import type { DelayNames } from './chart/delay-names.ts';
import type { News } from './parent.ts';

/** How a process was started; by default the statechart's `input`. */
export interface ProcessStart<Input = unknown> {
  readonly input: Input;
  readonly flow: string;
  readonly version: number;
  readonly workflowId: string;
  /** The same after continue-as-new and after a reset, unlike the run id: what idempotency keys are made of. */
  readonly firstExecutionRunId: string;
}

/** A signal or update as the chart gets it. The payload is as the sender sent it: the chart judges it. */
export interface MessageEvent<Payload = unknown> extends EventObject {
  readonly payload: Payload;
  /** Of an update: whom to answer. */
  readonly updateId?: string;
}

/** What the chart may emit to the driver. */
export type Emitted =
  | { readonly type: 'answer'; readonly updateId: string; readonly value: unknown }
  | { readonly type: 'refusal'; readonly updateId: string; readonly code: string; readonly message: string }
  /** A message that is not this process's own: it is handed over by the definition's `handOver`. */
  | { readonly type: 'notOurs'; readonly payload: unknown }
  /** A message that the chart had put off: it comes once more, in a step of its own after this one. */
  | { readonly type: 'again'; readonly message: MessageEvent };

/** The chart's output: how the workflow closes. */
export type Ending =
  | { readonly kind: 'result'; readonly result: unknown }
  /** As the one who asked for it expects: the workflow's status is Canceled and it has no result. */
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details?: readonly unknown[];
    };

/** A keyword, a list of keywords, or a moment. */
export type SearchAttributes = Readonly<Record<string, string | readonly string[] | Date>>;

/** What the process waits for besides messages. */
export interface Awaited {
  /** ISO 8601, in the order of time. */
  readonly timers: readonly { readonly timer: string; readonly until: string }[];
  /** Activities and child workflows by their types. */
  readonly calls: readonly string[];
  /** The step that cannot be taken: the process stands still until a person decides. */
  readonly held?: Held;
}

/** Why a step cannot be taken, and at which event. */
export interface Held {
  readonly code: string;
  readonly message: string;
  readonly event: string;
  readonly details?: unknown;
}

/** An update that the driver answers itself, with the progress as soon as the chart has taken its event. */
export interface AnsweredUpdate {
  readonly description: string;
  /** Throws a TypeError that tells what was expected when it cannot be an event. */
  event(payload: unknown): EventObject;
}

/** An emitted event on its way to the outside. */
export interface Delivery {
  readonly event: EventObject;
  /** From 1, over all runs of the process. */
  readonly number: number;
  /** When it was emitted, ISO 8601. */
  readonly at: string;
}

export interface OutboxCall {
  /** Of the emitted events that it takes. */
  readonly type: string;
  /** It must never fail for good. */
  readonly call: ActivityCall<Delivery>;
}

export interface Definition {
  readonly machine: AnyStateMachine;
  /** Name of each signal, with its description for the Web UI. */
  readonly signals: Readonly<Record<string, string>>;
  /** Whether signals of any other name are events too; else they wait for a version that knows them. */
  readonly takesAnySignal?: boolean;
  /** A description, where the chart answers by emitting; else how the driver answers. */
  readonly updates: Readonly<Record<string, string | AnsweredUpdate>>;
  /** Besides `progress`. */
  readonly queries?: Readonly<Record<string, (snapshot: AnyMachineSnapshot, ...args: unknown[]) => unknown>>;
  /** Why an update is not possible now, as one sentence. */
  refusal(snapshot: AnyMachineSnapshot, event: MessageEvent): string;
  /** The answer to the query `progress`; `late` came after the end and is this process's own. */
  progress(
    snapshot: AnyMachineSnapshot,
    late: readonly unknown[],
    awaited?: Awaited,
    asked?: { readonly context?: boolean },
  ): unknown;
  /** Markdown for the Web UI. No personal data, no access codes. */
  details(snapshot: AnyMachineSnapshot, awaited?: Awaited): string;
  /** Null as long as there is nothing worth an event of history. */
  searchAttributes(snapshot: AnyMachineSnapshot, awaited?: Awaited): SearchAttributes | null;
  /** Search attribute for `<workflow type>@<version>`, set with the others. */
  readonly versionAttribute?: string;
  /** A delay by its name in the chart, in words for the timeline. */
  timerSummary(delay: string, snapshot: AnyMachineSnapshot): string;
  /** Whether a message that came after the end was this process's own. */
  isOurs(snapshot: AnyMachineSnapshot, event: MessageEvent): boolean;
  /** The activity that takes what is not ours; it must never fail for good. */
  readonly handOver: ActivityCall<{ readonly reports: readonly unknown[] }> | null;
  /** By the type of an emitted event: the activity that gets it. Other emitted events go nowhere. */
  readonly emits?: Readonly<Record<string, { readonly call: ActivityCall<never> }>>;
  /** The activity that delivers emitted events of one type to the outside: in order, each until it is taken. */
  readonly outbox?: OutboxCall;
  /**
   * What a step has thrown, where the process is to stand still because of it, its event kept, until a person decides by the
   * update `dropEvent` or `giveUp`. Undefined, or not given: a defect, which waits for a repaired worker.
   */
  held?(error: unknown): Omit<Held, 'event'> | undefined;
  /** What the parent workflow is told of a step, if there is one; `before` is null at the start. */
  news?(before: AnyMachineSnapshot | null, now: AnyMachineSnapshot, awaited: Awaited): readonly News[];
  /** By what a message is known that may come twice; the second one is dropped. */
  keyOf?(message: MessageEvent): string | undefined;
  /** The machine's input. The whole ProcessStart if not given. */
  input?(start: ProcessStart): unknown;
  /** The machine's event for a message; the message itself if not given. Null drops a signal that is no event. */
  event?(message: MessageEvent): EventObject | null;
  /** What a continued run is given besides, as `Continued.carries`: JSON. Asked when the run goes on as another. */
  carries?(): unknown;
  /** How the workflow closes. The machine's output, an `Ending`, if not given. */
  ending?(snapshot: AnyMachineSnapshot, isCancelled: boolean): Ending;
}

/** A definition as the driver works with it: checked, complete, and with what it has found in the machine once for all. */
export interface Complete extends Definition {
  readonly delayNames: DelayNames;
}

/** A definition as it is declared: only the machine is mandatory. */
export type Declared = Partial<Omit<Definition, 'machine'>> & { readonly machine: AnyStateMachine };

/**
 * By version; a function, so that only those in use are built. It must be pure: its chart serves all processes of a worker.
 * A version stays as long as processes run on it.
 */
export type Versions<Declaration = Declared> = Readonly<Record<number, () => Declaration>>;
