// How far the sandbox's clock is moved at a time: to the next moment at which something is due, and not past it, however long
// the flows have been idle. What a flow does at such a moment is in test/end-to-end/sandbox-clock.test.ts.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { SandboxClocks } from '../../client/sandbox-clock.ts';
import type { SandboxClock } from '../../contract/index.ts';
import type { ClockStatus } from '../../workflows/sandbox-clock.ts';

const START = Date.parse('2031-05-01T12:00:00Z');
const IDLE_MS = 35_000;
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Flows that are due once, at these times after START, and have been idle for a while. */
function idleFlows(dueAfter: Readonly<Record<string, number>>) {
  let aheadMs = 0;
  const fired: Record<string, number> = {};
  const service = async (change?: { readonly advance?: string | undefined }) => {
    const [, seconds = '0'] = /^PT([\d.]+)S$/.exec(change?.advance ?? '') ?? [];
    aheadMs += Number(seconds) * 1_000;
    const followers = Object.keys(dueAfter).map((key) => `default/${key}`);
    return { now: iso(START + aheadMs), aheadMs, followers, next: null, underWay: 0, lastEventId: 0 };
  };
  const standing = (key: string, dueMs: number): Partial<ClockStatus> => ({
    aheadMs,
    isOpen: true,
    isAtRest: true,
    taken: 0,
    calls: [],
    children: [],
    now: iso(START + aheadMs - IDLE_MS),
    // By the time of its last step.
    next: key in fired ? null : { timer: 'due', at: iso(START + dueMs), inMs: dueMs - aheadMs + IDLE_MS },
  });
  const getHandle = (key: string) => ({
    client: { withDeadline: (_: number, ask: () => unknown) => ask() },
    query: async () => standing(key, dueAfter[key] ?? Number.NaN),
    executeUpdate: async () => {
      if (aheadMs >= (dueAfter[key] ?? Number.NaN)) fired[key] ??= aheadMs;
    },
  });
  const client = { options: { namespace: 'default' }, workflow: { getHandle } } as unknown as Client;
  return { clocks: new SandboxClocks(client, service as () => Promise<SandboxClock>), fired };
}

test('flows that are due shortly after one another are each moved to their own time, and named in order', async () => {
  const { clocks, fired } = idleFlows({ second: 18_000, first: 10_000 });
  const stops: (string | null)[] = [];
  const { now } = await clocks.advance(60_000, { onStop: ({ flow }) => stops.push(flow) });
  expect(fired).toEqual({ first: 10_000, second: 18_000 });
  expect(stops).toEqual(['first', 'second']);
  expect(now).toBe(iso(START + 60_000));
});

test('what is due at the same time is all named', async () => {
  const { clocks, fired } = idleFlows({ one: 10_000, other: 10_000 });
  const stops: (string | null)[] = [];
  await clocks.advance(60_000, { onStop: ({ flow }) => stops.push(flow) });
  expect(fired).toEqual({ one: 10_000, other: 10_000 });
  expect(stops).toEqual(['one', 'other']);
});
