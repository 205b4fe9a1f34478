// The list of items left asks thousands of processes: who asks the same shares the answer, and nobody asks for many at a time.
import { expect, test, vi } from 'vitest';
import { inboxRoutes, MOST_LISTS_OF_CALLER } from '../../../console/api/inbox-routes.ts';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import type { Inbox } from '../../../processes/views/inbox/inbox.ts';

test('equal lists are read once, and a caller has a bounded number of them at a time', async () => {
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
  const ask = (id: string, phase: string) => handle({ query: { state: 'all', phase }, caller: { id } });
  const all = [
    ...Array.from({ length: MOST_LISTS_OF_CALLER }, () => ask('anna', 'Open')),
    ask('bram', 'Open'),
    ask('bram', 'Overdue'),
  ];
  await expect(ask('anna', 'Overdue')).rejects.toMatchObject({ status: 429 });
  await vi.waitUntil(() => waiting.length === 2, { timeout: 60_000 });
  for (const go of waiting) go();
  for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ items: [], asked: 0 });
  const again = ask('anna', 'Open');
  await vi.waitUntil(() => count.mock.calls.length === 3, { timeout: 60_000 });
  for (const go of waiting) go();
  expect(await again).toMatchObject({ items: [] });
});
