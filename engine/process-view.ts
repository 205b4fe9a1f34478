// What a process waits for, as its definition, a query and the Web UI see it. Each part is computed when somebody asks for it.
import type { Calls, Timers } from './awaited.ts';
import type { Awaited, Halt, KeptEvent } from './definition.ts';
import type { RunningChart } from './running-chart.ts';

interface ProcessState {
  readonly timers: Timers;
  readonly calls: Calls;
  readonly chart: RunningChart;
  readonly postponedEvents: readonly KeptEvent[];
  readonly halt: Halt | undefined;
  readonly isOpen: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();

export class ProcessView implements Awaited {
  readonly #of: ProcessState;

  constructor(of: ProcessState) {
    this.#of = of;
  }

  get kept() {
    return this.#of.postponedEvents.map(({ event: { type }, until }) => ({ type, until: iso(until) }));
  }

  get timers() {
    return this.timersById.map(({ timer, until }) => ({ timer, until }));
  }

  get timersById() {
    return this.#of.timers.open
      .map(({ id, summary, armedAt, dueAt }) => ({
        id,
        timer: summary,
        since: iso(armedAt),
        until: iso(dueAt),
      }))
      .sort((one, other) => one.until.localeCompare(other.until));
  }

  get calls() {
    return this.#of.calls.open.map(({ type }) => type);
  }

  get open() {
    return this.#of.calls.view;
  }

  get parts() {
    return [...this.#of.chart.parts].map(([id, { part, state }]) => ({ id, name: part.name, state }));
  }

  get halted() {
    return this.#of.halt;
  }

  get isOpen() {
    return this.#of.isOpen;
  }
}
