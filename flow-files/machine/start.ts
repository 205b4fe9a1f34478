// The data that a process starts with, and the data that it gives to the actors that it invokes.
import type { Json } from '../flow-file.ts';

/** The process, as the variable `flow` of an expression. */
export interface FlowOfProcess {
  /** The key of the process: its workflow id. */
  readonly key: string;
  readonly name: string;
  readonly version: number;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** The machine's input. */
export interface FlowStart {
  /** The `request` that started the process. */
  readonly input: Json;
  readonly flow: FlowOfProcess;
}

/** The input of every actor that a flow file invokes. */
export interface Invocation {
  /** The names of its events begin with it: `<id>.<role>.<StateCode>`. */
  readonly id: string;
  /** A flow, an operation of the locker API, `ask` or `call`. */
  readonly src: string;
  /** Its expressions are evaluated, except `keep` of a call: the activity that makes the call evaluates it. */
  readonly input: Json;
  /** Those of its events that the file listens for, without the id: `issue.Completed`, `intake.overdue`, `issue.*`, `*`. */
  readonly hears: readonly string[];
}

/** The action `cancel` sends this to an actor. The actor ends as cancelled, and the process hears that by `onError`. */
export const CANCEL_INVOKE = 'lockerflow.cancel';

/** The machine emits this for the action `emit`. Its type is always `emit`; `emitted` has the type that the file gives. */
export interface EmittedEvent {
  readonly type: 'emit';
  readonly emitted: { readonly type: string; readonly data: Json /** A connector. */; readonly to?: string };
}
