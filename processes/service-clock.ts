// The clock of the locker service. One in staging has a clock for each tenant, which may be ahead of the real time: what the
// service tells is by that clock.
import { type LockerApi, LockerApiError } from '../shared/locker-api/index.ts';

/** A clock that somebody moves shows soon after this. */
const LASTS_MS = 2_000;

export class ServiceClock {
  readonly #service: Pick<LockerApi, 'sandboxClock'>;
  #last: { readonly askedAt: number; readonly aheadMs: Promise<number | null> } | undefined;

  constructor(service: Pick<LockerApi, 'sandboxClock'>) {
    this.#service = service;
  }

  /** How far it is ahead of the real time; null: the service is not in staging. Throws if it does not answer. */
  async aheadMs(now = Date.now()): Promise<number | null> {
    if (!this.#last || now - this.#last.askedAt > LASTS_MS)
      this.#last = { askedAt: now, aheadMs: this.#ask() };
    const { aheadMs } = this.#last;
    const answer = await aheadMs.catch((error: unknown) => {
      this.#last = undefined;
      throw error;
    });
    // A service does not change its mode while it runs.
    if (answer === null) this.#last = { askedAt: Number.POSITIVE_INFINITY, aheadMs };
    return answer;
  }

  async #ask(): Promise<number | null> {
    try {
      return (await this.#service.sandboxClock()).aheadMs;
    } catch (error) {
      if (error instanceof LockerApiError && error.httpStatus !== null && error.httpStatus < 500) return null;
      throw error;
    }
  }
}
