// Shows what a process waits for to its definition, to queries and to the Web UI, and how it closes.
import type { Closing } from './definition/closing.ts';
import type { PendingWork } from './definition/views.ts';
import type { ProcessState } from './process-state.ts';
import { iso } from './timers.ts';

export const pendingWorkOf = ({
  timers,
  calls,
  chart,
  postponed,
  halt,
  isOpen,
}: ProcessState): PendingWork => ({
  timers: timers.open
    .sort((one, other) => one.dueAt - other.dueAt)
    .map(({ id, of, summary, armedAt, dueAt }) => ({
      id,
      ...(of !== undefined && { of }),
      timer: summary,
      since: iso(armedAt),
      until: iso(dueAt),
    })),
  calls: calls.view,
  entered: Object.fromEntries([...chart.entered].map(([path, at]) => [path, iso(at)])),
  actors: chart.actors.view,
  kept: postponed.all.map(({ event: { type }, until }) => ({ type, until: iso(until) })),
  halted: halt,
  isOpen,
});

interface CommandEnd {
  /** As Temporal shows it. */
  readonly status: 'Completed' | 'Failed' | 'Canceled';
  readonly outcome?: never;
  readonly code?: string;
}

/** How a process closes, for a consequence. */
export function endOf(closing: Closing): CommandEnd {
  switch (closing.kind) {
    case 'result':
      return { status: 'Completed', ...outcomeIn(closing.result) };
    case 'cancelled':
      return { status: 'Canceled' };
    case 'failed':
      return { status: 'Failed', code: closing.code };
    case 'unhandled': {
      const { code } = (closing.error ?? {}) as { readonly code?: unknown };
      return { status: 'Failed', ...(typeof code === 'string' && { code }) };
    }
  }
}

function outcomeIn(result: unknown): object {
  const { outcome } = (result ?? {}) as { readonly outcome?: unknown };
  return typeof outcome === 'string' ? { outcome } : {};
}
