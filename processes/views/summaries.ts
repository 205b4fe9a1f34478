// Where the open processes of the lists stand, as they say themselves. For a list that is followed, at once after each step: a
// long poll waits until the history of a process grows, and a query, which costs no event, then asks where it stands. For a list
// that is read once, each process is asked once for each length of its history, and what is not answered in time is left out.
// Who reads a list again within some seconds has its processes followed too.
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { inputOf } from '../../client/started-with.ts';
import { placeOf } from '../answer-cache.ts';
import type { AtTemporal } from '../at-temporal.ts';
import { aheadMsOf, goesBySandboxClock } from '../flow-clock.ts';
import { type ProcessSummary, type ShownProgress, summaryOf } from './summary-of.ts';

/** A server holds 1,200 long polls of a namespace, those of workers among them. */
const MAX_WATCHED = 400;
/** A process that no list has shown for so long is asked no more. */
const UNWANTED_AFTER_MS = 5_000;
/** A list that is shown is read more often than this. */
const LEFT_AFTER_MS = 1_000;
/** Also kept for processes that no list shows now: who comes back to a page sees their state at once. */
const MAX_KEPT = 20_000;
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
/** While the rows of a new page are asked: each time it draws some hundred rows. */
const TOLD_WHILE_BUSY_EVERY_MS = 300;
const LOOK_AGAIN_MS = 20;
/** One question of a thousand or so gets lost between Temporal and a worker: it is asked again. */
const USUALLY_WITHIN_MS = 1_000;
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

/** How far a history has been read; the token is undefined where it has its end. */
interface Place {
  readonly historyLength: number;
  readonly token: Uint8Array | undefined;
  readonly hasEnded: boolean;
}

/** What is known of a run. */
interface RunRecord {
  readonly process: Process;
  summary: ProcessSummary | null;
  hasEnded: boolean;
  /** How many events its history had before it was asked: as long as it has no more, the answer holds. */
  historyLength: number | undefined;
  /** Where its history goes on behind these; undefined: that has not been read. */
  token: Uint8Array | undefined;
  /** Whether it goes by the sandbox's clock; undefined: not read yet. */
  isOfSandbox: boolean | undefined;
}

interface Watched {
  readonly record: RunRecord;
  readonly stopping: AbortController;
  wantedAt: number;
  /** What is kept of it has been compared with its history since it is followed: from then on it hears of all news. */
  isCurrent: boolean;
}

/** What a row shows of it. */
type RowSummary = Pick<RunRecord, 'summary' | 'hasEnded'>;
type InTurn = (ask: () => Promise<RowSummary>) => Promise<RowSummary>;
type StartedAttributes = Parameters<typeof inputOf>[1];

export class ProcessSummaries {
  readonly #parts: AtTemporal;
  readonly #changed: () => void;
  readonly #watched = new Map<string, Watched>();
  readonly #kept = new LRUCache<string, RunRecord>({ max: MAX_KEPT });
  /** When a list that is read once had it last. */
  readonly #readAt = new LRUCache<string, number>({ max: MAX_KEPT });
  readonly #questions = pLimit(QUESTIONS_AT_ONCE);
  readonly #described = pLimit(DESCRIBED_AT_ONCE);
  #telling: NodeJS.Timeout | undefined;
  /** Until the next look at whether all rows have been asked. */
  #quiet: Promise<void> | undefined;
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
  of(process: Process, now = Date.now()): RowSummary {
    const watched = this.#watched.get(process.runId) ?? this.#begin(process, now);
    if (!watched) return { summary: null, hasEnded: false };
    watched.wantedAt = now;
    this.#wantedAt = now;
    return watched.record;
  }

  /**
   * By run; without those that have not answered in time, now or before.
   * @param spentMs on the search of the list
   */
  async current(processes: readonly Process[], spentMs: number): Promise<ReadonlyMap<string, RowSummary>> {
    for (const process of processes) this.#followIfReadAgain(process, Date.now());
    let enough: NodeJS.Timeout | undefined;
    const over = new Promise<null>((resolve) => {
      enough = setTimeout(() => resolve(null), Math.max(AT_LEAST_MS, WITHIN_MS - spentMs));
    });
    const all = processes.map(async (process) => {
      const said = (await Promise.race([this.#current(process), over])) ?? this.#before(process);
      return said ? [[process.runId, said] as const] : [];
    });
    return new Map((await Promise.all(all).finally(() => clearTimeout(enough))).flat());
  }

  /** Whether rows of a list wait until they can be asked. */
  get isBusy(): boolean {
    return this.#questions.pendingCount > 0;
  }

  /**
   * For what is shown elsewhere than in the row of a list; a list that shows the process later has this answer, and asks only if
   * something has happened since. Throws where it does not answer.
   */
  async behind(process: Process): Promise<ProcessSummary> {
    const { summary } = await this.#upToDate(process);
    if (!summary) throw new TypeError('a process that has answered has a summary');
    return summary;
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

  #before({ runId }: Process): RowSummary | undefined {
    const record = this.#watched.get(runId)?.record ?? this.#kept.get(runId);
    return record?.summary ? record : undefined;
  }

  async #current(process: Process): Promise<RowSummary | null> {
    try {
      return await this.#upToDate(process, (ask) => this.#questions(ask));
    } catch {
      // It has ended meanwhile, or no worker answers.
      return null;
    }
  }

  /** Asks it if something has happened since it was asked, or if it never was. It does not follow it. */
  async #upToDate(process: Process, inTurn: InTurn = (ask) => ask()): Promise<RowSummary> {
    const { key, runId } = process;
    const followed = this.#watched.get(runId);
    if (followed?.isCurrent && followed.record.summary) return followed.record;
    const before = followed?.record ?? this.#kept.get(runId);
    let place: Place | undefined;
    if (before?.summary) {
      const described = await this.#described(() => placeOf(this.#parts, key, runId));
      place = { ...described, token: undefined };
      if (before.historyLength === place.historyLength) {
        if (followed) followed.isCurrent = before.token !== undefined;
        return before;
      }
    }
    return await inTurn(async () => {
      const record: RunRecord = { ...nothingOf(process), isOfSandbox: before?.isOfSandbox };
      const { token, historyLength, hasEnded } = place ?? (await this.#readWhole(record));
      const summary = await this.#asked(record);
      const said = { ...record, summary, hasEnded, historyLength, token };
      // What follows it goes on from a place of its own.
      const following = this.#watched.get(runId)?.record;
      if (following) following.summary ??= summary;
      else this.#kept.set(runId, said);
      return said;
    });
  }

  #begin(process: Process, now: number): Watched | undefined {
    // Whoever goes from page to page has left rows behind.
    if (this.#watched.size >= MAX_WATCHED) this.#sweep(now, LEFT_AFTER_MS);
    if (this.#watched.size >= MAX_WATCHED) return undefined;
    const { runId } = process;
    const record = this.#kept.get(runId) ?? nothingOf(process);
    this.#kept.delete(runId);
    const watched: Watched = { record, stopping: new AbortController(), wantedAt: now, isCurrent: false };
    this.#watched.set(runId, watched);
    this.#sweeping ??= setInterval(() => this.#sweep(), UNWANTED_AFTER_MS);
    void this.#follow(watched);
    return watched;
  }

  #sweep(now = Date.now(), unwantedAfterMs = UNWANTED_AFTER_MS): void {
    for (const [runId, { record, wantedAt, stopping }] of this.#watched)
      if (now - wantedAt > unwantedAfterMs) {
        stopping.abort();
        this.#watched.delete(runId);
        if (record.summary) this.#kept.set(runId, record);
      }
    if (this.#watched.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  async #follow(watched: Watched): Promise<void> {
    const { signal } = watched.stopping;
    const { record } = watched;
    // What is shown already may be old: whoever comes back after an act of their own must not see it.
    let isBack = record.token !== undefined;
    while (!signal.aborted && !record.hasEnded)
      try {
        if (record.token !== undefined) {
          if (!isBack) await this.#untilAllAreAsked(signal);
          isBack = false;
          await this.#readNews(watched);
        } else if (!(await this.#questions(() => this.#readFirst(watched))))
          await pause(LEFT_AFTER_MS, undefined, { signal });
      } catch {
        if (signal.aborted) return;
        // Temporal or the workers are away: the list itself tells that. It asks from the beginning when they are back.
        record.token = undefined;
        watched.isCurrent = false;
        await pause(AGAIN_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
      }
  }

  /** Long polls cost Temporal something too: rows that say nothing yet come first. */
  async #untilAllAreAsked(signal: AbortSignal): Promise<void> {
    while (this.isBusy) {
      this.#quiet ??= pause(LOOK_AGAIN_MS).finally(() => {
        this.#quiet = undefined;
      });
      await this.#quiet;
      signal.throwIfAborted();
    }
  }

  /** What there is, at once. False: of a page that people have left, for which the page that they look at does not wait. */
  async #readFirst(watched: Watched): Promise<boolean> {
    watched.stopping.signal.throwIfAborted();
    if (watched.wantedAt < this.#wantedAt - LEFT_AFTER_MS) return false;
    const { record } = watched;
    const { token, historyLength } = await this.#readWhole(record, watched.stopping.signal);
    // Nothing has happened since it was asked.
    if (record.summary && token && record.historyLength === historyLength) {
      record.token = token;
      watched.isCurrent = true;
    } else await this.#askAt(watched, token, historyLength);
    return true;
  }

  /** From the beginning, as far as a page of it goes: the rest comes as news. */
  async #readWhole(record: RunRecord, signal?: AbortSignal): Promise<Place> {
    const { events, token } = await this.#history(record.process, undefined, signal);
    const started = events[0]?.workflowExecutionStartedEventAttributes;
    record.isOfSandbox ??= started ? await this.#isOfSandbox(started) : false;
    return { token, historyLength: events.length, hasEnded: token === undefined };
  }

  /** Waits for some. */
  async #readNews(watched: Watched): Promise<void> {
    const { record } = watched;
    const { events, token } = await this.#history(record.process, record.token, watched.stopping.signal);
    const historyLength = (record.historyLength ?? 0) + events.length;
    if (events.length > 0 || token === undefined)
      await this.#questions(() => this.#askAt(watched, token, historyLength));
    else {
      record.token = token;
      watched.isCurrent = true;
    }
  }

  /** @param token undefined: the history has its end */
  async #askAt(watched: Watched, token: Uint8Array | undefined, historyLength: number): Promise<void> {
    const { record } = watched;
    record.hasEnded = token === undefined;
    await this.#ask(watched);
    // Not before: what is kept must not be older than the place where the history goes on.
    record.token = token;
    record.historyLength = historyLength;
    watched.isCurrent = true;
    this.#tell();
  }

  async #isOfSandbox(started: StartedAttributes): Promise<boolean> {
    return goesBySandboxClock(await inputOf(this.#parts.client, started));
  }

  /** Without a token it answers at once, with what there is. */
  async #history({ key: workflowId, runId }: Process, token?: Uint8Array, signal?: AbortSignal) {
    const { client } = this.#parts;
    const ask = () =>
      client.workflowService.getWorkflowExecutionHistory({
        namespace: client.options.namespace,
        execution: { workflowId, runId },
        waitNewEvent: true,
        nextPageToken: token ?? null,
      });
    const within = () => client.withDeadline(Date.now() + POLL_WITHIN_MS, ask);
    const { history, nextPageToken } = await (signal ? client.withAbortSignal(signal, within) : within());
    return {
      events: history?.events ?? [],
      token: nextPageToken && nextPageToken.length > 0 ? nextPageToken : undefined,
    };
  }

  async #ask({ record, stopping }: Watched): Promise<void> {
    const summary = await this.#asked(record);
    stopping.signal.throwIfAborted();
    record.summary = summary;
  }

  async #asked({ process: { key, runId }, isOfSandbox }: RunRecord): Promise<ProcessSummary> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(key, runId);
    const ask = (withinMs: number) =>
      client.withDeadline(Date.now() + withinMs, () => handle.query<ShownProgress>('progress'));
    const [progress, aheadMs] = await Promise.all([
      ask(USUALLY_WITHIN_MS).catch(() => ask(ANSWER_WITHIN_MS)),
      isOfSandbox ? aheadMsOf(this.#parts, key, runId) : 0,
    ]);
    return summaryOf(progress, aheadMs);
  }

  /** At once, unless it was told just now. */
  #tell(): void {
    const every = this.isBusy ? TOLD_WHILE_BUSY_EVERY_MS : TOLD_EVERY_MS;
    const wait = Math.max(TOGETHER_MS, this.#toldAt + every - Date.now());
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#toldAt = Date.now();
      this.#changed();
    }, wait);
  }
}

const nothingOf = (process: Process): RunRecord => ({
  process,
  summary: null,
  hasEnded: false,
  token: undefined,
  historyLength: undefined,
  isOfSandbox: undefined,
});
