// The data that a process starts with, and the data that it gives to the actors that it invokes.
import type { InvokeData, Json, JsonObject, RetryData } from '../flow-file.ts';

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
  /** The published version on which a flow begins; the newest if absent. */
  readonly version?: number;
  /** Its expressions are evaluated, except `keep` of a call: the activity that makes the call evaluates it. */
  readonly input: Json;
  /** Those of its events that the file listens for, without the id: `issue.Completed`, `intake.overdue`, `issue.*`, `*`. */
  readonly hears: readonly string[];
  /** How an operation or a call is tried again, as the file says. */
  readonly retry?: RetryData;
  readonly within?: string;
  /** Set where it undoes a step: the number of that, which it has each time that it is tried. */
  readonly step?: number;
}

/** How the attempts of a call are made, as far as the file says so. */
export const attemptsOf = ({ retry, within }: Pick<InvokeData, 'retry' | 'within'>) => ({
  ...(retry !== undefined && { retry }),
  ...(within !== undefined && { within }),
});

/** The action `cancel` sends this to an actor. The actor ends as cancelled, and the process hears that by `onError`. */
export const CANCEL_INVOKE = 'lockerflow.cancel';

/** The machine emits this for the action `emit`. Its type is always `emit`; `emitted` has the type that the file gives. */
export interface EmittedEvent {
  readonly type: 'emit';
  readonly emitted: { readonly type: string; readonly data: Json /** A connector. */; readonly to?: string };
}

/** The request of a start, with what its schema gives in place of fields that are left out. */
export function withDefaults(schema: Json | undefined, value: Json): Json {
  const { properties } = isMap(schema) ? schema : {};
  if (!isMap(properties) || !isMap(value)) return value;
  const fields = Object.entries(properties).flatMap(([key, part]): [string, Json][] => {
    const fallback = isMap(part) ? part.default : undefined;
    const given = Object.hasOwn(value, key) ? value[key] : fallback;
    return given === undefined ? [] : [[key, withDefaults(part, given)]];
  });
  return { ...value, ...Object.fromEntries(fields) };
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
