// The end of a wait: by its time or by another signal, and it says which.
import { expect, onTestFinished, test, vi } from 'vitest';
import { TimeLimit, TimeLimitReached } from '../../../shared/limits/time-limit.ts';

const never = new Promise<never>(() => undefined);

test('ends a wait when its time is over', async () => {
  using limit = new TimeLimit(20);
  await expect(limit.race(never)).rejects.toThrow(TimeLimitReached);
  expect(limit.stoppedBy).toBe('TimedOut');
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test.each([0, 1])('ends a wait when the signal %i of two is aborted', async (index) => {
  const controllers = [new AbortController(), new AbortController()];
  using limit = new TimeLimit(60_000, ...controllers.map(({ signal }) => signal));
  const waiting = limit.race(never);
  controllers[index]?.abort();
  await expect(waiting).rejects.toThrow(TimeLimitReached);
  expect(limit.stoppedBy).toBe('Aborted');
  expect(limit.signal.reason).toMatchObject({ name: 'AbortError' });
});

test('is reached from the beginning when a signal is aborted already', async () => {
  using limit = new TimeLimit(Number.POSITIVE_INFINITY, AbortSignal.abort());
  expect(limit.signal.aborted).toBe(true);
  await expect(limit.race(never)).rejects.toThrow(TimeLimitReached);
});

test('gives the outcome if the work ends in time, and does nothing after its disposal', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outer = new AbortController();
  const limit = new TimeLimit(20, outer.signal);
  expect(await limit.race(Promise.resolve('in time'))).toBe('in time');
  limit[Symbol.dispose]();
  outer.abort();
  vi.advanceTimersByTime(40);
  expect([limit.signal.aborted, limit.stoppedBy]).toEqual([false, undefined]);
});
