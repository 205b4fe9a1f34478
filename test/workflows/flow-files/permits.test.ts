// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/flow-files.md: One at a time, and so many a minute
// Locks and rate limits on a real Temporal: processes take turns, a lock is released however its holder ends or leaves its state,
// and both go on over the runs of a process and of the queue (in the long suite, where histories are short).
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { readQueue } from '../../../processes/permits.ts';
import { permitQueueId } from '../../../shared/routing/mailboxes.ts';
import { bySuite, isLongSuite, spreadOf } from '../../support/suite.ts';
import { runningFiles, runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = isLongSuite ? runningFilesOfShortRuns() : runningFiles();
const PATIENCE_MS = 120_000;

const printing = (name: string) => `
name: ${name}
meaning: Prints labels at a printer that one process has at a time.
input: { type: object, required: [key], properties: { key: { type: string } } }
context: { labels: 0 }
initial: printing
states:
  printing:
    invoke: { id: printer, src: lock, input: { key: "\${input.key}" } }
    initial: waiting
    on: { gone: over, broken: failed, elsewhere: elsewhere }
    states:
      waiting: { on: { printer.acquired: working } }
      working:
        on: { label: { actions: { type: assign, params: { labels: "\${context.labels + 1}" } } } }
  elsewhere: { on: { gone: over } }
  over: { type: final }
  failed: { type: final, entry: { type: fail, params: { code: Broken } } }
output: "\${context.labels}"
`;

const startOf = (name: string, key: string) => files.start(name, { request: { key } });
const event = (handle: WorkflowHandle, type: string) => handle.signal('event', { type, id: randomUUID() });
const isHeld = ({ permits = [] }: { permits?: readonly { heldSince: string | null }[] }) =>
  permits.some(({ heldSince }) => heldSince !== null);
const untilHeld = (handle: WorkflowHandle) => untilProgress(handle, isHeld);
const untilAsked = (handle: WorkflowHandle, key: string) =>
  vi.waitFor(
    async () => {
      const { holders = [], waiting = [] } = (await readQueue(files.client, 'lock', key)) ?? {};
      expect([...holders, ...waiting].map(({ process }) => process)).toContain(handle.workflowId);
    },
    { timeout: PATIENCE_MS, interval: 30 },
  );

const ends: Readonly<Record<string, (handle: WorkflowHandle) => Promise<unknown>>> = {
  'ends as done': (handle) => event(handle, 'gone'),
  'leaves the state': (handle) => event(handle, 'elsewhere'),
  fails: (handle) => event(handle, 'broken'),
  'is cancelled': (handle) => handle.cancel(),
  // Noticed only after some seconds.
  'is terminated': (handle) => handle.terminate(),
};

test(
  'a lock has one holder, whose turn comes in order, and is released however the holder ends',
  async () => {
    const name = uniqueName('Printing');
    await files.publish(printing(name));
    await Promise.all(
      spreadOf(Object.entries(ends), 2, 1).map(async ([how, end]) => {
        const key = `${how} ${randomUUID()}`;
        const first = await startOf(name, key);
        await untilHeld(first);
        const second = await startOf(name, key);
        await untilAsked(second, key);
        const third = await startOf(name, key);
        await untilAsked(third, key);
        expect(await readQueue(files.client, 'lock', key)).toMatchObject({
          key,
          src: 'lock',
          waitingCount: 2,
          holders: [{ process: first.workflowId, invoke: 'printer' }],
          waiting: [{ process: second.workflowId }, { process: third.workflowId }],
        });
        await end(first);
        await untilHeld(second);
        expect(isHeld(await untilProgress(third, () => true))).toBe(false);
        await event(second, 'gone');
        await untilHeld(third);
        await event(third, 'gone');
        await third.result();
        await files.replays(second.workflowId);
        // Nobody holds it and nobody waits: it is over.
        await files.client.workflow.getHandle(permitQueueId('lock', key)).result();
        await files.replays(permitQueueId('lock', key));
      }),
    );
  },
  PATIENCE_MS,
);

test.runIf(isLongSuite)(
  'holder and waiting process keep their places over their runs and those of the lock, and without a worker',
  async () => {
    const name = uniqueName('Printing');
    await files.publish(printing(name));
    const key = randomUUID();
    const first = await startOf(name, key);
    const others: WorkflowHandle[] = [];
    await untilHeld(first);
    for (let count = 0; count < 4; count++) {
      const next = await startOf(name, key);
      others.push(next);
      await untilAsked(next, key);
    }
    // One at a time, so that its history grows.
    for (let labels = 1; labels <= 10; labels++) {
      await event(first, 'label');
      await untilProgress(first, ({ context }) => (context as { labels: number }).labels === labels, {
        context: true,
      });
    }
    const { raw, runId } = await first.describe();
    expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
    await files.restartWorker(() => event(first, 'gone') as Promise<void>);
    expect(await first.result()).toBe(10);
    for (const [index, next] of others.entries()) {
      await untilHeld(next);
      const waiting = others.slice(index + 1).map(({ workflowId }) => workflowId);
      const view = await readQueue(files.client, 'lock', key);
      expect(view?.waiting.map(({ process }) => process)).toEqual(waiting);
      await event(next, 'gone');
      await next.result();
    }
    const queue = files.client.workflow.getHandle(permitQueueId('lock', key));
    await queue.result();
    const described = await queue.describe();
    expect(described.raw.workflowExecutionInfo?.firstRunId).not.toBe(described.runId);
    await files.replays(queue.workflowId);
  },
  PATIENCE_MS,
);

const PERIOD_MS = bySuite({ short: 1_000, long: 2_000 });

const paced = (name: string) => `
name: ${name}
meaning: Writes a mail, two within a period at most.
input: { type: object, required: [key], properties: { key: { type: string } } }
initial: pacing
states:
  pacing: { invoke: { id: pace, src: rate, input: { key: "\${input.key}", most: 2, per: PT${PERIOD_MS / 1_000}S }, onDone: written } }
  written: { type: final }
output: "\${now}"
`;

test(
  'a rate limit lets no more processes go on within its period than it allows',
  async () => {
    const name = uniqueName('Paced');
    await files.publish(paced(name));
    const key = randomUUID();
    const handles = await Promise.all(Array.from({ length: 5 }, () => startOf(name, key)));
    await Promise.all(handles.map((handle) => handle.result()));
    const queue = files.client.workflow.getHandle(permitQueueId('rate', key));
    await queue.result();
    // The third waits for the end of the first's period, the fifth for the end of the third's.
    const lives = await Promise.all(handles.map((handle) => handle.describe()));
    const begun = Math.min(...lives.map(({ startTime }) => Number(startTime)));
    const ended = Math.max(...lives.map(({ closeTime }) => Number(closeTime)));
    expect(ended - begun).toBeGreaterThanOrEqual(2 * PERIOD_MS);
    await files.replays((handles[0] as WorkflowHandle).workflowId);
    await files.replays(permitQueueId('rate', key));
  },
  PATIENCE_MS,
);
