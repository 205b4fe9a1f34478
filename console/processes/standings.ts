// Where the open processes of the lists stand, as they say themselves, at once after each step. While a list shows a
// process, a long poll waits for news in its history; a query, which costs no history event, then asks where it stands.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { LockerFlows } from '../../client/locker-flows.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import type { Standing } from './processes-view.ts';
import { type ShownProgress, standingOf } from './standing-of.ts';

/** A server holds 1,200 long polls of a namespace, those of workers among them. */
const MOST_WATCHED = 400;
/** Of a process that no list has shown for so long, nothing is asked any more. */
const UNWANTED_AFTER_MS = 5_000;
/** Changes that come together are told once. */
const TOGETHER_MS = 20;
const ANSWER_WITHIN_MS = 5_000;
/** Longer than the server lets a long poll wait. */
const POLL_WITHIN_MS = 70_000;
const AGAIN_AFTER_FAILURE_MS = 3_000;
// More at once only wait for the workers.
const QUESTIONS_AT_ONCE = 16;

export interface Process {
  readonly key: string;
  readonly runId: string;
}

interface Watched {
  readonly process: Process;
  readonly stopping: AbortController;
  wantedAt: number;
  standing: Standing | null;
  hasEnded: boolean;
}

export class Standings {
  readonly #client: Client;
  readonly #flows: LockerFlows;
  readonly #changed: () => void;
  readonly #watched = new Map<string, Watched>();
  readonly #questions = new ConcurrencyLimit(QUESTIONS_AT_ONCE);
  #telling: NodeJS.Timeout | undefined;
  #sweeping: NodeJS.Timeout | undefined;

  /** @param changed called soon after each change */
  constructor({ client, flows }: { client: Client; flows: LockerFlows }, changed: () => void) {
    this.#client = client;
    this.#flows = flows;
    this.#changed = changed;
  }

  /** Of processes that a list shows now; what is not known yet comes later. */
  of(process: Process, now = Date.now()): Pick<Watched, 'standing' | 'hasEnded'> {
    const watched = this.#watched.get(process.runId) ?? this.#begin(process, now);
    if (!watched) return { standing: null, hasEnded: false };
    watched.wantedAt = now;
    return watched;
  }

  stop(): void {
    for (const { stopping } of this.#watched.values()) stopping.abort();
    this.#watched.clear();
    clearTimeout(this.#telling);
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #begin(process: Process, now: number): Watched | undefined {
    if (this.#watched.size >= MOST_WATCHED) return undefined;
    const watched: Watched = {
      process,
      stopping: new AbortController(),
      wantedAt: now,
      standing: null,
      hasEnded: false,
    };
    this.#watched.set(process.runId, watched);
    this.#sweeping ??= setInterval(() => this.#sweep(), UNWANTED_AFTER_MS);
    void this.#follow(watched);
    return watched;
  }

  #sweep(now = Date.now()): void {
    for (const [runId, { wantedAt, stopping }] of this.#watched)
      if (now - wantedAt > UNWANTED_AFTER_MS) {
        stopping.abort();
        this.#watched.delete(runId);
      }
    if (this.#watched.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  async #follow(watched: Watched): Promise<void> {
    const { signal } = watched.stopping;
    let token: Uint8Array | undefined;
    while (!signal.aborted && !watched.hasEnded)
      try {
        const news = await this.#news(watched, token);
        // An answer without a token: the history has its end.
        watched.hasEnded = !news.token;
        if (token === undefined || news.isNew) await this.#ask(watched);
        token = news.token;
      } catch {
        // Temporal or the workers are away: the list itself tells that. It asks from the beginning when they are back.
        token = undefined;
        await pause(AGAIN_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
      }
  }

  /** Without a token it answers at once, with what there is. */
  async #news({ process, stopping }: Watched, token: Uint8Array | undefined) {
    const connected = this.#client;
    const ask = () =>
      connected.workflowService.getWorkflowExecutionHistory({
        namespace: connected.options.namespace,
        execution: { workflowId: process.key, runId: process.runId },
        waitNewEvent: true,
        nextPageToken: token ?? null,
      });
    const { history, nextPageToken } = await connected.withAbortSignal(stopping.signal, () =>
      connected.withDeadline(Date.now() + POLL_WITHIN_MS, ask),
    );
    return {
      isNew: (history?.events ?? []).length > 0,
      token: nextPageToken && nextPageToken.length > 0 ? nextPageToken : undefined,
    };
  }

  async #ask(watched: Watched): Promise<void> {
    const { key } = watched.process;
    const ask = async () => (await this.#flows.handle(key).progress()) as unknown as ShownProgress;
    const progress = await this.#questions.run(() =>
      this.#client.withDeadline(Date.now() + ANSWER_WITHIN_MS, ask),
    );
    if (watched.stopping.signal.aborted) return;
    watched.standing = standingOf(progress);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#changed();
    }, TOGETHER_MS);
  }
}
