// The values that expressions can read: the data of the process and the event that it takes, as JSON only.
import type { Calendar } from '../expressions/calendars.ts';
import type { Scope } from '../expressions/expression.ts';
import type { Moment } from './kit.ts';

export function scopeOf(
  { context, event }: Moment,
  now: string,
  calendars: Readonly<Record<string, Calendar>>,
): Scope {
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
}

/** It is not known whether something was done. */
const OUTCOME_UNKNOWN = 'OutcomeUnknown';

/** The time of a call is over: it may have been carried out, or may still be. */
function isCutOff(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'ActivityFailure' && (cause as { name?: unknown } | undefined)?.name === 'TimeoutFailure';
}

/** Temporal wraps the failure of an activity or a child workflow in others: the innermost failure has the code. */
export function errorView(error: unknown): ErrorView {
  if (isCutOff(error))
    return {
      code: OUTCOME_UNKNOWN,
      status: null,
      detail: null,
      message: 'it was not over in time: it is not known whether it was carried out',
    };
  let innermost: unknown = error;
  for (let depth = 0; depth < 10; depth++) {
    const { cause } = (innermost ?? {}) as { readonly cause?: unknown };
    if (cause === undefined || cause === null) break;
    innermost = cause;
  }
  const { code, type, name, message, details } = (innermost ?? {}) as Readonly<Record<string, unknown>>;
  const known = [code, type, name].find((each) => typeof each === 'string');
  const [first] = Array.isArray(details) ? details : [];
  const { status, httpStatus, detail, evidence, issues } = (first ?? {}) as Readonly<Record<string, unknown>>;
  return {
    // Temporal's own name for it.
    code: known === 'CancelledFailure' ? 'Cancelled' : String(known ?? 'Failed'),
    message: typeof message === 'string' ? message : String(innermost),
    status: [status, httpStatus].find((each) => typeof each === 'number') ?? null,
    detail: [detail, evidence, issues].find((each) => each !== undefined && each !== null) ?? null,
  };
}
