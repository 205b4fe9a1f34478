// @module-tag invariant
// The unknown-outcome rule: by single cases, and by every story of up to four attempts against a model of a service
// that loses answers, works late, forgets or honours keys, and has or lacks a listing.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Attempts,
  knownOutcome,
  type NextTry,
  OutcomeUnknownError,
  type Search,
  usualPace,
} from '../../../activities/booking/unknown-outcome.ts';
import { LockerApiError, type Reached } from '../../../shared/locker-api/index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-01T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;

const failed = (code: string, reached: Reached, retryable = true, retryAfterMs: number | null = null) =>
  new LockerApiError({
    operation: 'CreateLocalShipmentAsIssue',
    code,
    message: code,
    retryable,
    mayHaveReachedService: reached,
    retryAfterMs,
  });
const lost = failed('ConnectionLost', 'unknown');
const unreachable = failed('Unreachable', 'no');
const refusal = (code: string) => failed(code, 'yes', false);

type Step = string | Error | (() => string | Error);

/** Attempts that go as told, one step each; time passes only by waiting. */
function told(steps: Step[], given: Partial<Attempts<string>> = {}) {
  const waits: number[] = [];
  const tellings: NextTry[] = [];
  const attempts: Attempts<string> = {
    book: async () => {
      const step = steps.shift();
      const result = typeof step === 'function' ? step() : (step ?? new Error('one attempt more than told'));
      if (typeof result === 'string') return result;
      throw result;
    },
    search: null,
    honoursKey: false,
    unknownSince: null,
    giveUpAt: Date.now() + 24 * HOUR,
    heedCancellation: () => {},
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      vi.setSystemTime(Date.now() + milliseconds);
    },
    waits: (next) => tellings.push(next),
    pace: usualPace,
    ...given,
  };
  return { outcome: knownOutcome(attempts), waits, tellings, left: steps };
}

const ended = (promise: Promise<string>) =>
  promise.catch((error: unknown) => {
    if (error instanceof LockerApiError) return `refused: ${error.code}`;
    if (error instanceof OutcomeUnknownError)
      return `unknown${error.candidates.length > 0 ? ` (${error.candidates})` : ''}`;
    throw error;
  });

const searching =
  (...results: (Search<string> | LockerApiError)[]) =>
  async () => {
    const result = results.length > 1 ? results.shift() : results[0];
    if (!result || result instanceof LockerApiError) throw result ?? new Error('one search more than told');
    return result;
  };
const none: Search<string> = { found: 'none' };
const one: Search<string> = { found: 'one', answer: 'adopted' };
const pending: Search<string> = { found: 'pending', why: 'it books', candidates: ['shipment-1'] };
const unclear: Search<string> = { found: 'unclear', why: 'two', candidates: ['shipment-1', 'shipment-2'] };

describe('a booking', () => {
  it('in doubt tells before each wait how often it was tried, what failed last, and when it is tried again', async () => {
    const { outcome, tellings, waits } = told([lost, unreachable, 'booked'], { honoursKey: true });
    const begun = Date.now();
    expect(await outcome).toBe('booked');
    expect(tellings).toEqual([
      { attempt: 1, lastFailure: lost.message, nextTryAt: expect.any(String) },
      { attempt: 2, lastFailure: unreachable.message, nextTryAt: expect.any(String) },
    ]);
    const [first = 0, second = 0] = waits;
    const nextTries = tellings.map(({ nextTryAt }) => Date.parse(nextTryAt) - begun);
    // The clock has whole milliseconds, and cuts each wait.
    const afterFirst = Math.trunc(first);
    expect(nextTries).toEqual([afterFirst, Math.trunc(afterFirst + second)]);
  });

  it('that a person has decided to repeat has not failed while it waits for what was sent before', async () => {
    const given = { unknownSince: Date.now() - 1_000, search: searching(none) };
    const { outcome, tellings } = told(['booked'], given);
    expect(await outcome).toBe('booked');
    expect(tellings).toEqual([{ attempt: 0, lastFailure: null, nextTryAt: expect.any(String) }]);
  });

  it.each<[string, Step[], Partial<Attempts<string>>, string]>([
    ['that succeeds is booked', ['booked'], {}, 'booked'],
    [
      'that is refused is refused',
      [refusal('InvalidPupUid')],
      { honoursKey: true, search: searching(one) },
      'refused: InvalidPupUid',
    ],
    ['that cannot be sent fails as such', [unreachable], { honoursKey: true }, 'refused: Unreachable'],
    ['with a lost answer is repeated with the key', [lost, 'booked'], { honoursKey: true }, 'booked'],
    ['with a lost answer stops where nothing can tell', [lost], {}, 'unknown'],
    [
      'that another flow will tell of is looked for again until it has',
      [lost],
      { search: searching(pending, pending, pending, one) },
      'adopted',
    ],
    [
      'of which another flow tells nothing in time is unknown',
      [lost],
      { search: searching(pending) },
      'unknown (shipment-1)',
    ],
    [
      'with a lost answer is adopted where the listing shows it',
      [lost],
      { search: searching(one) },
      'adopted',
    ],
    [
      'that a complete listing does not show is repeated',
      [lost, 'booked'],
      { search: searching(none) },
      'booked',
    ],
    [
      'that the listing does not show clearly stops',
      [lost],
      { search: searching(unclear) },
      'unknown (shipment-1,shipment-2)',
    ],
    [
      'is looked for again when the listing fails',
      [lost],
      { search: searching(lost, unreachable, one) },
      'adopted',
    ],
    [
      'stops when there is no listing after all',
      [lost],
      { search: searching(refusal('UnknownOperation')) },
      'unknown',
    ],
    [
      'is waited for while the service is away',
      [lost, unreachable, unreachable, 'booked'],
      { honoursKey: true },
      'booked',
    ],
    [
      'is waited for while the rate is limited',
      [lost, failed('RateLimitExceeded', 'yes', true, 5_000), 'booked'],
      { honoursKey: true },
      'booked',
    ],
    [
      'is waited for while the token is refused',
      [lost, refusal('Unauthorized'), 'booked'],
      { honoursKey: true },
      'booked',
    ],
    [
      'in doubt and then refused is refused with the key',
      [lost, refusal('NoLockerAvailable'), refusal('NoLockerAvailable')],
      { honoursKey: true },
      'refused: NoLockerAvailable',
    ],
    [
      'in doubt is not refused by InvalidShipmentState',
      [lost, refusal('InvalidShipmentState'), refusal('InvalidShipmentState')],
      { honoursKey: true },
      'unknown',
    ],
    [
      'in doubt is not refused by a generic code',
      [lost, refusal('InvalidRequest'), refusal('InvalidRequest')],
      { honoursKey: true },
      'unknown',
    ],
    [
      'in doubt and refused by InvalidShipmentState is adopted where the listing shows it',
      [lost, refusal('InvalidShipmentState')],
      { honoursKey: true, search: searching(one) },
      'adopted',
    ],
    [
      'in doubt and refused by InvalidShipmentState is refused where the listing shows nothing',
      [lost, refusal('InvalidShipmentState')],
      { honoursKey: true, search: searching(none) },
      'refused: InvalidShipmentState',
    ],
    [
      'that was not found, was repeated and found no locker free, is looked for once more',
      [lost, refusal('NoLockerAvailable')],
      { search: searching(none, none, one) },
      'adopted',
    ],
    [
      'of an earlier activity is looked for first',
      [],
      { unknownSince: 0, search: searching(one) },
      'adopted',
    ],
    ['of an earlier activity is not repeated where nothing can tell', [], { unknownSince: 0 }, 'unknown'],
  ])('%s', async (_, steps, given, expected) => {
    const { outcome, left } = told(steps, given);
    expect(await ended(outcome)).toBe(expected);
    expect(left).toEqual([]);
  });

  it('is repeated with the key for 23 hours from its first attempt, then no more', async () => {
    const started = Date.now();
    const giveUpAt = started + 72 * HOUR;
    let last = 0;
    const steps = Array.from({ length: 5_000 }, () => () => {
      last = Date.now();
      return lost;
    });
    expect(await ended(told(steps, { honoursKey: true, giveUpAt }).outcome)).toBe('unknown');
    expect(last - started).toBeLessThan(23 * HOUR);
    expect(last - started).toBeGreaterThan(22.9 * HOUR);
  });

  it('of an earlier activity is repeated with the key only within its 23 hours', async () => {
    const within = { honoursKey: true, unknownSince: Date.now() - 22 * HOUR };
    expect(await ended(told(['booked'], within).outcome)).toBe('booked');
    expect(await ended(told([], { ...within, unknownSince: Date.now() - 23 * HOUR }).outcome)).toBe(
      'unknown',
    );
  });

  it('is not repeated before the service can have ended its work on the lost attempt', async () => {
    const started = Date.now();
    const { outcome } = told([lost, () => `booked after ${Date.now() - started >= usualPace.settleMs}`], {
      search: searching(none),
    });
    expect(await outcome).toBe('booked after true');
  });

  it('gives up in time, so that the server need not cut it', async () => {
    const giveUpAt = Date.now() + 60_000;
    const { outcome, waits } = told(
      Array.from({ length: 50 }, () => lost),
      { honoursKey: true, giveUpAt },
    );
    expect(await ended(outcome)).toBe('unknown');
    expect(Date.now()).toBeLessThanOrEqual(giveUpAt);
    expect(waits.length).toBeGreaterThan(5);
  });

  it('waits as long as Retry-After says', async () => {
    const steps = [lost, failed('RateLimitExceeded', 'yes', true, 45_000), 'booked'];
    const { outcome, waits } = told(steps, { honoursKey: true });
    await outcome;
    expect(waits[1]).toBe(45_000);
  });

  it('accepts a cancellation before the first attempt and when nothing is booked, never while in doubt', async () => {
    const cancelled = new Error('cancelled');
    const heedCancellation = () => {
      throw cancelled;
    };
    await expect(told(['booked'], { heedCancellation }).outcome).rejects.toBe(cancelled);
    let heeded = 0;
    const second = () => {
      heeded += 1;
      if (heeded > 1) throw cancelled;
    };
    const inDoubt = { heedCancellation: second, honoursKey: true };
    expect(await told([lost, lost, 'booked'], inDoubt).outcome).toBe('booked');
    heeded = 0;
    const notBooked = { heedCancellation: second, search: searching(none) };
    await expect(told([lost], notBooked).outcome).rejects.toBe(cancelled);
  });

  it('stays in doubt while the search fails, and is found by the next search', async () => {
    const away = new Error('visibility is away');
    let searches = 0;
    const search = async () => {
      if (++searches < 3) throw away;
      return { found: 'one', answer: 'found' } as const;
    };
    expect(await told([lost], { search }).outcome).toBe('found');
    const never = async () => {
      throw away;
    };
    await expect(told([lost], { search: never }).outcome).rejects.toThrow(
      'the booking could not be looked up in the listing: visibility is away',
    );
  });

  it('does not take a fault of our own program for an outcome', async () => {
    await expect(told([new TypeError('ours')], { honoursKey: true }).outcome).rejects.toThrow(TypeError);
  });
});

/** What becomes of one request: whether it is carried out, when, and whether its answer arrives. */
const fates = [
  'answered',
  'carriedOutAnswerLost',
  'carriedOutLate',
  'neverArrived',
  'notSent',
  'refused',
  'limited',
] as const;
type Fate = (typeof fates)[number];

/** A service that books, has a listing, and honours keys or not. Late work is done well within the settling time. */
class ModelService {
  bookings = 0;
  readonly #honoursKey: boolean;
  readonly #late: number[] = [];

  constructor(honoursKey: boolean) {
    this.#honoursKey = honoursKey;
  }

  passTime(): void {
    for (const due of this.#late.filter((at) => at <= Date.now())) {
      this.#late.splice(this.#late.indexOf(due), 1);
      this.#carryOut();
    }
  }

  attempt(fate: Fate): string {
    this.passTime();
    switch (fate) {
      case 'answered':
        this.#carryOut();
        return 'booked';
      case 'carriedOutAnswerLost':
        this.#carryOut();
        throw lost;
      case 'carriedOutLate':
        this.#late.push(Date.now() + usualPace.settleMs - 1_000);
        throw lost;
      case 'neverArrived':
        throw lost;
      case 'notSent':
        throw unreachable;
      case 'limited':
        throw failed('RateLimitExceeded', 'yes');
      case 'refused':
        // A service that honours keys gives the first success again rather than judge anew.
        if (this.bookings > 0 && this.#honoursKey) return 'booked';
        throw refusal(this.bookings > 0 ? 'InvalidShipmentState' : 'NoLockerAvailable');
    }
  }

  #carryOut(): void {
    if (!this.#honoursKey || this.bookings === 0) this.bookings += 1;
  }
}

function* stories(length: number): Generator<Fate[]> {
  if (length === 0) return yield [];
  for (const story of stories(length - 1)) for (const fate of fates) yield [...story, fate];
}

describe.each([
  { honoursKey: true, listing: true },
  { honoursKey: true, listing: false },
  { honoursKey: false, listing: true },
  { honoursKey: false, listing: false },
])('against a service with %o', ({ honoursKey, listing }) => {
  it('no story of four attempts books twice, loses a booking, or reports a wrong outcome', async () => {
    const ends = new Map<string, number>();
    for (const story of stories(4)) {
      vi.setSystemTime(new Date('2031-05-01T12:00:00Z'));
      const service = new ModelService(honoursKey);
      const steps = story.map((fate) => () => service.attempt(fate));
      const search = async (): Promise<Search<string>> => {
        service.passTime();
        return service.bookings > 0 ? { found: 'one', answer: 'booked' } : none;
      };
      const { outcome } = told([...steps, () => service.attempt('answered')], {
        honoursKey,
        search: listing ? search : null,
      });
      const end = await ended(outcome);
      vi.setSystemTime(Date.now() + usualPace.settleMs);
      service.passTime();
      const possible: Record<string, number[]> = { booked: [1], unknown: [0, 1] };
      if (!(possible[end] ?? [0]).includes(service.bookings))
        expect.fail(`${story} ended "${end}" with ${service.bookings} bookings`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    if (honoursKey || listing) expect(ends.has('unknown')).toBe(false);
    expect([...ends.keys()]).toContain('booked');
  });
});
