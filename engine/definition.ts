// The input of the engine to run a process: a statechart, and pure functions with texts for people. The engine never looks into
// a snapshot's context.
import type { ActivityOptions } from '@temporalio/workflow';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject, Snapshot } from 'xstate';
import type { Note } from '../contract/flows/note.ts';
import type { ActivityCall, Kind } from './actor-kinds.ts';
import type { ChartView, Position, StatePath } from './chart/chart-view.ts';
import type { Command, Refusal } from './commands.ts';
import type { Obstacle, Plan } from './migration-plan.ts';

/** How a process was started; by default the statechart's `input`. */
export interface ProcessStart<Input = unknown> {
  readonly input: Input;
  readonly flow: string;
  readonly version: number;
  readonly workflowId: string;
  /** The same after continue-as-new and after a reset, unlike the run id: idempotency keys are made from it. */
  readonly firstExecutionRunId: string;
}

/** A signal or update for the chart. The payload is unchecked: the chart checks it. */
export interface MessageEvent<Payload = unknown> extends EventObject {
  readonly payload: Payload;
  /** For an update: whom to answer. */
  readonly updateId?: string;
  /** It has come before, and an inline actor had postponed it. */
  readonly again?: true;
}

/** What the chart may emit to the engine. */
export type Emitted =
  | { readonly type: 'answer'; readonly updateId: string; readonly value: unknown }
  | { readonly type: 'refusal'; readonly updateId: string; readonly code: string; readonly message: string }
  /** A message for another process: the definition's `handOver` passes it on. */
  | { readonly type: 'notOurs'; readonly payload: unknown }
  /** An event that it does not raise, as the definition's `putAside` counts. */
  | { readonly type: 'putAside'; readonly event: EventObject }
  /** An event for the parent workflow, if that listens for it. */
  | { readonly type: 'toParent'; readonly event: EventObject };

/** The chart's output: how the workflow closes. */
export type Ending =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The workflow's status is Canceled and it has no result. */
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly details?: readonly unknown[];
    };

/** How the process closes; `unhandled` is a failure that no state took. */
export type Closing = Ending | { readonly kind: 'unhandled'; readonly error: unknown };

/** A keyword, a list of keywords, or a moment. */
export type SearchAttributes = Readonly<Record<string, string | readonly string[] | Date>>;

/** What the process waits for, beside messages. */
export interface PendingWork {
  /** In the order of time. */
  readonly timers: readonly OpenTimerView[];
  readonly calls: readonly OpenCallView[];
  /** False: its machine takes no more steps, whatever its snapshot says. */
  readonly isOpen?: boolean;
  /** The step that failed: the process is halted until a person decides. */
  readonly halted?: Halt | undefined;
  /** Events that wait for a state that takes them: their types. */
  readonly kept?: readonly { readonly type: string; readonly until: string }[];
  /** When each active state was entered, by path; ISO 8601. */
  readonly entered?: Readonly<Record<string, string>>;
  /** Its inline actors, with their states. */
  readonly actors?: readonly InlineActorView[];
}

export interface InlineActorView {
  /** The id of its invoke. */
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
  /** This was its last state. */
  readonly isEnded?: true;
}

/** When a timer of the machine is due instead. */
export interface TimerExtension {
  /** Its id. */
  readonly timer: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

export interface OpenCallView {
  readonly id: string;
  readonly kind: Kind;
  readonly type: string;
  /** ISO 8601. */
  readonly since: string;
  /** A child workflow's id, once it is started. */
  readonly workflowId?: string;
  /** The inline actor that makes it. Absent: the chart itself. */
  readonly of?: string;
}

interface OpenTimerView {
  readonly id: string;
  /** The inline actor that waits for it. Absent: the chart itself. */
  readonly of?: string;
  readonly timer: string;
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
}

/** Why a step failed, and at which event. */
export interface Halt {
  readonly code: string;
  readonly message: string;
  readonly event: string;
  readonly details?: unknown;
}

/** An emitted event on its way to the outside. */
export interface Delivery {
  readonly event: EventObject;
  /** From 1, over all runs of the process. */
  readonly number: number;
  /** When it was emitted, ISO 8601. */
  readonly at: string;
  /** The version of the definition that emitted it. */
  readonly version: number;
}

export interface OutboxCall {
  /** The types of the emitted events that it takes. */
  readonly type: string;
  readonly call: ActivityCall<Delivery>;
  /** What happens to events that the other side does not take soon. */
  readonly relay: {
    /** The type of the workflow that delivers them: it calls `relay`. */
    readonly workflow: string;
    /** Options of the activity in place of the call's own: it fails when the process is to wait no longer. */
    readonly patience: ActivityOptions;
  };
}

export interface Definition {
  /** Marked (`marked`), with a bound of its loops (`options.maxIterations`). */
  readonly machine: AnyStateMachine;
  /** Name of each signal, with its description for the Web UI. */
  readonly signals: Readonly<Record<string, string>>;
  /** Name of each update, with its description: the chart answers by emitting. */
  readonly updates: Readonly<Record<string, string>>;
  /** The names of messages that its inline actors take, in place of its chart. */
  readonly actorMessages?: readonly string[];
  /** What other processes are to get of such a message that no actor accepts; undefined: nothing. */
  notAccepted?(message: MessageEvent): unknown;
  /** Why an update is not possible now, as one sentence. */
  refusal?(snapshot: AnyMachineSnapshot, event: MessageEvent): string;
  /** The answer to the query `progress`; `late` came after the end and is this process's own. */
  progress(
    snapshot: AnyMachineSnapshot,
    late: readonly unknown[],
    pending?: PendingWork,
    asked?: { readonly context?: boolean },
  ): unknown;
  /** Reads the update `extendDeadline` of `updates`, unless an inline actor accepts it: it moves a timer of the machine. */
  extension?(payload: unknown, open: readonly OpenTimer[]): TimerExtension | Refusal;
  /** What the chart hears of it, if it names that event. */
  extended?(extension: TimerExtension): EventObject;
  /**
   * The commands that the query `actions` answers with; without them there is no such query. It gets the Process (process.ts),
   * which this file cannot name: a process is made of a definition.
   */
  commands?(process: object): readonly Command[];
  /** Markdown for the Web UI. No personal data, no access codes. */
  details(snapshot: AnyMachineSnapshot, pending?: PendingWork): string;
  /** Null while no value is worth a history event. */
  searchAttributes(snapshot: AnyMachineSnapshot, pending?: PendingWork): SearchAttributes | null;
  /** Search attribute for `<workflow type>@<version>`, set with the others. */
  readonly versionAttribute?: string;
  /** Search attribute for when somebody last acted on the process. */
  readonly actedAttribute?: string;
  /** Memo field whose text is shown above the details of a run that continues another one. */
  readonly detailsMemo?: string;
  /** Whether a message that came after the end was this process's own; all are if not given. */
  isOurs?(snapshot: AnyMachineSnapshot, event: MessageEvent, actors: readonly InlineActorView[]): boolean;
  /** The activity that takes a message for other processes, with those that come with it; it must never fail for good. */
  handOver?(message: unknown): ActivityCall<readonly unknown[]>;
  /** The activity that delivers emitted events of one type to the outside: in order, each until it is taken. */
  readonly outbox?: OutboxCall;
  /** Called before each step: of the process, or of a copy of it, which has the same definition. */
  stepping?(process: { readonly isCancelled: boolean }): void;
  /**
   * Whether a thrown error halts the process: it keeps the event until a person decides with the update `dropEvent` or
   * `giveUp`. Undefined, or not given: a defect, and the process waits for a repaired worker.
   */
  halts?(error: unknown): Omit<Halt, 'event'> | undefined;
  /**
   * Halts a process that goes around without a pause: asked before it takes a timer that was due at once, with how many such it has
   * taken directly one after the other. Undefined, or not given: it takes this one too.
   */
  haltsAround?(rounds: number, delay: string): Omit<Halt, 'event'> | undefined;
  /** Bounds what the process does over time. Not given: it never rests. */
  readonly pace?: Pace;
  /** The events for the parent workflow after a step, if it listens; `before` is null at the start. */
  parentEvents?(
    before: AnyMachineSnapshot | null,
    now: AnyMachineSnapshot,
    halted: Halt | undefined,
  ): readonly EventObject[];
  /** The events for the outbox after a step, besides the emitted ones; `before` is null at the start. */
  notifications?(before: AnyMachineSnapshot | null, now: AnyMachineSnapshot): readonly EventObject[];
  /** The messages for other processes after a step, besides the emitted ones: `handOver` passes them on. */
  messages?(now: AnyMachineSnapshot, isOpen: boolean): readonly unknown[];
  /** How long a signal's event waits for a state that takes it, in milliseconds; undefined: it does not wait. */
  keepsFor?(message: MessageEvent): number | undefined;
  /** The key of a message that may come twice; the second message with a key is dropped. */
  keyOf?(message: MessageEvent): string | undefined;
  /** The machine's input. The whole ProcessStart if not given. */
  input?(start: ProcessStart): unknown;
  /**
   * The machine's event for a message; the message itself if not given. Null drops a signal that is not an event.
   * @param named gives an event the name that it has now
   */
  event?(message: MessageEvent, named: (event: EventObject) => EventObject): EventObject | null;
  /** Events by the names that they had in an earlier version, and what they are called now. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * An event of a child workflow, as the chart takes it. With `putAside` the chart does not take it, and this counts.
   * @param child `of`: the inline actor that runs it
   */
  childEvent?(
    event: EventObject,
    child: { readonly id: string; readonly of: string | undefined },
  ): EventObject | { readonly putAside: EventObject };
  /** Counts an event that the chart does not take, or would have raised. A copy of the process counts nothing. */
  putAside?(event: EventObject): void;
  /** A message was dropped that only pretends to be of a child. */
  forged?(): void;
  /**
   * How far a new process's clock is ahead of the real time; such a clock can be moved. Null, or not given: it goes by the real
   * time.
   */
  clock?(start: ProcessStart): Promise<number> | null;
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
  /** The chart and where the process stands in it, as people see them; the machine's own if not given. */
  chart?(view: ChartView): ChartView;
  position?(position: Position, actors: readonly InlineActorView[]): Position;
  /** How the workflow closes. The machine's output, an `Ending`, if not given. */
  ending?(snapshot: AnyMachineSnapshot, isCancelled: boolean, actors: readonly InlineActorView[]): Ending;
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

/** Asks a running process to go over to another definition. */
export interface MigrationRequest {
  /** The rules of what a migration does. Fixed, so that an old history replays by the rules of its time. */
  readonly semantics: 1;
  /** The new definition, as the old one's `migrates` reads it. */
  readonly to: unknown;
  readonly plan?: Plan;
  readonly by: string;
  readonly why: string;
  /** Obstacles that the process leaves behind by itself are no refusal. */
  readonly wait?: boolean;
  /** The former definition again: exactly as it was, as long as nothing has been taken since. */
  readonly back?: boolean;
}

/** The definition that a process is to have. */
export interface MigrationTarget {
  readonly definition: Definition;
  readonly version: number;
  readonly plan: Plan;
  /** The context of the new machine. */
  context?(before: unknown): unknown;
  /** The input of an actor that is carried, by its new id. */
  input?(id: string, before: unknown): unknown;
  /** The state of an inline actor that is carried, by its new id. */
  actor?(id: string, before: unknown): unknown;
  /** What stands in the way beside the machine: values of the context and the input that it needs. */
  readonly obstacles?: readonly Obstacle[];
  /** What is carried otherwise than one may expect. */
  notes?(invokes: ReadonlyMap<string, string>): readonly string[];
}

/** A migration that a process has been through. */
export interface Migrated {
  /** The update's id. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly why: string;
  /** ISO 8601. */
  readonly at: string;
  readonly notes?: readonly string[];
  readonly back?: boolean;
}

/**
 * By version; a function, so that only those in use are built. It must be pure: its chart serves all processes of a worker.
 * A version stays as long as processes run on it.
 */
export type Versions = Readonly<Record<number, () => Definition>>;

/** A call that a continued run takes up. The input of one that the chart makes is in the snapshot. */
export interface CarriedCall {
  readonly id: string;
  /** The part that made it. Absent: the chart itself. */
  readonly of?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What its host finds it by. */
  readonly kept: unknown;
  /** The input of a call that a part makes. */
  readonly input?: unknown;
}

/** An open child workflow. */
export interface CarriedChild {
  /** By which parent and child know each other's messages. */
  readonly token: string;
  /** Its workflow id. */
  readonly id: string;
  /** Its workflow type. */
  readonly type: string;
  readonly subscriptions: readonly string[];
  readonly isCancelled?: boolean;
}

export interface CarriedChildren {
  /** Those that the chart no longer waits for. */
  readonly left: readonly CarriedChild[];
  /** When it is next asked whether they are still open: milliseconds since the epoch. */
  readonly lookAt: number;
}

/** An inline actor without its logic, which the machine has under the name. */
export interface CarriedActor {
  /** The key of the actor that runs it. Absent: the chart does. */
  readonly of?: string;
  readonly name: string;
  readonly state: unknown;
}

/** What is empty is absent. */
export interface CarriedActors {
  /** The states of those of active states, by the ids of their invokes: their logic is the invoke's. */
  readonly active?: Readonly<Record<string, unknown>>;
  /** Those that another one runs, by their keys. */
  readonly inner?: Readonly<Record<string, CarriedActor>>;
  readonly detached?: Readonly<Record<string, CarriedActor>>;
  readonly ended?: Readonly<Record<string, CarriedActor>>;
  /** How often each id has begun an independent one. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** What the parent of the process has asked it for since its start. */
export interface CarriedParent {
  readonly subscriptions: readonly string[];
  readonly wantsEnd: boolean;
}

/** What is emitted and not delivered yet. */
export interface CarriedDeliveries {
  readonly waiting: readonly Delivery[];
  readonly count: number;
  /** The relay that had not ended. */
  readonly relay?: string;
}

/** An event that no state has taken yet. */
export interface PostponedEvent {
  readonly event: EventObject;
  /** Milliseconds since the epoch; it is dropped then. */
  readonly until: number;
}

/** A timer of the chart, as data. */
export interface OpenTimer {
  readonly id: string;
  /** The inline actor that waits for it. Absent: the chart itself. */
  readonly of?: string;
  readonly event: EventObject;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly armedAt: number;
  /** As the chart names it, and the milliseconds that it gave then. */
  readonly delay: { readonly name: string; readonly ms: number };
  readonly summary: string;
  /** Somebody has moved its end, be it to where it was. */
  readonly isMoved?: true;
}

export interface UnknownSignal {
  readonly name: string;
  readonly payload: unknown;
}

/** The data of a process that continues as a new run after a long history. */
export interface Continued {
  /** The format of this data: a worker leaves the process to one that knows it. */
  readonly format: number;
  readonly version: number;
  readonly snapshot: Snapshot<unknown>;
  readonly timers: readonly OpenTimer[];
  /** When the active states were entered. */
  readonly entered: Readonly<Record<StatePath, number>>;
  readonly calls: readonly CarriedCall[];
  /** The states of its inline actors. */
  readonly actors?: CarriedActors;
  readonly children?: CarriedChildren;
  readonly parent?: CarriedParent;
  /** For a clock that can be moved: how far it is ahead of the real time. */
  readonly aheadMs?: number;
  /** As the definition gave it. */
  readonly carries?: unknown;
  /** Events for the outside that are not delivered yet. */
  readonly outbox?: CarriedDeliveries;
  /** Keys of messages that may come twice. */
  readonly seen?: readonly string[];
  /** Events that wait for a state that takes them. */
  readonly kept?: readonly PostponedEvent[];
  /** Signals that only another version knows, in the order in which they came. */
  readonly unknown?: readonly UnknownSignal[];
  /** The latest last. */
  readonly migrations?: readonly Migrated[];
  /** The newest. */
  readonly note?: Note;
  /** Names of events in former definitions, and what they are called now. */
  readonly aliases?: Readonly<Record<string, string>>;
}
