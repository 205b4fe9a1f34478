// The dependencies and settings of one worker's activities.

import { createHash } from 'node:crypto';
import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Peer } from '../contract/index.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import type { Pace } from './booking/unknown-outcome.ts';
import type { Connectors } from './connectors/connectors.ts';

export interface ActivityDependencies {
  readonly api: LockerApi;
  readonly peer: Peer;
  /** Whether a flow puts its own references on a booking where the caller gave none. */
  readonly setsReferences: boolean;
  /** ISO 8601 duration: how long a report is kept while no flow claims it. */
  readonly parkFor: string;
  /** Delay between two attempts of a booking that waits for a free locker. */
  readonly lockerRetryMs: number;
  readonly pace: Pace;
  /** The connectors that flow files may call; absent: none. */
  readonly connectors?: Connectors;
  /** Time limit for collecting optional evidence of a booking's roles. */
  readonly probingMs?: number;
}

// Sends the heartbeats of a long activity. Without them the server takes the worker for dead, and no cancellation arrives.

// For an activity without a heartbeat time-out, where heartbeats only serve cancellation.
const DEFAULT_INTERVAL_MS = 5_000;

export class ActivityHeartbeat implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #details: unknown;

  constructor() {
    const { heartbeatTimeoutMs } = activityInfo();
    const intervalMs = heartbeatTimeoutMs ? heartbeatTimeoutMs / 3 : DEFAULT_INTERVAL_MS;
    this.#timer = setInterval(() => heartbeat(this.#details), intervalMs);
  }

  /** Stores details for the next attempt, in case this one dies: sent now and with each later heartbeat. */
  record(details: unknown): void {
    this.#details = details;
    heartbeat(details);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

// The Idempotency-Key header of a call that a process makes.

/** Hashed, because a business key may have characters and lengths that a header may not. */
export function headerKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}
