// Where the processes of lists stand, as they themselves say it: kept until their history grows. Temporal says how long that is
// now (../answer-cache.ts), at most once in a while for each row.
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { placeOf } from '../answer-cache.ts';
import type { AtTemporal } from '../at-temporal.ts';
import { ProcessClocks } from '../process-clocks.ts';
import { type ProcessSummary, type ShownProgress, summaryOf } from './summary-of.ts';

/** Also for processes that no list shows now: who comes back to a page sees their state at once. */
const MAX_KEPT = 20_000;
/** From one look at a process to the next, while a list shows it. */
const LOOK_EVERY_MS = 1_500;
/** A list that is shown is read more often than this: whoever goes from page to page has left rows behind. */
const LEFT_AFTER_MS = 1_000;
/** A list that is read once does not wait longer, its search included: then a row has what its process said before. */
const WITHIN_MS = 700;
/** After a slow search too: those at the top answer by then. */
const AT_LEAST_MS = 150;
/** One question of a thousand or so gets lost between Temporal and a worker: it is asked again. */
const USUALLY_WITHIN_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
// More at once only wait for the workers, and those on top of the page must not wait for those below.
const QUESTIONS_AT_ONCE = 16;
/** Changes that come together are told once: a page that draws more often than this does nothing else. */
const TOLD_EVERY_MS = 100;

export interface Process {
  readonly key: string;
  readonly runId: string;
}

/** What a row shows of it. */
interface RowSummary {
  readonly summary: ProcessSummary | null;
  readonly hasEnded: boolean;
}

interface Kept extends RowSummary {
  readonly summary: ProcessSummary;
  /** So many events its history had before it was asked. */
  readonly historyLength: number;
}

interface Shown {
  lookedAt: number;
  wantedAt: number;
}

const NOTHING_YET: RowSummary = { summary: null, hasEnded: false };

export class ProcessSummaries {
  readonly #parts: AtTemporal;
  readonly #changed: () => void;
  readonly #clocks = new ProcessClocks();
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT });
  /** By run: those that lists show. */
  readonly #shown = new LRUCache<string, Shown>({ max: MAX_KEPT });
  readonly #turns = pLimit(QUESTIONS_AT_ONCE);
  #telling: NodeJS.Timeout | undefined;

  /** @param changed called soon after each change of a row that a list shows */
  constructor(parts: AtTemporal, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  /** For processes that a list shows now, in its order: what is known. It looks whether they have gone on, and tells it. */
  of(process: Process, now = Date.now()): RowSummary {
    const { runId } = process;
    const shown = this.#shown.get(runId) ?? { lookedAt: Number.NEGATIVE_INFINITY, wantedAt: now };
    this.#shown.set(runId, shown);
    shown.wantedAt = now;
    const kept = this.#kept.get(runId);
    if (!kept?.hasEnded && now - shown.lookedAt >= LOOK_EVERY_MS) {
      shown.lookedAt = Number.POSITIVE_INFINITY;
      void this.#turns(() => this.#look(process, shown));
    }
    return kept ?? NOTHING_YET;
  }

  /**
   * By run; without those that have not answered in time, now or before.
   * @param spentMs on the search of the list
   */
  async current(processes: readonly Process[], spentMs: number): Promise<ReadonlyMap<string, RowSummary>> {
    let enough: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      enough = setTimeout(() => resolve(null), Math.max(AT_LEAST_MS, WITHIN_MS - spentMs));
    });
    const all = processes.map(async (process) => {
      // It has ended meanwhile, or no worker answers: then null.
      const said = await Promise.race([this.#turns(() => this.#upToDate(process)).catch(() => null), over]);
      const row = said ?? this.#kept.get(process.runId);
      return row ? [[process.runId, row] as const] : [];
    });
    return new Map((await Promise.all(all).finally(() => clearTimeout(enough))).flat());
  }

  /** Whether rows of a list wait until they can be asked. */
  get isBusy(): boolean {
    return this.#turns.pendingCount > 0;
  }

  /** For what is shown elsewhere than in the row of a list. Throws where it does not answer. */
  async behind(process: Process): Promise<ProcessSummary> {
    return (await this.#upToDate(process)).summary;
  }

  stop(): void {
    this.#turns.clearQueue();
    clearTimeout(this.#telling);
  }

  async #look(process: Process, shown: Shown): Promise<void> {
    const before = this.#kept.get(process.runId);
    // A page that people have left does not hold up the one that they look at.
    if (Date.now() - shown.wantedAt <= LEFT_AFTER_MS) {
      // Temporal or the workers are away: the list itself tells that.
      const now = await this.#upToDate(process).catch(() => before);
      if (now !== before) this.#tell();
    }
    shown.lookedAt = Date.now();
  }

  /** Asks it if something has happened since it was asked, or if it never was. */
  async #upToDate({ key, runId }: Process): Promise<Kept> {
    // Before the question: what happens meanwhile may be in the answer already, and is asked for again.
    const { historyLength, hasEnded } = await placeOf(this.#parts, key, runId);
    const kept = this.#kept.get(runId);
    if (kept?.historyLength === historyLength) return kept;
    const [progress, aheadMs] = await Promise.all([
      this.#progress(key, runId),
      this.#clocks.aheadMs(this.#parts, { key, runId }),
    ]);
    const now = { summary: summaryOf(progress, aheadMs), hasEnded, historyLength };
    this.#kept.set(runId, now);
    return now;
  }

  async #progress(key: string, runId: string): Promise<ShownProgress> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(key, runId);
    const ask = (withinMs: number) =>
      client.withDeadline(Date.now() + withinMs, () => handle.query<ShownProgress>('progress'));
    return await ask(USUALLY_WITHIN_MS).catch(() => ask(ANSWER_WITHIN_MS));
  }

  #tell(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#changed();
    }, TOLD_EVERY_MS);
  }
}
