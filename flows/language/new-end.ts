// The new end of a wait or a deadline, as a person or a program gives it: when it is, or by how much it moves.
import { LONGEST_WAIT_MS } from '../../contract/flows/longest-wait.ts';
import { durationMs, instantMs, instantText } from './duration.ts';

export interface NewEnd {
  readonly until?: unknown;
  readonly fromNow?: unknown;
  readonly extendBy?: unknown;
  readonly shortenBy?: unknown;
  /** Whoever means to give more time never takes some, and the other way round. */
  readonly only?: unknown;
  /** A move as it was answered: the end is again what it was before, also if that has passed. */
  readonly undo?: unknown;
}

const ways = ['until', 'fromNow', 'extendBy', 'shortenBy', 'undo'] as const;

/**
 * Epoch milliseconds, or what is wrong; null: it has no end again.
 *
 * @param what has the end
 * @param current null: it has none yet, or it counts from a stage that has not begun
 */
export function newEnd(
  what: string,
  given: NewEnd,
  current: number | null,
  now: number,
): number | null | string {
  const [way, ...others] = ways.filter((each) => given[each] !== undefined);
  if (way === undefined || others.length > 0) return `give exactly one of ${ways.join(', ')}`;
  if (way === 'undo') return formerEnd(given.undo, current);
  if (current === null && (way === 'extendBy' || way === 'shortenBy'))
    return `${what} has no end yet that ${way} could move: give until or fromNow`;
  const end = endBy(way, given[way], current ?? now, now);
  if (typeof end === 'string') return end;
  if (end - now > LONGEST_WAIT_MS) return 'the new end would be more than a hundred years from now';
  return onlyProblem(what, given.only, end, current) ?? end;
}

function endBy(way: Exclude<(typeof ways)[number], 'undo'>, value: unknown, current: number, now: number) {
  if (way === 'until') {
    const at = instantMs(value);
    if (at === null)
      return `until is ${JSON.stringify(value)}, expected an instant with an offset like 2031-05-01T12:00:00Z`;
    return at > now ? at : `until is ${String(value)}, which has passed`;
  }
  const length = durationMs(value);
  if (length === null) return `${way} is ${JSON.stringify(value)}, expected a duration like P3D or PT2H`;
  if (way === 'fromNow') return now + length;
  // More time than none is left is counted from now.
  if (way === 'extendBy') return Math.max(current, now) + length;
  const end = current - length;
  return end > now ? end : `the end is ${instantText(current)}: so much earlier would have passed`;
}

function onlyProblem(what: string, only: unknown, end: number, current: number | null): string | undefined {
  if (only === 'later' && current !== null && end <= current)
    return `the new end is not later than the present one, ${instantText(current)}: to give less time, shorten it`;
  if (only === 'earlier' && current === null) return `${what} has no end yet that could be earlier`;
  if (only === 'earlier' && current !== null && end >= current)
    return `the new end is not earlier than the present one, ${instantText(current)}: to give more time, extend it`;
  if (only !== undefined && only !== 'later' && only !== 'earlier')
    return `only is ${JSON.stringify(only)}, expected later or earlier`;
  return undefined;
}

function formerEnd(undo: unknown, current: number | null): number | null | string {
  const { from = null, until } = (typeof undo === 'object' ? (undo ?? {}) : {}) as {
    from?: unknown;
    until?: unknown;
  };
  const [former, moved] = [from === null ? null : instantMs(from), instantMs(until)];
  if (moved === null || (from !== null && former === null))
    return `undo is ${JSON.stringify(undo)}, expected from and until of the move that is undone`;
  if (current === moved) return former;
  return `it has been moved again meanwhile: its end is ${current === null ? 'not set' : instantText(current)}, and not ${instantText(moved)}`;
}
