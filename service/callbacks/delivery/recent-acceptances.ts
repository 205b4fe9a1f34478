// The receivers that have accepted a callback lately. Such a receiver is not down, even if other callbacks fail.

export class RecentAcceptances {
  readonly #latelyMs: number;
  readonly #at = new Map<number, number>();

  constructor(latelyMs: number) {
    this.#latelyMs = latelyMs;
  }

  note(tenantId: number): void {
    this.#at.set(tenantId, performance.now());
  }

  /**
   * Called at the start of an attempt. The result says, at its end, whether the receiver has accepted a callback
   * during it or shortly before.
   */
  lately(tenantId: number): () => boolean {
    const start = performance.now();
    return () => {
      const at = this.#at.get(tenantId);
      return at !== undefined && at >= Math.min(start, performance.now() - this.#latelyMs);
    };
  }
}
