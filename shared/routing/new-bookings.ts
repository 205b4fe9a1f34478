// Finds flows that have booked, each once and many in one query, before their callbacks come: then no callback needs
// its own query. If it misses a flow, the callback queries for it.

import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type CaseFlow, caseFlowOf } from './case-flow.ts';
import { detached } from './detached.ts';
import { listed } from './owners.ts';
import type { Pace } from './pace.ts';

// Milliseconds. Visibility shows a flow's booking 0.2 to 2 s after it (measured); clocks differ a little too.
const SEEN_AFTER_MS = 3_000;
const EVERY_MS = 1_000;
// Milliseconds. A process that gets no more callbacks must not use the namespace's quota.
const AFTER_LAST_CALLBACK_MS = 600_000;
// Milliseconds. A query further back would find thousands of flows, most of them without a callback soon.
const LONGEST_LOOK_BACK_MS = 900_000;

interface SeeingBookings {
  /** A running flow that has learned its shipments lately. */
  see(flow: CaseFlow): void;
  /** Some flows may have been missed, because the last query was long ago. */
  forgetAll(): void;
}

/** To be called when a callback came: the queries go on for some minutes after it. */
export function newBookings(
  client: Client,
  pace: Pace,
  seeing: SeeingBookings,
  everyMs = EVERY_MS,
): () => void {
  /** Epoch milliseconds: all bookings before it were found. */
  let seenUntil = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  return () => {
    usedAt = performance.now();
    if (!isLooking) void detached(goOn);
  };

  /** Never throws: if Temporal does not answer, the next query starts at the same time as this one. */
  async function goOn(): Promise<void> {
    isLooking = true;
    while (performance.now() - usedAt < AFTER_LAST_CALLBACK_MS) {
      await look().catch(() => undefined);
      await pause(everyMs, undefined, { ref: false });
    }
    isLooking = false;
  }

  async function look(): Promise<void> {
    await pace.turn();
    const until = Date.now() - SEEN_AFTER_MS;
    if (until - seenUntil > LONGEST_LOOK_BACK_MS) {
      seeing.forgetAll();
      seenUntil = until - LONGEST_LOOK_BACK_MS;
    }
    const [from, to] = [seenUntil, until].map((moment) => new Date(moment).toISOString());
    const query = `ExecutionStatus = 'Running' AND LockerBookedAt > '${from}' AND LockerBookedAt <= '${to}'`;
    for await (const execution of listed(client, query, pace)) seeing.see(caseFlowOf(execution));
    seenUntil = until;
  }
}
