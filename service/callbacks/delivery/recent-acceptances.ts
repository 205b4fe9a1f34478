// Which receivers have accepted a callback lately. Such a receiver is not down, whatever else fails.

export class RecentAcceptances {
  readonly #latelyMs: number;
  readonly #at = new Map<number, number>();

  constructor(latelyMs: number) {
    this.#latelyMs = latelyMs;
  }

  note(tenantId: number): void {
    this.#at.set(tenantId, performance.now());
  }

  /** Asked at the beginning of an attempt, answered at its end: whether it accepted during it, or shortly before. */
  lately(tenantId: number): () => boolean {
    const start = performance.now();
    return () => {
      const at = this.#at.get(tenantId);
      return at !== undefined && at >= Math.min(start, performance.now() - this.#latelyMs);
    };
  }
}
