// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// 1,000 items are ordered by one `each`, of which 5 % fail, while the worker is killed: each is ordered once, each failure is
// known, and no run's history grows with the list.
import { expect, test, vi } from 'vitest';
import type { FlowFileProgress } from '../../../../../flows/language/machine/progress.ts';
import { killedProcess } from '../../../../proofs/killed/killed-process.ts';
import { json, startTestServer } from '../../../../shared/locker-api/test-server.ts';
import { itemsDoneOf } from '../../../../workflows/flow-files/running-files.ts';

const ITEMS = 1_000;
const KILLS = 5;
/** A killed worker is missed for 10 s at each activity that it had. */
const PATIENCE_MS = 1_200_000;

const file = (name: string) => `
name: ${name}
meaning: Orders every item of a list.
input: { type: object, required: [items], properties: { items: { type: array, items: { type: integer }, maxItems: 10000 } } }
context: { failed: [], done: 0 }
initial: ordering
states:
  ordering:
    invoke:
      id: batch
      src: each
      input:
        of: "\${input.items}"
        atOnce: 10
        tolerate: all
        keep: "\${index}"
        do: { src: call, input: { connector: shop, method: POST, path: /orders, body: { item: "\${item}" } } }
      onDone:
        target: over
        actions:
          type: assign
          params: { failed: "\${event.output.failed.map(each, each.index)}", done: "\${size(event.output.done)}" }
      onError: over
  over: { type: final }
output: "\${context}"
`;

const isRefused = (item: number): boolean => item % 20 === 7;

test(`${ITEMS} items are each done once, whatever is killed`, { timeout: PATIENCE_MS }, async () => {
  // What a key has asked for is done once.
  const ordered = new Map<string, number>();
  await using shop = await startTestServer((response, request) => {
    const { item } = JSON.parse(request.body) as { item: number };
    ordered.set(String(request.headers['idempotency-key']), item);
    return json(isRefused(item) ? 422 : 201, { item })(response, request);
  });
  await using working = await killedProcess('Ordering', file, { SHOP_ADDRESS: shop.url });
  const { client, taskQueue, name } = working;
  const items = Array.from({ length: ITEMS }, (_, index) => index);
  const handle = await client.workflow.start(name, {
    taskQueue,
    workflowId: name,
    args: [{ request: { items } }],
    workflowTaskTimeout: '2 s',
  });
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = (ITEMS * kill) / (KILLS + 1);
    await vi.waitUntil(
      async () => {
        const progress = await handle.query<FlowFileProgress>('progress').catch(() => undefined);
        // The last items may end between two looks, and the batch with them.
        return progress && (progress.activity === 'Ended' || itemsDoneOf(progress) >= before);
      },
      { timeout: PATIENCE_MS, interval: 50 },
    );
    await working.kill();
  }
  const refused = items.filter(isRefused);
  expect(await handle.result()).toEqual({ failed: refused, done: ITEMS - refused.length });
  // By its key; an attempt whose answer the worker did not live to see is the same order.
  expect([...ordered.values()].toSorted((one, other) => one - other)).toEqual(items);
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${name}"` })) {
    const { events = [] } = await client.workflow.getHandle(name, runId).fetchHistory();
    expect(events?.length).toBeLessThan(10_000);
    expect(events?.some((event) => event.workflowTaskFailedEventAttributes)).toBe(false);
  }
});
