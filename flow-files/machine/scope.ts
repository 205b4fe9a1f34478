// What expressions see: the process's data and the event that it takes, as JSON and nothing else.
import type { Scope } from '../expressions/expression.ts';
import type { Moment } from './kit.ts';

export function scopeOf({ context, event }: Moment, now: string): Scope {
  return { input: context.input, context: context.context, flow: context.flow, event: eventView(event), now };
}

interface AnyEvent {
  readonly type: string;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** xstate's own events by what matters of them: `output` of what is done, `error` with code and message of what failed. */
function eventView(event: AnyEvent): unknown {
  if (!event.type.startsWith('xstate.')) return event;
  if ('error' in event) return { type: event.type, error: errorView(event.error) };
  return { type: event.type, ...(event.output !== undefined && { output: event.output }) };
}

/** A failure of an activity or a child workflow is wrapped: its own code is the innermost. */
function errorView(error: unknown): { readonly code: string; readonly message: string } {
  let innermost: unknown = error;
  for (let depth = 0; depth < 10; depth++) {
    const { cause } = (innermost ?? {}) as { readonly cause?: unknown };
    if (cause === undefined || cause === null) break;
    innermost = cause;
  }
  const { code, type, name, message } = (innermost ?? {}) as Readonly<Record<string, unknown>>;
  const known = [code, type, name].find((each) => typeof each === 'string');
  return {
    code: String(known ?? 'Failed'),
    message: typeof message === 'string' ? message : String(innermost),
  };
}
