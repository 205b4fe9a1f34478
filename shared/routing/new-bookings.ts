// Finds flows that have booked, each once and many in one query, before their callbacks come: then no callback needs
// its own query. If it misses a flow, the callback queries for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type CaseFlow, caseFlowOf } from './case-flow.ts';
import { listed } from './owners.ts';
import type { Pace } from './pace.ts';

// Milliseconds. Visibility shows a flow's booking 0.2 to 2 s after it (measured); clocks differ a little too.
const SEEN_AFTER_MS = 3_000;
const EVERY_MS = 1_000;
// Milliseconds. A process that gets no more callbacks must not use the namespace's quota.
const AFTER_LAST_CALLBACK_MS = 600_000;
// Milliseconds. A query further back would find thousands of flows, most of them without a callback soon.
const LONGEST_LOOK_BACK_MS = 900_000;

// A client's calls end with their activity. This query serves many, so it must not end with the first.
const inNobodysContext = AsyncLocalStorage.snapshot();

interface SeeingBookings {
  /** A running flow that has learned its shipments lately. */
  see(flow: CaseFlow): void;
  /** Some flows may have been missed, because the last query was long ago. */
  forgetAll(): void;
}

export class NewBookings {
  readonly #client: Client;
  readonly #pace: Pace;
  readonly #seeing: SeeingBookings;
  /** Epoch milliseconds: all bookings before it were found. */
  #seenUntil = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  readonly #everyMs: number;
  #isLooking = false;

  constructor(client: Client, pace: Pace, seeing: SeeingBookings, everyMs = EVERY_MS) {
    this.#everyMs = everyMs;
    this.#client = client;
    this.#pace = pace;
    this.#seeing = seeing;
  }

  /** A callback came: continue the queries for some minutes. */
  use(): void {
    this.#usedAt = performance.now();
    if (!this.#isLooking) void inNobodysContext(() => this.#goOn());
  }

  /** Never throws: if Temporal does not answer, the next query starts at the same time as this one. */
  async #goOn(): Promise<void> {
    this.#isLooking = true;
    while (performance.now() - this.#usedAt < AFTER_LAST_CALLBACK_MS) {
      await this.#look().catch(() => undefined);
      await pause(this.#everyMs, undefined, { ref: false });
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    await this.#pace.turn();
    const until = Date.now() - SEEN_AFTER_MS;
    if (until - this.#seenUntil > LONGEST_LOOK_BACK_MS) {
      this.#seeing.forgetAll();
      this.#seenUntil = until - LONGEST_LOOK_BACK_MS;
    }
    const [from, to] = [this.#seenUntil, until].map((moment) => new Date(moment).toISOString());
    const query = `ExecutionStatus = 'Running' AND LockerBookedAt > '${from}' AND LockerBookedAt <= '${to}'`;
    for await (const execution of listed(this.#client, query, this.#pace))
      this.#seeing.see(caseFlowOf(execution));
    this.#seenUntil = until;
  }
}
