// Where the open processes of the lists stand, as they say themselves. For a list that is followed, at once after each step: a
// long poll waits until the history of a process grows, and a query, which costs no event, then asks where it stands. For a list
// that is read once, each process is asked once for each length of its history, and what is not answered in time is left out.
// Who reads a list again within some seconds has its processes followed too.
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { inputOf, startedWith } from '../../client/started-with.ts';
import type { AtTemporal } from '../at-temporal.ts';
import { aheadMsOf, goesBySandboxClock } from '../flow-clock.ts';
import { type ProcessSummary, type ShownProgress, summaryOf } from './summary-of.ts';

/** A server holds 1,200 long polls of a namespace, those of workers among them. */
const MOST_WATCHED = 400;
/** A process that no list has shown for so long is asked no more. */
const UNWANTED_AFTER_MS = 5_000;
/** A list that is shown is read more often than this. */
const LEFT_AFTER_MS = 1_000;
/** Also kept for processes that no list shows now: who comes back to a page sees their state at once. */
const MOST_KEPT = 20_000;
/** A list that is read once does not wait longer, its search included: then a row has what its process said before. */
const WITHIN_MS = 700;
/** After a slow search too: those at the top answer by then. */
const AT_LEAST_MS = 150;
/** For Temporal alone: how long is the history? With more at once, the search of the next list waits behind them. */
const DESCRIBED_AT_ONCE = 12;
/** Changes that come together are told once. */
const TOGETHER_MS = 20;
/** A page that gets the whole list more often than this does nothing else but draw it. */
const TOLD_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 5_000;
/** Longer than the server lets a long poll wait. */
const POLL_WITHIN_MS = 70_000;
const AGAIN_AFTER_FAILURE_MS = 3_000;
// More at once only wait for the workers, and those on top of the page must not wait for those below.
const QUESTIONS_AT_ONCE = 16;

export interface Process {
  readonly key: string;
  readonly runId: string;
}

/** What is known of a run. */
interface Known {
  readonly process: Process;
  summary: ProcessSummary | null;
  hasEnded: boolean;
  /** Where its history goes on; undefined: nothing has been read. */
  token: Uint8Array | undefined;
  /** How long its history was when it was asked; undefined: not known, as long as it is followed. */
  historyLength: string | undefined;
  /** Whether it goes by the sandbox's clock; undefined: not read yet. */
  isOfSandbox: boolean | undefined;
}

interface Watched {
  readonly known: Known;
  readonly stopping: AbortController;
  wantedAt: number;
}

type StartedAttributes = Parameters<typeof inputOf>[1];

export class ProcessSummaries {
  readonly #parts: AtTemporal;
  readonly #changed: () => void;
  readonly #watched = new Map<string, Watched>();
  readonly #kept = new LRUCache<string, Known>({ max: MOST_KEPT });
  readonly #asking = new Map<string, Promise<ProcessSummary | null>>();
  /** When a list that is read once had it last. */
  readonly #readAt = new LRUCache<string, number>({ max: MOST_KEPT });
  readonly #questions = pLimit(QUESTIONS_AT_ONCE);
  readonly #described = pLimit(DESCRIBED_AT_ONCE);
  #telling: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** When any list was read last. */
  #wantedAt = 0;
  #sweeping: NodeJS.Timeout | undefined;

  /** @param changed called soon after each change */
  constructor(parts: AtTemporal, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
  }

  /** For processes that a list shows now, in its order; what is not known yet comes later. */
  of(process: Process, now = Date.now()): Pick<Known, 'summary' | 'hasEnded'> {
    const watched = this.#watched.get(process.runId) ?? this.#begin(process, now);
    if (!watched) return { summary: null, hasEnded: false };
    watched.wantedAt = now;
    this.#wantedAt = now;
    return watched.known;
  }

  /**
   * By run; without those that have not answered in time, now or before.
   * @param spentMs on the search of the list
   */
  async current(
    processes: readonly Process[],
    spentMs: number,
  ): Promise<ReadonlyMap<string, ProcessSummary>> {
    for (const process of processes) this.#followIfReadAgain(process, Date.now());
    let enough: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      enough = setTimeout(() => resolve(null), Math.max(AT_LEAST_MS, WITHIN_MS - spentMs));
    });
    const all = processes.map(async (process) => {
      const summary = (await Promise.race([this.#current(process), over])) ?? this.#before(process);
      return summary ? [[process.runId, summary] as const] : [];
    });
    return new Map((await Promise.all(all).finally(() => clearTimeout(enough))).flat());
  }

  stop(): void {
    for (const { stopping } of this.#watched.values()) stopping.abort();
    this.#watched.clear();
    clearTimeout(this.#telling);
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #followIfReadAgain(process: Process, now: number): void {
    const { runId } = process;
    const readAt = this.#readAt.get(runId) ?? Number.NEGATIVE_INFINITY;
    this.#readAt.set(runId, now);
    if (this.#watched.has(runId) || now - readAt <= UNWANTED_AFTER_MS) this.of(process, now);
  }

  #before({ runId }: Process): ProcessSummary | null {
    return (this.#watched.get(runId)?.known ?? this.#kept.get(runId))?.summary ?? null;
  }

  /** Two lists that show the same process wait for the same answer. */
  #current(process: Process): Promise<ProcessSummary | null> {
    const { runId } = process;
    const followed = this.#watched.get(runId)?.known;
    if (followed?.token && followed.summary) return Promise.resolve(followed.summary);
    const asking = this.#asking.get(runId) ?? this.#readOnce(process);
    this.#asking.set(runId, asking);
    void asking.finally(() => this.#asking.delete(runId));
    return asking;
  }

  async #readOnce(process: Process): Promise<ProcessSummary | null> {
    try {
      const historyLength = await this.#described(() => this.#lengthOf(process));
      const followed = this.#watched.get(process.runId)?.known;
      const known = followed ?? this.#kept.get(process.runId) ?? nothingOf(process);
      if (known.summary && (known.token || known.historyLength === historyLength)) return known.summary;
      return await this.#questions(async () => {
        known.isOfSandbox ??= goesBySandboxClock(
          (await startedWith(this.#parts.client, process.key, process.runId)).input,
        );
        known.summary = await this.#asked(known);
        known.historyLength = historyLength;
        if (followed) return known.summary;
        // Its place in the history is not known: whoever follows it next begins anew.
        known.token = undefined;
        this.#kept.set(process.runId, known);
        return known.summary;
      });
    } catch {
      // It has ended meanwhile, or no worker answers.
      return null;
    }
  }

  async #lengthOf({ key: workflowId, runId }: Process): Promise<string> {
    const { client } = this.#parts;
    const { workflowExecutionInfo: info } = await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId, runId },
      }),
    );
    return String(info?.historyLength);
  }

  #begin(process: Process, now: number): Watched | undefined {
    if (this.#watched.size >= MOST_WATCHED) return undefined;
    const { runId } = process;
    const known = this.#kept.get(runId) ?? nothingOf(process);
    this.#kept.delete(runId);
    const watched: Watched = { known, stopping: new AbortController(), wantedAt: now };
    this.#watched.set(runId, watched);
    this.#sweeping ??= setInterval(() => this.#sweep(), UNWANTED_AFTER_MS);
    void this.#follow(watched);
    return watched;
  }

  #sweep(now = Date.now()): void {
    for (const [runId, { known, wantedAt, stopping }] of this.#watched)
      if (now - wantedAt > UNWANTED_AFTER_MS) {
        stopping.abort();
        this.#watched.delete(runId);
        if (known.summary) this.#kept.set(runId, known);
      }
    if (this.#watched.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  async #follow(watched: Watched): Promise<void> {
    const { signal } = watched.stopping;
    const { known } = watched;
    while (!signal.aborted && !known.hasEnded)
      try {
        if (known.token !== undefined) await this.#readNews(watched);
        else if (!(await this.#questions(() => this.#readFirst(watched))))
          await pause(LEFT_AFTER_MS, undefined, { signal });
      } catch {
        if (signal.aborted) return;
        // Temporal or the workers are away: the list itself tells that. It asks from the beginning when they are back.
        known.token = undefined;
        await pause(AGAIN_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
      }
  }

  /** What there is, at once. False: of a page that people have left, for which the page that they look at does not wait. */
  async #readFirst(watched: Watched): Promise<boolean> {
    watched.stopping.signal.throwIfAborted();
    if (watched.wantedAt < this.#wantedAt - LEFT_AFTER_MS) return false;
    const { known } = watched;
    const { events, token } = await this.#history(watched, undefined);
    const started = events[0]?.workflowExecutionStartedEventAttributes;
    known.isOfSandbox = started ? await this.#isOfSandbox(started) : false;
    // Nothing has happened since a list has read it.
    if (known.summary && token && known.historyLength === String(events.length)) known.token = token;
    else await this.#askAt(watched, token);
    return true;
  }

  /** Waits for some. */
  async #readNews(watched: Watched): Promise<void> {
    const { known } = watched;
    const { events, token } = await this.#history(watched, known.token);
    if (events.length > 0 || token === undefined) await this.#questions(() => this.#askAt(watched, token));
    else known.token = token;
  }

  /** @param token undefined: the history has its end */
  async #askAt(watched: Watched, token: Uint8Array | undefined): Promise<void> {
    const { known } = watched;
    known.hasEnded = token === undefined;
    await this.#ask(watched);
    // Not before: what is kept must not be older than the place where the history goes on.
    known.token = token;
    this.#tell();
  }

  async #isOfSandbox(started: StartedAttributes): Promise<boolean> {
    return goesBySandboxClock(await inputOf(this.#parts.client, started));
  }

  /** Without a token it answers at once, with what there is. */
  async #history({ known: { process }, stopping }: Watched, token: Uint8Array | undefined) {
    const { client } = this.#parts;
    const ask = () =>
      client.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId: process.key, runId: process.runId },
        waitNewEvent: true,
        nextPageToken: token ?? null,
      });
    const { history, nextPageToken } = await client.withAbortSignal(stopping.signal, () =>
      client.withDeadline(Date.now() + POLL_WITHIN_MS, ask),
    );
    return {
      events: history?.events ?? [],
      token: nextPageToken && nextPageToken.length > 0 ? nextPageToken : undefined,
    };
  }

  async #ask({ known, stopping }: Watched): Promise<void> {
    const summary = await this.#asked(known);
    stopping.signal.throwIfAborted();
    known.summary = summary;
    known.historyLength = undefined;
  }

  async #asked({ process: { key, runId }, isOfSandbox }: Known): Promise<ProcessSummary> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(key, runId);
    const [progress, aheadMs] = await Promise.all([
      client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () => handle.query<ShownProgress>('progress')),
      isOfSandbox ? aheadMsOf(this.#parts, key, runId) : 0,
    ]);
    return summaryOf(progress, aheadMs);
  }

  /** At once, unless it was told just now. */
  #tell(): void {
    const wait = Math.max(TOGETHER_MS, this.#toldAt + TOLD_EVERY_MS - Date.now());
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#toldAt = Date.now();
      this.#changed();
    }, wait);
  }
}

const nothingOf = (process: Process): Known => ({
  process,
  summary: null,
  hasEnded: false,
  token: undefined,
  historyLength: undefined,
  isOfSandbox: undefined,
});
