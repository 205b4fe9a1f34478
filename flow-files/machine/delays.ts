// The delays of a file: durations as they stand, or expressions that give a duration or an instant.
import { durationMs } from '../duration.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { instantMs } from '../expressions/moments.ts';
import { template } from '../expressions/template.ts';
import type { Json, StateData } from '../flow-file.ts';
import type { Kit, Moment } from './kit.ts';

/** By its text, as `after` and `raise` name it. */
export function delaysOf(file: StateData, kit: Kit): Record<string, (moment: Moment) => number> {
  const paths = new Map<string, string>();
  const collect = (state: StateData, path: string): void => {
    for (const text of Object.keys(state.after ?? {})) paths.set(text, `${path}after.${text}`);
    for (const [key, inner] of Object.entries(state.states ?? {})) collect(inner, `${path}states.${key}.`);
  };
  collect(file, '');
  return Object.fromEntries([...paths].map(([text, path]) => [text, delay(text, path, kit)]));
}

/** Milliseconds from now. Null is never: Infinity, which arms nothing. */
export function delay(text: string, path: string, kit: Kit): (moment: Moment) => number {
  const fixed = durationMs(text);
  if (fixed !== null) return () => fixed;
  const run = template(text, path);
  return (moment) => {
    const value = kit.evaluate(run, moment);
    if (value === null) return Number.POSITIVE_INFINITY;
    const length = durationMs(value);
    const at = instantMs(value);
    if (length === null && at === null) throw kit.failed(invalid(value, text, path));
    // What is due already still comes as an event of its own.
    return length ?? Math.max(1, (at as number) - kit.now());
  };
}

function invalid(value: Json, expression: string, path: string): ExpressionFailure {
  const reason = `it gives ${JSON.stringify(value)}, which is neither a duration nor an instant`;
  return new ExpressionFailure({ code: 'DelayInvalid', path, expression, reason });
}
