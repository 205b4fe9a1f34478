// When the sender tries again after a receiver has asked for a pause (assumptions: Callbacks: at most 10 min apart).
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../../service/callbacks/delivery/judge-attempt.ts';
import type { ClaimedCallback } from '../../../../service/callbacks/queue/claim-callbacks.ts';

const patience = { firstMs: 1_000, lastMs: 600_000 };

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
