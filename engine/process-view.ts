// Shows what a process waits for to its definition, to queries and to the Web UI, and how it closes. Each property is computed
// when it is read.
import type { Calls, Timers } from './awaited.ts';
import type { Closing, Halt, PendingWork, PostponedEvent } from './definition.ts';
import type { RunningChart } from './running-chart.ts';

/** The parts of a process that the view reads. */
interface ProcessState {
  readonly timers: Timers;
  readonly calls: Calls;
  readonly chart: RunningChart;
  readonly postponedEvents: readonly PostponedEvent[];
  readonly halt: Halt | undefined;
  readonly isOpen: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();

export class ProcessView implements PendingWork {
  readonly #process: ProcessState;

  constructor(process: ProcessState) {
    this.#process = process;
  }

  get kept() {
    return this.#process.postponedEvents.map(({ event: { type }, until }) => ({ type, until: iso(until) }));
  }

  get timers() {
    return this.timersById.map(({ timer, until }) => ({ timer, until }));
  }

  get timersById() {
    return this.#process.timers.open
      .map(({ id, summary, armedAt, dueAt }) => ({
        id,
        timer: summary,
        since: iso(armedAt),
        until: iso(dueAt),
      }))
      .sort((one, other) => one.until.localeCompare(other.until));
  }

  get calls() {
    return this.#process.calls.open.map(({ type }) => type);
  }

  get open() {
    return this.#process.calls.view;
  }

  get parts() {
    return [...this.#process.chart.parts].map(([id, { part, state }]) => ({ id, name: part.name, state }));
  }

  get halted() {
    return this.#process.halt;
  }

  get isOpen() {
    return this.#process.isOpen;
  }
}

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
