// A query that is lost on its way to a worker, or by it, is asked again, and only where no answer comes.
import type { WorkflowQueryInput } from '@temporalio/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAgainInterceptor } from '../../client/ask-again.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lost = () => new Promise<never>(() => undefined);
const query = (...tries: readonly (() => Promise<unknown>)[]) => {
  const next = vi.fn<() => Promise<unknown>>();
  for (const each of tries) next.mockImplementationOnce(each);
  return { next, asked: askAgainInterceptor.query?.({} as WorkflowQueryInput, next) };
};

test('what is lost is asked again after 2 s, and if that is lost too after another 4', async () => {
  const { next, asked } = query(lost, lost, () => Promise.resolve('third'));
  await vi.advanceTimersByTimeAsync(5_999);
  expect(next).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await asked).toBe('third');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(next).toHaveBeenCalledTimes(3);
});

test('an answer, and a refusal, is not asked for again', async () => {
  const answered = query(() => Promise.resolve('first'));
  expect(await answered.asked).toBe('first');
  const refused = query(() => Promise.reject(new Error('there is none')));
  await expect(refused.asked).rejects.toThrow('there is none');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([answered, refused].map(({ next }) => next.mock.calls.length)).toEqual([1, 1]);
});

test('a slow answer counts, whatever becomes of the second try', async () => {
  const slow = () => new Promise((answer) => setTimeout(() => answer('slow'), 5_000));
  const { next, asked } = query(slow, lost);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await asked).toBe('slow');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(next).toHaveBeenCalledTimes(2);
});
