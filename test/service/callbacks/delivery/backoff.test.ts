// How long until the next attempt: by itself, and where the receiver says so (assumptions: Callbacks: at most 10 min apart).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, retryAfterMs } from '../../../../service/callbacks/delivery/backoff.ts';
import { outcomeOf } from '../../../../service/callbacks/delivery/judge-attempt.ts';
import type { ClaimedCallback } from '../../../../service/callbacks/queue/claim-callbacks.ts';

const patience = { firstMs: 1_000, lastMs: 600_000 };

test('each pause is twice the one before, up to 10 min, and jitter takes at most a fifth of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (failures) => {
      const longest = Math.min(1_000 * 2 ** (failures - 1), 600_000);
      const pause = backoffMs(failures, patience);
      expect(pause).toBeGreaterThanOrEqual(longest * 0.8);
      expect(pause).toBeLessThanOrEqual(longest);
    }),
  );
});

test('those that failed together do not come back together', () => {
  const pauses = Array.from({ length: 20 }, () => backoffMs(8, patience));
  expect(new Set(pauses).size).toBeGreaterThan(10);
});

test.each([
  ['absent', undefined, undefined],
  ['in seconds', '120', 120_000],
  ['as a date', 'Fri, 20 Nov 2026 12:02:00 GMT', 120_000],
  ['as a date that is past', 'Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['unreadable', 'soon', undefined],
])('a Retry-After that is %s is read so', (_, header, expected) => {
  expect(retryAfterMs(header, Date.parse('2026-11-20T12:00:00Z'))).toBe(expected);
});

const callback: ClaimedCallback = {
  ...{ shipment_id: 1, tenant_id: 1, lease_id: 'lease', attempts: 0, is_probe: false, event_id: null },
  ...{ url: 'https://receiver.example/', auth_type: 'None', keys: [] },
};

test.each([
  ['shorter than the own pause is not sooner than that', 100, 800, 1_000],
  ['longer is waited for', 30_000, 30_000, 30_000],
  ['over 10 min counts as 10 min', 86_400_000, 600_000, 600_000],
])('a pause that a receiver asks for and that is %s', (_, asked, least, most) => {
  const answer = { accepted: false, status: 503, error: 'answered 503', milliseconds: 1 } as const;
  const outcome = outcomeOf(callback, { ...answer, ofReceiver: true, retryAfterMs: asked }, patience, true);
  expect(outcome.delay_ms).toBeGreaterThanOrEqual(least);
  expect(outcome.delay_ms).toBeLessThanOrEqual(most);
});
