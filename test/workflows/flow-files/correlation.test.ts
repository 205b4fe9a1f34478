// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: Events by business data. Events by correlation on a real Temporal: each reaches the processes that it
// matches, once, also those that begin later, without a worker in between, and where a process continues as a new run.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { type CorrelatedEvent, correlatedEvent } from '../../../flows/language/correlation.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { correlationQueueId, sendCorrelated } from '../../../shared/routing/correlation-queues.ts';
import { uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

withShortRunsToo((files, hasShortRuns) => {
  /** Counts what it hears until it is told to end. */
  const counter = (name: string) => `
name: ${name}
meaning: Counts the returns of a device.
input: { type: object, required: [device], properties: { device: { type: string } } }
correlate: { device: "\${input.device}" }
context: { heard: [] }
initial: waiting
states:
  waiting:
    on:
      device.returned: { actions: { type: assign, params: { heard: "\${context.heard + [event.data]}" } } }
      device.gone: over
  over: { type: final }
output: "\${context.heard}"
`;

  async function send(
    type: string,
    where: Json,
    data: Json = null,
    more: { id?: string; keepFor?: string } = {},
  ) {
    const event = correlatedEvent({ type, where, data, id: randomUUID(), ...more });
    expect(event).not.toBeInstanceOf(Array);
    await sendCorrelated(files.client, files.taskQueue, event as CorrelatedEvent);
  }

  const heardBy = async (handle: WorkflowHandle) => {
    const { context } = await handle.query<{ context?: { heard: Json[] } }, [object]>('progress', {
      context: true,
    });
    return context?.heard;
  };

  const untilHeard = (handle: WorkflowHandle, expected: readonly Json[]) =>
    vi.waitFor(async () => expect(await heardBy(handle)).toEqual(expected), {
      timeout: 20_000,
      interval: 30,
    });

  const startOf = (name: string, device: string) => files.start(name, { request: { device } });

  test('an event reaches every process with its keys, also one that begins later, and no other', async () => {
    const [name, other] = [uniqueName('Counter'), uniqueName('Other')];
    await files.publish(counter(name));
    await files.publish(counter(other));
    const device = randomUUID();
    const handles = [
      await startOf(name, device),
      await startOf(name, device),
      await startOf(name, randomUUID()),
    ];
    await Promise.all(handles.map((handle) => untilProgress(handle, ({ version }) => version > 0)));
    await send('device.returned', { device }, 1, { id: 'one' });
    await send('device.returned', { device }, 1, { id: 'one' });
    await send('device.returned', { device }, 2);
    await untilHeard(handles[0] as WorkflowHandle, [1, 2]);
    await untilHeard(handles[1] as WorkflowHandle, [1, 2]);
    // A process of the same flow has had them; one of another flow has not.
    const [late, foreign] = [await startOf(name, device), await startOf(other, device)];
    await untilHeard(foreign, [1, 2]);
    await send('device.returned', { device }, 3);
    await untilHeard(late, [3]);
    expect(await heardBy(handles[2] as WorkflowHandle)).toEqual([]);
  }, 60_000);

  if (hasShortRuns)
    test('process and queue go on over their runs, and each event counts once', {
      timeout: 90_000,
    }, async () => {
      const name = uniqueName('Counter');
      await files.publish(counter(name));
      const device = randomUUID();
      const handle = await startOf(name, device);
      await untilProgress(handle, ({ version }) => version > 0);
      const all = Array.from({ length: 30 }, (_, index) => index);
      for (const data of all) await send('device.returned', { device }, data, { id: `event-${data}` });
      for (const data of all) await send('device.returned', { device }, data, { id: `event-${data}` });
      await send('device.gone', { device });
      expect(await handle.result()).toEqual(all);
      await files.replays(handle.workflowId);
      await files.replays(correlationQueueId('device', device));
      const runs: string[] = [];
      await vi.waitFor(
        async () => {
          runs.length = 0;
          const query = `WorkflowId = "${correlationQueueId('device', device)}"`;
          for await (const { runId } of files.client.workflow.list({ query })) runs.push(runId);
          expect(runs.length).toBeGreaterThan(1);
        },
        { timeout: 20_000, interval: 100 },
      );
    });

  test('what a process had no time to take, because it was terminated, comes to the next one', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const name = uniqueName('Counter');
    await files.publish(counter(name));
    const device = randomUUID();
    const key = `terminated-${device}`;
    const begin = () =>
      files.client.workflow.start(name, {
        taskQueue: files.taskQueue,
        workflowId: key,
        args: [{ request: { device } }],
      });
    const first = await begin();
    await untilProgress(first, ({ keys }) => keys?.device === device);
    await first.terminate('by an operator');
    await send('device.returned', { device }, 1);
    const second = await begin();
    await untilHeard(second, [1]);
    await send('device.gone', { device });
    expect(await second.result()).toEqual([1]);
  });

  test('a process sends to its flow, which sends to its parent and, under a key that it had no sooner, is found by others', async () => {
    const [parent, child] = [uniqueName('Parent'), uniqueName('Child')];
    const job = randomUUID();
    await files.publish(`
name: ${child}
meaning: Has a job once it is told which one.
correlate: { job: "\${context.job}" }
context: { job: null }
initial: idle
states:
  idle: { on: { job.made: { target: waiting, actions: { type: assign, params: { job: "\${event.data}" } } } } }
  waiting:
    entry: { type: sendParent, params: { type: ordered, data: "\${context.job}" } }
    on: { repair.finished: over }
  over: { type: final }
output: "\${context.job}"
`);
    await files.publish(`
name: ${parent}
meaning: Gives its flow a job, and says itself that it is done.
context: { ordered: null }
initial: going
states:
  going:
    invoke: { id: repair, src: ${child}, onDone: over }
    entry: { type: sendTo, params: { to: repair, type: job.made, data: ${job} } }
    on:
      # As in any chart, it takes repair.ordered itself too.
      repair.ordered.*:
        actions:
          - { type: assign, params: { ordered: "\${event.data}" } }
          - { type: sendTo, params: { type: repair.finished, where: { job: "\${event.data}" } } }
  over: { type: final }
output: "\${context.ordered}"
`);
    const handle = await files.start(parent, {});
    expect(await handle.result()).toBe(job);
    await files.replays(handle.workflowId);
    await files.replays(`${handle.workflowId}/repair`);
  }, 60_000);
});
