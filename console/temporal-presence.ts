// Whoever reads something must learn soon that Temporal is away. Temporal's library tries a call again for twenty seconds, which
// is right for commands. A read that lasts is given up where there is no connection; one that is only slow goes on.
import { setTimeout as pause } from 'node:timers/promises';
import { temporalIsAway } from '../processes/at-temporal.ts';

/** Nearly all reads have their answer sooner. */
const LOOKED_AFTER_MS = 1_000;
/** A connection may just be made, or made again. */
const LOOKED_AGAIN_AFTER_MS = 1_000;

export class TemporalPresence {
  readonly #isConnected: () => boolean;

  constructor({ isConnected }: { readonly isConnected: () => boolean }) {
    this.#isConnected = isConnected;
  }

  /** What it reads; throws Refusal (unreachable) once Temporal is known to be away. */
  async whileThere<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    const over = new AbortController();
    const reading = read().finally(() => over.abort());
    const away = this.#away(over.signal);
    // The one that comes later is nobody's any more.
    for (const each of [reading, away]) each.catch(() => undefined);
    return await Promise.race([reading, away]);
  }

  /** Throws once there was no connection at two looks; a read that is over ends it. */
  async #away(over: AbortSignal): Promise<never> {
    await pause(LOOKED_AFTER_MS, undefined, { signal: over });
    for (;;) {
      const wasConnected = this.#isConnected();
      await pause(LOOKED_AGAIN_AFTER_MS, undefined, { signal: over });
      if (!wasConnected && !this.#isConnected()) throw temporalIsAway();
    }
  }
}
