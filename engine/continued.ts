// The data of a process that continues as a new run after a long history.
import type { EventObject, Snapshot } from 'xstate';
import type { Note } from '../contract/flows/note.ts';
import type { StatePath } from './chart/chart-view.ts';
import type { Migrated } from './definition/migration-request.ts';
import type { Delivery } from './definition/outgoing-rules.ts';
import type { OpenTimer } from './definition/timer-rules.ts';

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

export interface UnknownSignal {
  readonly name: string;
  readonly payload: unknown;
}

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
