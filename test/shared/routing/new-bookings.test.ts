// Each booking is seen once, also after Temporal was away; what may have been missed is not taken for known.
import type { Client } from '@temporalio/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CaseFlow } from '../../../shared/routing/case-flow.ts';
import { newBookings } from '../../../shared/routing/new-bookings.ts';
import { Pace } from '../../../shared/routing/pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_900_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const BOUNDS = /LockerBookedAt > '(.*)' AND LockerBookedAt <= '(.*)'/;

function temporalWith(flows: { workflowId: string; bookedAt: number }[]) {
  const temporal = { isAway: false, looks: 0, client: { workflow: { list } } as unknown as Client };
  async function* list({ query }: { query: string }) {
    temporal.looks += 1;
    await Promise.resolve();
    if (temporal.isAway) throw new Error('away');
    const [from = 0, to = 0] = (BOUNDS.exec(query) ?? []).slice(1).map(Date.parse);
    for (const { workflowId, bookedAt } of flows)
      if (bookedAt > from && bookedAt <= to)
        yield { workflowId, runId: 'run', type: 'Issue', searchAttributes: {} };
  }
  return temporal;
}

function looking(client: Client) {
  const seen: string[] = [];
  let forgotten = 0;
  const forgetAll = () => {
    forgotten += 1;
  };
  const see = ({ workflowId }: CaseFlow) => void seen.push(workflowId);
  const look = newBookings(client, new Pace(1_000), { see, forgetAll }, 5);
  return { look, seen, forgotten: () => forgotten };
}

const looksAgain = async (temporal: { looks: number }) => {
  const before = temporal.looks;
  await vi.waitUntil(() => temporal.looks >= before + 2, { timeout: 60_000 });
};

test('a booking is seen once, a little later than it was made', async () => {
  const flows = [{ workflowId: 'before', bookedAt: Date.now() - 60_000 }];
  const temporal = temporalWith(flows);
  const { look, seen } = looking(temporal.client);
  look();
  await looksAgain(temporal);
  flows.push({ workflowId: 'after', bookedAt: Date.now() });
  await looksAgain(temporal);
  expect(seen).toEqual(['before']);
  vi.setSystemTime(Date.now() + 10_000);
  await looksAgain(temporal);
  expect(seen).toEqual(['before', 'after']);
});

test('bookings from an outage of Temporal are seen after it', async () => {
  const flows: { workflowId: string; bookedAt: number }[] = [];
  const temporal = temporalWith(flows);
  const { look, seen, forgotten } = looking(temporal.client);
  look();
  await looksAgain(temporal);
  temporal.isAway = true;
  flows.push({ workflowId: 'meanwhile', bookedAt: Date.now() });
  vi.setSystemTime(Date.now() + 60_000);
  await looksAgain(temporal);
  temporal.isAway = false;
  await vi.waitUntil(() => seen.length > 0, { timeout: 60_000 });
  expect(seen).toEqual(['meanwhile']);
  expect(forgotten()).toBe(1);
});

test('after a long outage all remembered owners are read again', async () => {
  const temporal = temporalWith([]);
  const { look, forgotten } = looking(temporal.client);
  look();
  await looksAgain(temporal);
  vi.setSystemTime(Date.now() + 3_600_000);
  await looksAgain(temporal);
  expect(forgotten()).toBe(2);
});
