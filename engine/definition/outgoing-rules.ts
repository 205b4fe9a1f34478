// What leaves a process: events for its parent workflow and for the outside, and messages for other processes.
import type { ActivityOptions } from '@temporalio/workflow';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { ActivityCall } from '../actor-kinds.ts';
import type { Closing } from './closing.ts';
import type { Halt } from './halt-rules.ts';

/** What the chart may emit to the engine. */
export type Emitted =
  | { readonly type: 'answer'; readonly updateId: string; readonly value: unknown }
  | { readonly type: 'refusal'; readonly updateId: string; readonly code: string; readonly message: string }
  /** A message for another process: `handOver` passes it on. */
  | { readonly type: 'notOurs'; readonly payload: unknown }
  /** An event that it does not raise, as `MessageRules.putAside` counts. */
  | { readonly type: 'putAside'; readonly event: EventObject }
  /** An event for the parent workflow, if that listens for it. */
  | { readonly type: 'toParent'; readonly event: EventObject };

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

export interface OutgoingRules {
  /** The activity that delivers emitted events of one type to the outside: in order, each until it is taken. */
  readonly outbox?: OutboxCall;
  /** The events for the parent workflow after a step, if it listens; `before` is null at the start. */
  toParent?(
    before: AnyMachineSnapshot | null,
    now: AnyMachineSnapshot,
    halted: Halt | undefined,
  ): readonly EventObject[];
  /**
   * The events for the outside when it has ended, beside the emitted ones.
   * @param input with which it was started
   */
  atEnd?(closing: Closing, input: unknown): readonly EventObject[];
  /** The messages for other processes after a step, besides the emitted ones: `handOver` passes them on. */
  toOthers?(now: AnyMachineSnapshot, isOpen: boolean): readonly unknown[];
  /** The activity that takes a message for other processes, with those that come with it; it must never fail for good. */
  handOver?(message: unknown): ActivityCall<readonly unknown[]>;
}
