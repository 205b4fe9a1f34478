// How much one caller may hold at a time: streams, and requests that wait.
import { tooManyRequests } from '../refusal.ts';
import type { Caller } from './rights.ts';

export const limits = {
  /** For one program, and for one person, who has one for each page that is open. */
  streams: 20,
  streamsOfPerson: 100,
  /** For one caller. */
  waits: 100,
  /** For all programs together, and for all people: a server has some thousand connections. */
  allStreams: 400,
  allStreamsOfPeople: 2_000,
  /** Seconds. */
  longestWait: 60,
  streamSeconds: 600,
  rows: 200,
  /** Processes of one bulk. */
  bulkKeys: 5_000,
} as const;

const RETRY_AFTER_MS = 5_000;

export class ConcurrencyLimit {
  readonly #what: string;
  readonly #most: number;
  readonly #maxTotal: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(what: string, most: number, maxTotal = Number.POSITIVE_INFINITY) {
    this.#what = what;
    this.#most = most;
    this.#maxTotal = maxTotal;
  }

  /** Gives what ends it; calling that twice is no harm. Throws ConsoleRefusal (429). */
  begin({ id }: Pick<Caller, 'id'>): () => void {
    const count = this.#counts.get(id) ?? 0;
    if (count >= this.#most || this.#all >= this.#maxTotal)
      throw tooManyRequests(
        `At most ${this.#most} ${this.#what} of one caller at a time${this.#maxTotal === Number.POSITIVE_INFINITY ? '' : `, and ${this.#maxTotal} of all`}. End one first.`,
        RETRY_AFTER_MS,
      );
    this.#counts.set(id, count + 1);
    this.#all += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#all -= 1;
      const left = (this.#counts.get(id) ?? 1) - 1;
      if (left === 0) this.#counts.delete(id);
      else this.#counts.set(id, left);
    };
  }
}
