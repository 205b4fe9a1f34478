// The delays of a file: durations, or expressions that give a duration or an instant.
import { durationMs, LONGEST_WAIT_MS } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { instantMs } from '../expressions/moments.ts';
import { template } from '../expressions/template.ts';
import type { Json, StateData } from '../flow-file.ts';
import type { Kit, Moment } from './kit.ts';

/** The delays of all `after` in a file, by their text: xstate finds them by it. */
export function delaysOf(file: StateData, kit: Kit): Record<string, (moment: Moment) => number> {
  const paths = new Map<string, string>();
  const collect = (state: StateData, path: string): void => {
    for (const text of Object.keys(state.after ?? {})) paths.set(text, `${path}after.${text}`);
    for (const [key, inner] of Object.entries(state.states ?? {})) collect(inner, `${path}states.${key}.`);
  };
  collect(file, '');
  return Object.fromEntries([...paths].map(([text, path]) => [text, delay(text, path, kit)]));
}

/** Milliseconds from now. An expression that gives null means never: Infinity, for which no timer is set. */
export function delay(text: string, path: string, kit: Kit): (moment: Moment) => number {
  const fixed = durationMs(text);
  if (fixed !== null) return () => fixed;
  const run = template(text, path);
  return (moment) => {
    const value = kit.evaluate(run, moment);
    if (value === null) return Number.POSITIVE_INFINITY;
    const problem = delayProblem(value, kit.now());
    if (problem !== undefined) throw kit.failed(invalid(problem, text, path));
    // An instant in the past still waits 1 ms, so that it comes as an event of its own.
    return durationMs(value) ?? Math.max(1, (instantMs(value) as number) - kit.now());
  };
}

/** What is wrong with a duration or an instant, in words; undefined if nothing is wrong. */
export function delayProblem(value: Json, now: number): string | undefined {
  const at = instantMs(value);
  const length = durationMs(value) ?? (at === null ? null : at - now);
  const given = `it gives ${JSON.stringify(value)?.slice(0, 100)}`;
  if (length === null) return `${given}, which is neither a duration nor an instant`;
  return length > LONGEST_WAIT_MS ? `${given}, which is more than a hundred years from now` : undefined;
}

function invalid(reason: string, expression: string, path: string): ExpressionFailure {
  return new ExpressionFailure({ code: 'DelayInvalid', path, expression, reason });
}
