// What an attempt says about the receiver, and when the sender tries again after a receiver has asked for a pause.
import { expect, test } from 'vitest';
import { outcomeOf } from '../../../../service/callbacks/delivery/judge-attempt.ts';
import type { ClaimedCallback } from '../../../../service/callbacks/queue/claim-callbacks.ts';

const patience = { firstMs: 1_000, lastMs: 600_000 };

const callback: ClaimedCallback = {
  shipment_id: 1,
  tenant_id: 1,
  lease_id: 'lease',
  attempts: 0,
  is_probe: false,
  event_id: null,
  url: 'https://receiver.example/',
  auth_type: 'None',
  extra_fields: false,
  keys: [],
};

// assumptions: Callbacks, A receiver that is down
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

const failed = { accepted: false, status: 503, error: 'answered 503', milliseconds: 1 } as const;
const unreached = { ...failed, status: null, error: 'ECONNREFUSED', ofReceiver: true, retryAfterMs: null };
const overloaded = { ...failed, ofReceiver: true, retryAfterMs: null };
const refused = { ...failed, status: 400, error: 'answered 400', ofReceiver: false, retryAfterMs: null };
const cut = { ...failed, status: null, error: 'ECONNRESET', ofReceiver: false, retryAfterMs: null };

// assumptions: Callbacks, A receiver that is down
test.each([
  ['down', 'it is not reached, and has accepted nothing lately', unreached, false],
  ['as before', 'it is not reached, but has accepted something lately', unreached, true],
  ['down', 'it is overloaded, and has accepted nothing lately', overloaded, false],
  ['down', 'it asks for a pause', { ...overloaded, retryAfterMs: 5_000 }, true],
  ['up', 'it refuses one callback', refused, false],
  ['as before', 'one connection is cut', cut, false],
] as const)('a receiver is %s when %s', (is, _when, result, lately) => {
  expect(outcomeOf(callback, result, patience, lately).receiver ?? 'as before').toBe(is);
});

// assumptions: Callbacks, A receiver that is down
test('a receiver that is down and tried with one callback is up again only when it answers', () => {
  const receiverAfter = (result: typeof unreached | typeof refused) =>
    outcomeOf({ ...callback, is_probe: true }, result, patience, true).receiver;
  expect(receiverAfter({ ...cut, ofReceiver: true })).toBe('down');
  expect(receiverAfter(unreached)).toBe('down');
  expect(receiverAfter(refused)).toBe('up');
});
