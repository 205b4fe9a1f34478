// What the parts of a file's machine share: how a process is started, what it knows, and what its expressions see of it.

import type { Calendar } from '../calendar.ts';
import type { Budget } from '../expressions/cost.ts';
import type { Scope } from '../expressions/expression.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { type Template, template } from '../expressions/template.ts';
import {
  bounds,
  type FlowFile,
  type InvokeData,
  isMap,
  type Json,
  type JsonObject,
  type RetryData,
} from '../flow-file.ts';
import { jsonBytes } from '../json-bytes.ts';

/** The machine's context: the data of the start, and the context of the file. */
export interface FlowContext {
  readonly input: Json;
  readonly flow: FlowOfProcess;
  /** All that the process was started with, unchecked, if it takes what OnboardAccount takes. */
  readonly start?: Json;
  readonly context: JsonObject;
  /** The steps that are done and can be undone; absent before the first one. */
  readonly steps?: FinishedSteps;
  /** Set if the action `fail` has ended the process. */
  readonly failure?: FlowFailure;
}

/** A step that is done, and how it is undone: with the data that it had then. */
export interface FinishedStep {
  /** From 1, over the whole process. */
  readonly number: number;
  /** The id of the invoke that is done. */
  readonly id: string;
  readonly undo: Pick<Invocation, 'src' | 'input' | 'retry' | 'within'>;
}

interface FinishedSteps {
  readonly count: number;
  /** Those that are not undone, in the order in which they were done. */
  readonly done: readonly FinishedStep[];
}

/** How the action `fail` lets a process end. */
export interface FlowFailure {
  readonly code: string;
  readonly message: string;
  readonly detail: Json;
  /** All that it says beside code and message, in place of `detail`. */
  readonly details?: readonly Json[];
}

/** The data of one evaluation, as xstate gives it to guards, actions and mappers. */
export interface Moment {
  readonly context: FlowContext;
  readonly event: { readonly type: string };
}

/** What is evaluated for each item. */
export interface EachRules {
  readonly src: string;
  /** Where the `each` is in the file. */
  readonly path: string;
  /** The input as it is written, for the messages about it. */
  readonly written: Json;
  /** How it is tried again. */
  readonly more: ReturnType<typeof attemptsOf>;
  readonly input: Template;
  readonly title: Template | undefined;
  readonly keep: Template | undefined;
  readonly enough: Template | undefined;
}

export interface MachineRuntime {
  readonly file: FlowFile;
  readonly calendars: Calendars;
  /** The place of each invoke in the file, by its id. */
  readonly invokePaths: Map<string, string>;
  /** What each `each` does with its items, by the id of the invoke. */
  readonly eachById: Map<string, EachRules>;
  /** Evaluates within the budget of the step. Throws an ExpressionFailure if that fails. */
  evaluate(run: Template, moment: Moment): Json;
  /** Keeps a failure just before it is thrown: of an error that a guard throws, xstate keeps only the message. */
  failed(failure: ExpressionFailure): ExpressionFailure;
  /** The budget of the current step. */
  budget(): Budget;
  /** Runs a step of an actor of the process: within another step, at the expense of that one. */
  beside<Result>(run: () => Result): Result;
  now(): number;
}

export type Calendars = Readonly<Record<string, Calendar>>;

export function scopeOf({ context, event }: Moment, now: string, calendars: Calendars): Scope {
  const { input, context: data, flow } = context;
  return { input, context: data, flow, event: eventView(event), now, calendars };
}

interface AnyEvent {
  readonly type: string;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** Reduces xstate's own events to what a file needs: the `output` of a success, the code and message of an `error`. */
function eventView(event: AnyEvent): unknown {
  if (!event.type.startsWith('xstate.')) return event;
  if ('error' in event) return { type: event.type, error: errorView(event.error) };
  return { type: event.type, ...(event.output !== undefined && { output: event.output }) };
}

export interface ErrorView {
  readonly code: string;
  readonly message: string;
  /** The HTTP status, where a server has refused; else null. */
  readonly status: number | null;
  /** What the failure knows beside it, else null. */
  readonly detail: unknown;
  /** All that the error of a booking says beside code and message; absent if that is nothing. */
  readonly details?: readonly unknown[];
}

/** It is not known whether something was done. */
const OUTCOME_UNKNOWN = 'OutcomeUnknown';

/** The time of a call is over: it may have been carried out, or may still be. */
function isCutOff(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'ActivityFailure' && (cause as { name?: unknown } | undefined)?.name === 'TimeoutFailure';
}

/** Temporal wraps the failure of an activity or a child workflow in others: the innermost failure has the code. */
function innermostOf(error: unknown): Readonly<Record<string, unknown>> {
  let innermost: unknown = error;
  for (let depth = 0; depth < 10; depth++) {
    const { cause } = (innermost ?? {}) as { readonly cause?: unknown };
    if (cause === undefined || cause === null) break;
    innermost = cause;
  }
  return (innermost ?? {}) as Readonly<Record<string, unknown>>;
}

/** All that a failure says beside code and message. */
export function detailsOf(error: unknown): readonly Json[] {
  const { details, allDetails } = innermostOf(error);
  const all = [allDetails, details].find(Array.isArray);
  return all === undefined ? [] : [...(all as readonly Json[])];
}

export function errorView(error: unknown): ErrorView {
  if (isCutOff(error))
    return {
      code: OUTCOME_UNKNOWN,
      status: null,
      detail: null,
      message: 'it was not over in time: it is not known whether it was carried out',
    };
  const innermost = innermostOf(error);
  const { code, type, name, message, details, allDetails } = innermost;
  const known = [code, type, name].find((each) => typeof each === 'string');
  const [first] = Array.isArray(details) ? details : [];
  const { status, httpStatus, detail, evidence, issues } = (first ?? {}) as Readonly<Record<string, unknown>>;
  return {
    // Temporal's own name for it.
    code: known === 'CancelledFailure' ? 'Cancelled' : String(known ?? 'Failed'),
    message: typeof message === 'string' ? message : String(innermost),
    status: [status, httpStatus].find((each) => typeof each === 'number') ?? null,
    detail: [detail, evidence, issues].find((each) => each !== undefined && each !== null) ?? null,
    // A list of its own: that of a decoded failure is no list to the expression library.
    ...(Array.isArray(allDetails) && allDetails.length > 0 && { details: [...allDetails] }),
  };
}

export function contextFailure({ context }: FlowContext): ExpressionFailure | undefined {
  const bytes = jsonBytes(context);
  if (bytes <= bounds.contextBytes) return undefined;
  return new ExpressionFailure({
    code: 'ContextTooLarge',
    path: 'context',
    reason: `the context would hold ${bytes} bytes, expected at most ${bounds.contextBytes}`,
  });
}

/** The process, as the variable `flow` of an expression. */
interface FlowOfProcess {
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
  readonly start?: Json;
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
  readonly subscriptions: readonly string[];
  /** How an operation or a call is tried again, as the file says. */
  readonly retry?: RetryData;
  readonly within?: string;
  /** What people call the item of an `each` that it is for. */
  readonly itemTitle?: string;
  /** Set where it undoes a step: the number of that, which it has each time that it is tried. */
  readonly step?: number;
}

/** How the attempts of a call are made, as far as the file says so. */
export const attemptsOf = ({ retry, within }: Pick<InvokeData, 'retry' | 'within'>) => ({
  ...(retry !== undefined && { retry }),
  ...(within !== undefined && { within }),
});

/** Leaves `keep` of a call as it is: it is an expression over the answer, which is not there yet. */
export function inputTemplate(
  src: string,
  written: Json,
  path: string,
  options: Parameters<typeof template>[2] = {},
): Template {
  if (src !== 'call' || !isMap(written) || written.keep === undefined)
    return template(written, path, options);
  const { keep, ...asked } = written;
  const run = template(asked, path, options);
  return (scope, budget) => ({ ...(run(scope, budget) as JsonObject), keep });
}

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
