// The processes of each.bench.ts written by hand: a parent that runs a child for each item, some at once.
import {
  defineQuery,
  setHandler,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';

/** As every process of a flow file has it. */
const isOpen = () =>
  upsertSearchAttributes([{ key: { name: 'LockerPhase', type: 'KEYWORD' }, value: 'Open' }]);

interface Batch {
  readonly items: readonly number[];
  readonly atOnce: number;
}

export async function BenchEach({ request }: { request: Batch }): Promise<number> {
  const { items, atOnce } = request;
  const waiting = items.map((item, index) => ({ item, index }));
  let done = 0;
  setHandler(defineQuery('progress'), () => ({ done }));
  isOpen();
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const child = await startChild('BenchItem', {
        workflowId: `${workflowInfo().workflowId}/batch/${next.index}`,
        args: [{ request: { item: next.item } }],
      });
      await child.result();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return done;
}

export async function BenchItem({ request }: { request: { item: number } }): Promise<number> {
  setHandler(defineQuery('progress'), () => request);
  isOpen();
  return request.item;
}
