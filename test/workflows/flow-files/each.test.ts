// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// `src: each` on a real Temporal, where a process continues as a new run after about 20 events: every item is done exactly once,
// whatever becomes of the worker, and the history of no run grows with the list.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { Json } from '../../../flows/language/flow-file.ts';
import { itemsDoneOf, uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

const batch = (name: string, work: string) => `
name: ${name}
meaning: Does the same for every item.
input: { type: object, required: [items], properties: { items: {} } }
context: { done: [], failed: [], heard: 0 }
initial: going
states:
  going:
    invoke:
      id: batch
      src: each
      input:
        of: "\${input.items}"
        atOnce: 5
        tolerate: all
        keep: "\${index}"
        do: ${work}
      onDone:
        target: over
        actions:
          type: assign
          params:
            done: "\${event.output.done.map(each, each.output)}"
            failed: "\${event.output.failed.map(each, each.index)}"
      onError: over
    on:
      batch.failed: { actions: { type: assign, params: { heard: "\${context.heard + 1}" } } }
  over: { type: final }
output: "\${context}"
`;

withShortRunsToo((files, hasShortRuns) => {
  const LENGTH = hasShortRuns ? 60 : 20;
  const listOf = (length: number): number[] => Array.from({ length }, (_, index) => index);

  test('every item is called once, also if the worker is restarted in between, and some fail', async () => {
    const name = uniqueName('Batch');
    await files.publish(
      batch(name, '{ src: GetPickUpPoints, input: { pageNo: "${item + 1}", pageSize: 10 } }'),
    );
    const called: number[] = [];
    files.answer = ({ request }) => {
      const item = Number(request.pageNo) - 1;
      called.push(item);
      if (item % 20 === 7) throw ApplicationFailure.nonRetryable('no such page', 'NotThere');
      return {} as Json;
    };
    const { workflowId } = await files.start(name, { request: { items: listOf(LENGTH) } });
    const handle = files.client.workflow.getHandle(workflowId);
    if (hasShortRuns) {
      await untilProgress(handle, (progress) => itemsDoneOf(progress) >= 20);
      await files.restartWorker();
    }
    const { done, failed, heard } = await handle.result();
    const failing = listOf(LENGTH).filter((item) => item % 20 === 7);
    expect(failed).toEqual(failing);
    expect(done).toEqual(listOf(LENGTH).filter((item) => item % 20 !== 7));
    expect(heard).toBe(failing.length);
    expect(new Set(called).size).toBe(LENGTH);
    const keys = files.calls.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(LENGTH);
    if (!hasShortRuns) return;
    const lengths = await files.replays(workflowId);
    expect(lengths.length).toBeGreaterThan(3);
    // One run in which the whole list runs would have 360 events.
    expect(Math.max(...lengths)).toBeLessThan(150);
  }, 180_000);

  if (hasShortRuns)
    test('flows that run for the items survive the continuations of their parent, and each ends once', {
      timeout: 180_000,
    }, async () => {
      const [name, child] = [uniqueName('Batch'), uniqueName('Item')];
      await files.publish(`
name: ${child}
meaning: Is done, or fails.
input: { type: object, required: [item], properties: { item: {} } }
initial: working
states:
  working:
    invoke:
      src: GetPickUpPoints
      input: { pageNo: "\${int(input.item) + 1}", pageSize: 10 }
      onDone: over
      onError: broken
  broken: { type: final, entry: { type: fail, params: { code: Broken } } }
  over: { type: final }
output: "\${input.item}"
`);
      await files.publish(batch(name, `{ src: ${child}, input: { request: { item: "\${item}" } } }`));
      // The later ones wait for the new worker, so that it comes in the middle.
      let isRestarted = false;
      files.answer = ({ request }) => {
        const item = Number(request.pageNo) - 1;
        if (item >= 12 && !isRestarted) throw new Error('not before the restart');
        if (item % 10 === 3) throw ApplicationFailure.nonRetryable('no such page', 'NotThere');
        return {} as Json;
      };
      const { workflowId } = await files.start(name, { request: { items: listOf(30) } });
      const handle = files.client.workflow.getHandle(workflowId);
      await untilProgress(handle, (progress) => itemsDoneOf(progress) >= 10);
      await files.restartWorker(async () => {
        isRestarted = true;
      });
      const { done, failed } = await handle.result();
      expect(failed).toEqual([3, 13, 23]);
      expect(done).toHaveLength(27);
      expect((await files.replays(workflowId)).length).toBeGreaterThan(1);
    });
});
