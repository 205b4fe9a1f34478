// An access token: fetched once however many calls wait for it, kept until shortly before it expires. It does not know where it
// comes from, nor which call it is for.

// Renewed after this share of its lifetime, whatever that is: a fixed margin would never let a short token be used.
const USED_SHARE_OF_LIFETIME = 0.9;

export interface FetchedToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

interface CachedToken {
  readonly value: string;
  /** Epoch milliseconds by Date; both ends, so that a clock set back does not keep a dead token. */
  readonly obtainedAt: number;
  readonly usableUntil: number;
}

export class TokenCache {
  readonly #fetched: () => Promise<FetchedToken>;
  #cached: CachedToken | undefined;
  #underWay: Promise<string> | undefined;

  constructor(fetched: () => Promise<FetchedToken>) {
    this.#fetched = fetched;
  }

  /** A usable token. The request for one is shared: a caller that stops waiting does not stop the others. */
  async get(): Promise<string> {
    const now = Date.now();
    if (this.#cached && this.#cached.obtainedAt <= now && now < this.#cached.usableUntil)
      return this.#cached.value;
    this.#underWay ??= this.#renewed().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** The other side did not take this token. Another that has come meanwhile stays. */
  discard(token: string): void {
    if (this.#cached?.value === token) this.#cached = undefined;
  }

  async #renewed(): Promise<string> {
    const obtainedAt = Date.now();
    const { value, lifetimeMs } = await this.#fetched();
    this.#cached = { value, obtainedAt, usableUntil: obtainedAt + lifetimeMs * USED_SHARE_OF_LIFETIME };
    return value;
  }
}
