// @module-tag invariant
// An unmatched callback keeps no more than Temporal accepts, and counts everything that it drops.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeptCallbacks } from '../../workflows/kept-callbacks.ts';

const DAY_MS = 86_400_000;
const message = (count: number, text = '') => ({
  messageType: 'Ping',
  body: { count, text },
  receivedAt: '2031-05-01T12:00:00Z',
});
const countsOf = ({ all }: KeptCallbacks) =>
  all.map(({ callback }) => (callback as ReturnType<typeof message>).body.count);

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2031-05-01T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

test('of large callbacks fewer are kept, the newest, and those that were given up are counted', () => {
  const keeping = new KeptCallbacks([], 0, DAY_MS);
  for (let count = 0; count < 10; count += 1) keeping.keep(message(count, 'x'.repeat(90_000)), 1);
  expect(countsOf(keeping)).toEqual([6, 7, 8, 9]);
  expect(keeping.givenUp).toBe(6);
  expect(JSON.stringify(keeping.all).length).toBeLessThan(500_000);
});

test('the newest is kept at any size', () => {
  const keeping = new KeptCallbacks([], 0, DAY_MS);
  keeping.keep(message(1), 1);
  keeping.keep(message(2, 'x'.repeat(600_000)), 1);
  expect(countsOf(keeping)).toEqual([2]);
});

test('callbacks that no flow claimed in time are given up and counted, and later ones are kept', () => {
  const keeping = new KeptCallbacks([], 0, DAY_MS);
  keeping.keep(message(1), 1);
  vi.advanceTimersByTime(DAY_MS - 1);
  keeping.keep(message(2), 1);
  keeping.giveUpExpired();
  expect([countsOf(keeping), keeping.givenUp]).toEqual([[1, 2], 0]);
  vi.advanceTimersByTime(1);
  keeping.giveUpExpired();
  expect([countsOf(keeping), keeping.givenUp]).toEqual([[2], 1]);
  expect(keeping.settled).toMatchObject([{ callback: { body: { count: 1 } } }]);
});

test('a repeated callback is counted, with those that its receiver did not signal, and kept once', () => {
  const keeping = new KeptCallbacks([], 0, DAY_MS);
  keeping.keep(message(1), 1);
  keeping.keep({ ...message(1), receivedAt: '2031-05-01T13:00:00Z' }, 60);
  expect(keeping.all).toMatchObject([{ times: 61 }]);
});
