// What flows and the locker service disagree about: as the workers' schedule found it last, or this console itself, whichever
// is newer. It is lost when the console restarts, and can be had again.
import { comparedService, type ServiceReader } from '../../activities/api/compared-service.ts';
import {
  type ComparedService,
  type Comparison,
  compare,
} from '../../activities/routing/comparison/compare.ts';
import {
  ensureComparison,
  lastComparison,
  usualComparison,
} from '../../activities/routing/comparison/schedule.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';

const DAY_MS = 24 * 3_600_000;
// The schedule's newest comparison may be under way, for minutes; the inbox does not wait for it.
const SCHEDULE_WITHIN_MS = 2_000;

export interface LastCompared {
  readonly comparison: Comparison | null;
  readonly isPlanned: boolean;
}

export class Comparisons {
  readonly #parts: ConsoleParts;
  readonly service: ComparedService;
  #own: Comparison | null = null;
  #running: Promise<Comparison> | null = null;

  constructor(parts: ConsoleParts, reader: ServiceReader) {
    this.#parts = parts;
    this.service = comparedService(reader);
  }

  async last(): Promise<LastCompared> {
    const { client, taskQueue } = this.#parts;
    const found = await client.withDeadline(Date.now() + SCHEDULE_WITHIN_MS, () =>
      lastComparison(client, taskQueue),
    );
    const isPlanned = found !== 'noSchedule';
    const planned = typeof found === 'string' ? null : found;
    return { isPlanned, comparison: newer(planned, this.#own) };
  }

  /** One at a time: a second person who asks gets the same one. */
  async now(): Promise<Comparison> {
    this.#running ??= this.#compare().finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }

  /** The workers compare once a day from now on. */
  async daily(): Promise<void> {
    const { client, taskQueue } = this.#parts;
    await ensureComparison(client, { taskQueue, everyMs: DAY_MS, input: usualComparison });
  }

  async #compare(): Promise<Comparison> {
    const { client, taskQueue } = this.#parts;
    const { endedWithinMs, ...pace } = usualComparison;
    const endedSince = new Date(Date.now() - endedWithinMs);
    this.#own = await compare(client, this.service, { taskQueue, endedSince, ...pace });
    if (this.#own.unanswered.length > 0 && this.#own.flows === 0)
      throw new ConsoleRefusal(
        503,
        'NoWorker',
        'No process answered: check that a worker runs, then compare again.',
      );
    return this.#own;
  }
}

function newer(one: Comparison | null, other: Comparison | null): Comparison | null {
  if (!one || !other) return one ?? other;
  return one.comparedAt > other.comparedAt ? one : other;
}
