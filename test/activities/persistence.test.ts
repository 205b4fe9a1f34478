// A call within an activity is repeated as long as waiting may help; each wait is twice the one before.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { persistently } from '../../activities/repeat-call.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';

// It stands still: the waits are real, and only their planned length counts.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const failed = (more: { retryable?: boolean; reached?: 'yes' | 'no'; retryAfterMs?: number } = {}) =>
  new LockerApiError({
    operation: 'GetShipments',
    code: 'Unreachable',
    message: 'nobody listens',
    retryable: more.retryable ?? true,
    mayHaveReachedService: more.reached ?? 'no',
    retryAfterMs: more.retryAfterMs ?? null,
  });

/** How often it is tried when all tries fail so. */
async function triesWithin(milliseconds: number, error: Error): Promise<number> {
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    throw error;
  };
  await expect(persistently(attempt, { until: Date.now() + milliseconds })).rejects.toBe(error);
  return tries;
}

test('the first wait has at most 300 ms, the second is longer', async () => {
  expect(await triesWithin(0, failed())).toBe(1);
  // The wait after the second failure has at least 480 ms.
  expect(await triesWithin(450, failed())).toBe(2);
});

test('no wait is shorter than Retry-After asks for', async () => {
  expect(await triesWithin(450, failed({ retryAfterMs: 451 }))).toBe(1);
});

test('what waiting does not help is tried once', async () => {
  expect(await triesWithin(450, failed({ retryable: false, reached: 'yes' }))).toBe(1);
  expect(await triesWithin(450, new TypeError('a fault of the program'))).toBe(1);
});
