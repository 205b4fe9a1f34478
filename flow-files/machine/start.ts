// What a process begins with, and what it gives to the actors that it invokes.
import type { Json } from '../flow-file.ts';

/** What an expression knows of its process as `flow`. */
export interface FlowOfProcess {
  /** The process's own: the workflow id. */
  readonly key: string;
  readonly name: string;
  readonly version: number;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** The machine's input. */
export interface FlowStart {
  /** The start's `request`. */
  readonly input: Json;
  readonly flow: FlowOfProcess;
}

/** The input of every actor that a flow file invokes. */
export interface Invocation {
  /** Under which its events are known: `<id>.<role>.<StateCode>`. */
  readonly id: string;
  /** A flow, an operation of the locker API, `ask` or `call`. */
  readonly src: string;
  /** Evaluated; but for `keep` of a call, which is evaluated over the answer where the call is made. */
  readonly input: Json;
  /** Of its events those that the file listens for, without the id: `issue.Completed`, `intake.overdue`, `issue.*`, `*`. */
  readonly hears: readonly string[];
}

/** Sent to an actor by the action `cancel`: it ends as cancelled, and the process hears of it by `onError`. */
export const CANCEL_INVOKE = 'lockerflow.cancel';

/** Emitted by the machine for the action `emit`; of another type than what the file calls the event. */
export interface EmittedEvent {
  readonly type: 'emit';
  readonly emitted: { readonly type: string; readonly data: Json /** A connector. */; readonly to?: string };
}
