// Where the open processes of a list stand, as they say themselves. Each is asked once for each length of its history, and what is
// not answered in time is left out. A question costs no event of the history, but some work of a worker.

import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { queried } from '../../client/queried.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { type Locale, localeNow } from '../../shared/texts/text.ts';
import { placeOf } from '../answer-cache.ts';
import { ProcessClocks } from '../flow-clock.ts';
import type { TemporalContext } from '../temporal-context.ts';
import { type ProcessSummary, summaryOf } from './process-summary.ts';

/** Who comes back to a page sees at once what its processes said before. */
const MAX_ENTRIES = 20_000;
/** A list does not wait longer, its search included: then a row has what its process said before. */
const WITHIN_MS = 700;
/** After a slow search too: those at the top answer by then. */
const AT_LEAST_MS = 150;
/** For Temporal alone: how long is the history? With more at once, the search of the next list waits behind them. */
const DESCRIBED_AT_ONCE = 12;
/** One question of a thousand or so gets lost between Temporal and a worker: it is asked again. */
const USUALLY_WITHIN_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
/** Ahead of the lists: few, so that a list that is read meanwhile has the workers to itself. */
const AHEAD_AT_ONCE = 4;
/** While a list is read. */
const AHEAD_PAUSE_MS = 100;
/** Somebody else may have moved an end: its place in the order is as of then. */
const AHEAD_AGAIN_MS = 120_000;
/** Being booked takes a moment: whatever waits at a locker afterwards must not be missing for two minutes. */
const BOOKING_AGAIN_MS = 2_000;
/** So many in a row that do not answer: there is no worker. */
const MAX_SILENT = 3;
const SILENT_MS = 30_000;
// More at once only wait for the workers, and those on top of the page must not wait for those below.
const QUESTIONS_AT_ONCE = 16;

export interface Process {
  readonly key: string;
  readonly runId: string;
}

/** What a row shows of a run. */
export interface RowSummary {
  readonly summary: ProcessSummary;
  readonly hasEnded: boolean;
}

interface Said {
  /** How many events its history had before it was asked: as long as it has no more, the answer holds. */
  readonly historyLength: number;
  readonly hasEnded: boolean;
  readonly progress: ProcessProgress;
  readonly aheadMs: number;
}

/** What a run has said, in the words of whoever reads it: rendered once for each language. */
class RunRecord implements RowSummary {
  readonly #said: Said;
  readonly #rendered = new Map<Locale, ProcessSummary>();

  constructor(said: Said) {
    this.#said = said;
  }

  get historyLength(): number {
    return this.#said.historyLength;
  }

  get hasEnded(): boolean {
    return this.#said.hasEnded;
  }

  get isBeingBooked(): boolean {
    return this.#said.progress.waitingFor.some(({ code }) => code === 'Booking');
  }

  get summary(): ProcessSummary {
    const { progress, aheadMs } = this.#said;
    const locale = localeNow();
    const summary = this.#rendered.get(locale) ?? summaryOf(progress, aheadMs);
    this.#rendered.set(locale, summary);
    return summary;
  }
}

export class ProcessSummaries {
  readonly #parts: TemporalContext;
  readonly #clocks = new ProcessClocks();
  /** By run. */
  readonly #kept = new LRUCache<string, RunRecord>({ max: MAX_ENTRIES });
  /** By run: those that have not answered when they were asked last. */
  readonly #unanswered = new LRUCache<string, true>({ max: MAX_ENTRIES });
  /** Lists that are read at the same time ask each process once. */
  readonly #asking = new Map<string, Promise<RowSummary | null>>();
  readonly #questions = pLimit(QUESTIONS_AT_ONCE);
  readonly #described = pLimit(DESCRIBED_AT_ONCE);
  readonly #ahead = pLimit(AHEAD_AT_ONCE);
  /** By run: those that wait for their turn, and when each was asked last. */
  readonly #queued = new Map<string, Promise<void>>();
  readonly #askedAt = new LRUCache<string, number>({ max: MAX_ENTRIES });
  /** How many lists are read. */
  #lists = 0;
  #silent = 0;
  #silentUntil = 0;

  readonly #withinMs: number;

  /** @param withinMs a list waits no longer for its search and its rows */
  constructor(parts: TemporalContext, withinMs = WITHIN_MS) {
    this.#parts = parts;
    this.#withinMs = withinMs;
  }

  /** What a list still waits for its rows after its search. */
  leftOf(spentMs: number): number {
    return Math.max(AT_LEAST_MS, this.#withinMs - spentMs);
  }

  /**
   * By run; without those that have not answered in time, now or before.
   * @param spentMs on the search of the list
   */
  async current(processes: readonly Process[], spentMs: number): Promise<ReadonlyMap<string, RowSummary>> {
    let enough: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      enough = setTimeout(() => resolve(null), this.leftOf(spentMs));
    });
    const all = processes.map(async (process) => {
      const { runId } = process;
      const said = (await Promise.race([this.#current(process), over])) ?? this.#kept.get(runId);
      return said ? [[runId, said] as const] : [];
    });
    this.#lists += 1;
    const end = () => {
      clearTimeout(enough);
      this.#lists -= 1;
    };
    return new Map((await Promise.all(all).finally(end)).flat());
  }

  /** As it was when it was last asked; undefined: it never was, or has never answered. */
  known(runId: string): RowSummary | undefined {
    return this.#kept.get(runId);
  }

  /** It was asked once, whatever became of it. */
  wasAsked(runId: string): boolean {
    return this.#askedAt.has(runId);
  }

  /**
   * Asks those that were not asked for long, the first ones first, behind whatever lists ask. Resolves when all that had never been
   * asked were. While no worker answers it asks nothing.
   */
  async askAhead(processes: readonly Process[]): Promise<void> {
    const now = Date.now();
    if (now < this.#silentUntil) return;
    const fresh = processes.filter(({ runId }) => !this.wasAsked(runId));
    const asked = fresh.map((process) => this.#queuedOnce(process));
    for (const process of processes)
      if (now - (this.#askedAt.get(process.runId) ?? now) > this.#againAfter(process))
        void this.#queuedOnce(process);
    await Promise.all(asked);
  }

  #againAfter({ runId }: Process): number {
    return this.#kept.get(runId)?.isBeingBooked ? BOOKING_AGAIN_MS : AHEAD_AGAIN_MS;
  }

  #queuedOnce(process: Process): Promise<void> {
    const queued = this.#queued.get(process.runId) ?? this.#ahead(() => this.#askedAhead(process));
    this.#queued.set(process.runId, queued);
    return queued;
  }

  async #askedAhead(process: Process): Promise<void> {
    try {
      if (this.#lists > 0) await delay(AHEAD_PAUSE_MS);
      if (Date.now() < this.#silentUntil) return;
      const answer = await this.#current(process);
      this.#silent = answer ? 0 : this.#silent + 1;
      if (this.#silent < MAX_SILENT) return;
      this.#silent = 0;
      this.#silentUntil = Date.now() + SILENT_MS;
    } finally {
      this.#queued.delete(process.runId);
    }
  }

  /** It was asked, and no worker has answered: what is known of it is as it was. */
  isUnanswered(runId: string): boolean {
    return this.#unanswered.has(runId);
  }

  /** Null: it has ended meanwhile, or no worker answers. */
  #current(process: Process): Promise<RowSummary | null> {
    const { runId } = process;
    const asking = this.#asking.get(runId) ?? this.#askedNow(process);
    this.#asking.set(runId, asking);
    void asking.finally(() => this.#asking.delete(runId));
    return asking;
  }

  async #askedNow(process: Process): Promise<RowSummary | null> {
    try {
      const summary = await this.#upToDate(process);
      this.#unanswered.delete(process.runId);
      return summary;
    } catch {
      this.#unanswered.set(process.runId, true);
      return null;
    } finally {
      this.#askedAt.set(process.runId, Date.now());
    }
  }

  /** Asks it if something has happened since it was asked, or if it never was. */
  async #upToDate({ key, runId }: Process): Promise<RowSummary> {
    const before = this.#kept.get(runId);
    const place = await this.#described(() => placeOf(this.#parts, key, runId));
    if (before?.historyLength === place.historyLength) return before;
    return await this.#questions(async () => {
      const record = new RunRecord({ ...place, ...(await this.#asked(key, runId)) });
      this.#kept.set(runId, record);
      return record;
    });
  }

  async #asked(key: string, runId: string): Promise<Pick<Said, 'progress' | 'aheadMs'>> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(key, runId);
    const ask = () => handle.query<ProcessProgress>('progress');
    const [progress, aheadMs] = await Promise.all([
      queried({ client }, ask, ANSWER_WITHIN_MS, USUALLY_WITHIN_MS),
      this.#clocks.aheadMs(this.#parts, { key, runId }),
    ]);
    return { progress, aheadMs };
  }
}
