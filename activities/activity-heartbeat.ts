// Sends the heartbeats of a long activity. Without them the server takes the worker for dead, and no cancellation arrives.
import { activityInfo, heartbeat } from '@temporalio/activity';

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
