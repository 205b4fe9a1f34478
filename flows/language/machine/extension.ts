// The update extendDeadline of a process of a flow file: it moves the end of an `after` that runs now.
import type { Refusal } from '../../../engine/command.ts';
import type { OpenTimer, TimerExtension } from '../../../engine/definition.ts';
import { INVALID_EVENT, NOT_POSSIBLE_NOW } from '../../../engine/messages.ts';
import { durationMs } from '../duration.ts';
import { instantMs } from '../expressions/moments.ts';

/** True for the timer of a state, false for a delayed `raise`. */
export const isOfState = ({ event }: OpenTimer): boolean => event.type.startsWith('xstate.after.');

interface ExtensionInput {
  readonly timer?: unknown;
  readonly until?: unknown;
  readonly fromNow?: unknown;
}

export function extensionOf(
  payload: unknown,
  open: readonly OpenTimer[],
  now: number,
): TimerExtension | Refusal {
  const input: ExtensionInput = typeof payload === 'object' && payload !== null ? payload : {};
  const timers = open.filter(isOfState);
  const found = timers.find(({ id }) => id === input.timer);
  if (!found) {
    const expected = timers.map(({ id }) => id).join(', ') || 'none: it waits for no time now';
    return {
      code: NOT_POSSIBLE_NOW,
      message: `timer is ${JSON.stringify(input.timer)}, expected ${expected}`,
    };
  }
  const dueAt = dueAtOf(input, now);
  return typeof dueAt === 'string' ? { code: INVALID_EVENT, message: dueAt } : { timer: found.id, dueAt };
}

/** Epoch milliseconds, or what is wrong. */
function dueAtOf({ until, fromNow }: ExtensionInput, now: number): number | string {
  if ((until === undefined) === (fromNow === undefined)) return 'give exactly one of until and fromNow';
  if (fromNow !== undefined) {
    const length = durationMs(fromNow);
    return length === null
      ? `fromNow is ${JSON.stringify(fromNow)}, expected a duration like P3D or PT2H`
      : now + length;
  }
  const at = typeof until === 'string' ? instantMs(until) : null;
  if (at === null) return `until is ${JSON.stringify(until)}, expected an instant like 2031-05-01T12:00:00Z`;
  return at > now ? at : `until is ${String(until)}, which has passed`;
}
