// Rate limit for password guessing. Attempts on one name run one at a time and are delayed after wrong ones (some thousand a
// day), but no name is locked out. Few run at once over all names: each attempt costs much CPU and memory.

import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { ConsoleRefusal } from '../refusal.ts';

const FREE_TRIES = 5;
// The delay before the next attempt on a name, once its free attempts are used up.
const WAIT = { firstMs: 2_000, lastMs: 10_000, jitter: 0 };
// An attacker with many names pushes out the oldest entries and does not fill the memory.
const MAX_NAMES = 10_000;
// Half of libuv's default pool of four threads: files and DNS need the other half.
const MAX_CONCURRENT = 2;
/** Running or waiting attempts. The last one of a name waits at most 40 s: proxies commonly time out after 60 s. */
export const MAX_PER_NAME = 4;
export const MAX_TOTAL = 60;

interface Tries {
  readonly turn: LimitFunction;
  count: number;
}

export class PasswordTries {
  readonly #wrong = new LRUCache<string, number>({ max: MAX_NAMES });
  readonly #tries = new Map<string, Tries>();
  readonly #atOnce = pLimit(MAX_CONCURRENT);
  #count = 0;

  /**
   * Names that exist and names that do not are treated alike. Throws ConsoleRefusal (429) if too many tries wait.
   * @param judge gives undefined for a wrong password
   */
  async take<Right>(name: string, judge: () => Promise<Right | undefined>): Promise<Right | undefined> {
    const tries = this.#tries.get(name) ?? { turn: pLimit(1), count: 0 };
    if (this.#count >= MAX_TOTAL || tries.count >= MAX_PER_NAME) throw tooMany();
    this.#tries.set(name, tries);
    tries.count += 1;
    this.#count += 1;
    try {
      return await tries.turn(() => this.#next(name, judge));
    } finally {
      this.#count -= 1;
      tries.count -= 1;
      if (tries.count === 0) this.#tries.delete(name);
    }
  }

  async #next<Right>(name: string, judge: () => Promise<Right | undefined>): Promise<Right | undefined> {
    const wrong = this.#wrong.get(name) ?? 0;
    if (wrong >= FREE_TRIES) await pause(backoffMs(wrong - FREE_TRIES + 1, WAIT));
    const right = await this.#atOnce(judge);
    if (right === undefined) this.#wrong.set(name, wrong + 1);
    else this.#wrong.delete(name);
    return right;
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const tooMany = () =>
  new ConsoleRefusal(
    429,
    'TooManyTries',
    'Too many sign-in attempts at the moment, or repeated attempts for this name. Try again in a few seconds.',
    undefined,
    WAIT.lastMs,
  );
