// The list of items left asks thousands of processes: who asks the same shares the answer, and nobody asks for many at a time.
import { expect, test, vi } from 'vitest';
import {
  inboxRoutes,
  MAX_CONCURRENT_LISTS,
  MAX_LISTS_PER_CALLER,
} from '../../../console/api/inbox-routes.ts';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import { askedBy } from '../../../console/heavy/callers-in-turn.ts';
import type { Inbox } from '../../../processes/views/inbox/inbox.ts';

const WITHIN = { timeout: 60_000, interval: 10 };

test('equal lists are read once, few at a time, and a caller has a bounded number that wait', async () => {
  const waiting: (() => void)[] = [];
  const count = vi.fn(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { count: 0 };
  });
  const withDeadline = (_at: Date, ask: () => Promise<unknown>) => ask();
  const client = {
    withDeadline,
    workflow: { count },
    workflowService: { listWorkflowExecutions: async () => ({ executions: [], nextPageToken: [] }) },
    options: { namespace: 'default' },
  };
  const parts = { client, service: {} } as unknown as ConsoleParts;
  const [route] = inboxRoutes(parts, {} as Inbox).filter(({ name }) => name === 'listItemsLeft');
  const handle = route?.handle as unknown as (asked: object) => Promise<unknown>;
  const gone = new Set<string>();
  const ask = (caller: string, pickUpPoint: string) =>
    askedBy.run({ caller, isGone: () => gone.has(caller) }, () =>
      handle({ query: { state: 'all', pickUpPoint } }),
    );
  const lists = Array.from(
    { length: MAX_CONCURRENT_LISTS + MAX_LISTS_PER_CALLER },
    (_, index) => `pup-${index}`,
  );
  const ofAnna = lists.map((each) => ask('anna', each));
  await expect(ask('anna', 'one too many')).rejects.toMatchObject({ status: 429 });
  const shared = ask('bram', 'pup-0');
  const ofCarl = expect(ask('carl', 'of one who goes')).rejects.toMatchObject({
    error: 'ClientClosedRequest',
  });
  const taken = ask('bram', 'of one who goes');
  gone.add('carl');
  await vi.waitUntil(() => waiting.length === MAX_CONCURRENT_LISTS, WITHIN);
  for (let read = 0; read < lists.length + 1; read++) {
    await vi.waitUntil(() => waiting.length > 0, WITHIN);
    expect(waiting.length).toBeLessThanOrEqual(MAX_CONCURRENT_LISTS);
    waiting.shift()?.();
  }
  await ofCarl;
  for (const answer of await Promise.all([...ofAnna, shared, taken]))
    expect(answer).toMatchObject({ items: [], asked: 0 });
  expect(count).toHaveBeenCalledTimes(lists.length + 1);
  const again = ask('anna', 'pup-0');
  await vi.waitUntil(() => waiting.length > 0, WITHIN);
  for (const go of waiting) go();
  expect(await again).toMatchObject({ items: [] });
});
