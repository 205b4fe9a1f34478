// A cache of reads: concurrent callers share one read, and its answer is kept for a while. A failure is not kept.
import { LRUCache } from 'lru-cache';

export class KeptReads<Value> {
  readonly #kept: LRUCache<string, Promise<Value>>;

  constructor(max: number) {
    this.#kept = new LRUCache({ max });
  }

  /**
   * Callers during the read, and for `forMs` after it, get the same answer.
   * @param forMs absent: as long as there is room
   */
  of<Own extends Value>(name: string, read: () => Promise<Own>, forMs?: number): Promise<Own> {
    const before = this.#kept.get(name);
    if (before) return before as Promise<Own>;
    const reading = read();
    this.#kept.set(name, reading);
    const isKept = () => this.#kept.peek(name) === reading;
    reading.then(
      () => isKept() && forMs !== undefined && this.#kept.set(name, reading, { ttl: forMs }),
      () => isKept() && this.#kept.delete(name),
    );
    return reading;
  }

  forget(): void {
    this.#kept.clear();
  }
}

/** A cache that several readers share. */
export interface SharedReads {
  of<Answer>(what: string, forMs: number, read: () => Promise<Answer>): Promise<Answer>;
}

/** @param shared absent: it is read each time */
export const readShared = <Answer>(
  shared: SharedReads | undefined,
  what: string,
  forMs: number,
  read: () => Promise<Answer>,
): Promise<Answer> => (shared ? shared.of(what, forMs, read) : read());
