// The heartbeat of a long activity: without it the server takes the worker for dead, and cancellation does not arrive.
import { activityInfo, heartbeat } from '@temporalio/activity';

// Where the flow sets no heartbeat time-out the beat serves cancellation alone.
const USUAL_BEAT_MS = 5_000;

export class Pulse implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #details: unknown;

  constructor() {
    const { heartbeatTimeoutMs } = activityInfo();
    const beatMs = heartbeatTimeoutMs ? heartbeatTimeoutMs / 3 : USUAL_BEAT_MS;
    this.#timer = setInterval(() => heartbeat(this.#details), beatMs);
  }

  /** What the next attempt is to know if this one dies; told at once and again with each beat. */
  tell(details: unknown): void {
    this.#details = details;
    heartbeat(details);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
