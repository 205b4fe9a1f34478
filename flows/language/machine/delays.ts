// How long a file says to wait: the delays of its `after`, and those of its actions, as durations, instants or expressions.
import { LONGEST_WAIT_MS } from '../../../contract/flows/longest-wait.ts';
import { durationMs, instantMs, lengthMs } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import { type FlowFile, type Json, statesIn } from '../flow-file.ts';
import type { MachineRuntime, Moment } from './machine-runtime.ts';

/** The delays of all `after` in a file, by their text: xstate finds them by it. */
export const delaysOf = (
  file: FlowFile,
  runtime: MachineRuntime,
): Record<string, (moment: Moment) => number> =>
  Object.fromEntries(
    statesIn(file).flatMap(({ state: { after = {} }, keys }) => {
      const path = [...keys.flatMap((key) => ['states', key]), 'after'].join('.');
      return Object.keys(after).map((text) => [text, delay(text, `${path}.${text}`, runtime)]);
    }),
  );

/** Milliseconds from now. An expression that gives null means never: Infinity, for which no timer is set. */
export function delay(text: string, path: string, runtime: MachineRuntime): (moment: Moment) => number {
  const fixed = durationMs(text);
  if (fixed !== null) return () => fixed;
  const run = template(text, path);
  return (moment) => {
    const value = runtime.evaluate(run, moment);
    if (value === null) return Number.POSITIVE_INFINITY;
    const problem = delayProblem(value, runtime.now());
    if (problem !== undefined) throw runtime.failed(invalidDelay(problem, text, path));
    // An instant in the past still waits 1 ms, so that it comes as an event of its own.
    return lengthMs(value) ?? Math.max(1, (instantMs(value) as number) - runtime.now());
  };
}

/** What is wrong with a duration or an instant, in words; undefined if nothing is wrong. */
export function delayProblem(value: Json, now: number): string | undefined {
  const at = instantMs(value);
  const length = lengthMs(value) ?? (at === null ? null : at - now);
  const given = `it gives ${JSON.stringify(value)?.slice(0, 100)}`;
  if (length === null) return `${given}, which is neither a duration nor an instant`;
  return length > LONGEST_WAIT_MS ? `${given}, which is more than a hundred years from now` : undefined;
}

export function invalidDelay(reason: string, expression: string, path: string): ExpressionFailure {
  return new ExpressionFailure({ code: 'DelayInvalid', path, expression, reason });
}
