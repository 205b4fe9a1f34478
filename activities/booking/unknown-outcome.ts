// The rule for a booking whose outcome is not known (architecture: Unknown outcome): no double booking, none lost.
// It only decides; how one tries and searches is given to it. It ends when the outcome is known or cannot be known.
import { genericErrorCodes, IDEMPOTENCY_KEY_HOURS } from '../../contract/index.ts';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { Pace } from '../activity-dependencies.ts';

export type Search<Answer> =
  | { readonly found: 'one'; readonly answer: Answer }
  /** The listing was complete and nothing in it can be ours. */
  | { readonly found: 'none' }
  /** Another flow will say whose it is, once its own booking is over. */
  | { readonly found: 'pending'; readonly why: string; readonly candidates: readonly string[] }
  /** Several, or one that cannot be told from another's, or a listing that was not complete. */
  | { readonly found: 'unclear'; readonly why: string; readonly candidates: readonly string[] };

/** What is told of a booking in doubt while it waits for its next try. */
export interface NextTry {
  readonly attempt: number;
  /** Null: nothing has failed yet. */
  readonly lastFailure: string | null;
  readonly nextTryAt: string;
}

export interface Attempts<Answer> {
  /** Throws LockerApiError. Always the same request with the same Idempotency-Key. */
  readonly book: () => Promise<Answer>;
  /** Looks for what the attempts since then may have booked; null where the service has no listing. */
  readonly search: ((since: number) => Promise<Search<Answer>>) | null;
  readonly honoursKey: boolean;
  /** Epoch milliseconds of the first attempt of an earlier activity whose outcome is not known; null: there is none. */
  readonly unknownSince: number | null;
  /** Epoch milliseconds after which nothing is tried again, so that this is told before the server's time-out. */
  readonly giveUpAt: number;
  /** Throws where the activity is cancelled; called only while it is known that nothing is booked. */
  readonly heedCancellation: () => void;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Before each wait, so that people can see what is going on. */
  readonly waits: (next: NextTry) => void;
  readonly pace: Pace;
}

// ASSUMPTION: a service ends or drops a request within 15 s after it lost its caller.
export const usualPace: Pace = { settleMs: 15_000, firstDelayMs: 500, longestDelayMs: 30_000 };

// The hour is for clocks that differ and for the attempt itself.
const KEY_HONOURED_MS = (IDEMPOTENCY_KEY_HOURS - 1) * 3_600_000;

// Some minutes at the usual pace: as long as Temporal may be overloaded. Beyond that a person decides sooner.
const UNEXPECTED_FAILURES = 20;

export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly candidates: readonly string[];

  constructor(why: string, candidates: readonly string[] = []) {
    super(why);
    this.candidates = candidates;
  }
}

/**
 * The booking's answer. Throws LockerApiError when it is certain that nothing is booked, OutcomeUnknownError when
 * nothing tells.
 */
export function knownOutcome<Answer>(attempts: Attempts<Answer>): Promise<Answer> {
  return new Booking(attempts).outcome();
}

const NOT_LISTED = 'the listing does not show the booking; the service may still be at work on it';

interface WaitReason extends Pick<LockerApiError, 'message' | 'retryAfterMs'> {
  /** What may be the booking. */
  readonly candidates?: readonly string[];
}

interface Outcome<Answer> {
  readonly answer: Answer;
}

class Booking<Answer> {
  readonly #attempts: Attempts<Answer>;
  /** The first attempt since it was last certain that nothing is booked; null: it is certain. */
  #doubtSince: number | null;
  /** The first attempt that was ever in doubt: a listing that showed nothing of it may yet be proven wrong. */
  #everDoubted: number | null;
  /** No request of ours was on its way later than this. */
  #lastSentBefore = Date.now();
  #waits = 0;
  #tries = 0;

  constructor(attempts: Attempts<Answer>) {
    this.#attempts = attempts;
    this.#doubtSince = attempts.unknownSince;
    this.#everDoubted = attempts.unknownSince;
  }

  async outcome(): Promise<Answer> {
    for (;;) {
      const match = this.#mustSearch() ? await this.#searched() : null;
      if (match) return match.answer;
      if (this.#doubtSince === null) this.#attempts.heedCancellation();
      // A search may have taken long, and an attempt that the server has given up on could meet the next one.
      if (this.#everDoubted !== null && Date.now() > this.#attempts.giveUpAt)
        throw new OutcomeUnknownError('the activity had no time left to try again');
      const tried = await this.#tried();
      if (tried) return tried.answer;
    }
  }

  /** Without a key that is honoured, a repeat could book a second time. */
  #mustSearch(): boolean {
    if (this.#doubtSince === null) return false;
    return !this.#attempts.honoursKey || Date.now() - this.#doubtSince >= KEY_HONOURED_MS;
  }

  /** One attempt; null: its outcome is not known, or tells nothing of an earlier one's. */
  async #tried(): Promise<Outcome<Answer> | null> {
    const startedAt = Date.now();
    this.#tries += 1;
    try {
      return { answer: await this.#attempts.book() };
    } catch (error) {
      if (!(error instanceof LockerApiError)) throw error;
      if (error.mayHaveReachedService === 'unknown') this.#doubt(startedAt);
      else if (isFinal(error)) return await this.#refused(error, startedAt);
      if (this.#doubtSince === null) throw error;
      // Without a key and a listing no later moment will tell more than this one.
      if (!this.#attempts.honoursKey && !this.#attempts.search) throw new OutcomeUnknownError(error.message);
      await this.#wait(error);
      return null;
    }
  }

  #doubt(startedAt: number): void {
    this.#doubtSince ??= startedAt;
    this.#everDoubted ??= startedAt;
    this.#lastSentBefore = Date.now();
  }

  /**
   * That is the outcome, unless an earlier attempt in doubt was carried out after all and is itself what the service
   * refuses for (InvalidShipmentState; or the last locker, taken by us).
   */
  async #refused(error: LockerApiError, startedAt: number): Promise<Outcome<Answer> | null> {
    if (this.#everDoubted === null) throw error;
    if (this.#attempts.search) {
      const match = await this.#searched();
      if (match) return match;
      throw error;
    }
    // Judged while an earlier attempt may still have been on its way: it is asked again once that can't be.
    const settledAt = this.#settledAt();
    if (startedAt < settledAt) {
      await this.#sleep(Math.max(0, settledAt - Date.now()), error.message);
      return null;
    }
    // With the key honoured the service's judgement of the booking says that no attempt succeeded: the key would have
    // got its success again. A generic code is no such judgement, and InvalidShipmentState is what our own success looks like.
    const judged = !genericErrorCodes.some((generic) => generic === error.code);
    if (judged && error.code !== 'InvalidShipmentState') throw error;
    throw new OutcomeUnknownError(`after an attempt of unknown outcome: ${error.message}`);
  }

  /** What the listing shows once the service can no longer be at work on a request of ours; null: certainly nothing. */
  async #searched(): Promise<Outcome<Answer> | null> {
    for (;;) {
      const search = await this.#searchedOnce();
      if (search.found === 'one') return search;
      if (search.found === 'unclear') throw new OutcomeUnknownError(search.why, search.candidates);
      if (search.found === 'pending') {
        await this.#wait({ message: search.why, retryAfterMs: null, candidates: search.candidates });
        continue;
      }
      const settlesIn = this.#settledAt() - Date.now();
      if (settlesIn <= 0) break;
      // A person has decided to book again: before the first try only time has to pass.
      const failure = this.#tries === 0 ? null : NOT_LISTED;
      await this.#sleep(settlesIn, failure);
    }
    this.#doubtSince = null;
    return null;
  }

  #settledAt(): number {
    return this.#lastSentBefore + this.#attempts.pace.settleMs;
  }

  async #searchedOnce(): Promise<Search<Answer>> {
    const { search } = this.#attempts;
    if (!search)
      throw new OutcomeUnknownError('the service cannot list shipments, so the booking cannot be looked up');
    for (let unexpected = 0; ; ) {
      try {
        return await search(this.#everDoubted ?? this.#lastSentBefore);
      } catch (error) {
        const failure = searchFailure(error);
        unexpected += failure.isExpected ? 0 : 1;
        if (!failure.mayPass || unexpected > UNEXPECTED_FAILURES)
          throw new OutcomeUnknownError(
            `the booking could not be looked up in the listing: ${failure.message}`,
          );
        await this.#wait(failure);
      }
    }
  }

  /** Each wait is twice the one before, with jitter. Gives up in time rather than be cut by the server's time-out. */
  async #wait(reason: WaitReason): Promise<void> {
    const { pace, giveUpAt } = this.#attempts;
    this.#waits += 1;
    const backoff = { firstMs: pace.firstDelayMs, lastMs: pace.longestDelayMs };
    const pauseMs = Math.max(reason.retryAfterMs ?? 0, backoffMs(this.#waits, backoff));
    if (Date.now() + pauseMs > giveUpAt) throw new OutcomeUnknownError(reason.message, reason.candidates);
    await this.#sleep(pauseMs, reason.message);
  }

  async #sleep(milliseconds: number, lastFailure: string | null): Promise<void> {
    const nextTryAt = new Date(Date.now() + milliseconds).toISOString();
    this.#attempts.waits({ attempt: this.#tries, lastFailure, nextTryAt });
    await this.#attempts.sleep(milliseconds);
  }
}

/** A search asks other flows too, through Temporal: whatever fails it, the doubt must not be forgotten over it. */
function searchFailure(error: unknown) {
  if (error instanceof LockerApiError) {
    const { message, retryAfterMs, retryable } = error;
    return { message, retryAfterMs, mayPass: retryable, isExpected: true };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, retryAfterMs: null, mayPass: true, isExpected: false };
}

// These pass without a change of the request, so they are waited for as if nothing had been sent.
const passingCodes: ReadonlySet<string> = new Set(['RateLimitExceeded', 'Unauthorized']);

function isFinal({ mayHaveReachedService, code }: LockerApiError): boolean {
  return mayHaveReachedService === 'yes' && !passingCodes.has(code);
}
