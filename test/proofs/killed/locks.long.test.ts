// @module-tag invariant
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// 200 processes take turns at one lock while the worker is killed again and again, and some of them are terminated: no two hold it
// at once, and each of the others has its turn.
import type { WorkflowHandle } from '@temporalio/client';
import pLimit from 'p-limit';
import { expect, test, vi } from 'vitest';
import { permitQueueId } from '../../../shared/routing/mailboxes.ts';
import { uniqueName } from '../../workflows/flow-files/running-files.ts';
import { killedProcess } from './killed-process.ts';

const PROCESSES = 200;
const KILLS = 8;
const AT_ONCE = 8;
const PATIENCE_MS = 1_800_000;

const file = (name: string) => `
name: ${name}
meaning: Prints a label at the one printer.
input: { type: object, required: [printer], properties: { printer: { type: string } } }
initial: printing
states:
  printing:
    invoke: { id: printer, src: lock, input: { key: "\${input.printer}" } }
    initial: waiting
    onDone: over
    states:
      waiting: { on: { printer.acquired: working } }
      working: { after: { PT0.05S: printed } }
      printed: { type: final }
  over: { type: final }
`;

const nanosOf = ({ seconds, nanos }: { seconds?: unknown; nanos?: number | null }): bigint =>
  BigInt(String(seconds ?? 0)) * 1_000_000_000n + BigInt(nanos ?? 0);

type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

const isPermit = ({ workflowExecutionSignaledEventAttributes: signal }: HistoryEvent): boolean =>
  signal?.signalName === 'permit';

test(
  `${PROCESSES} processes hold a lock one at a time, whatever is killed`,
  async () => {
    await using working = await killedProcess('Printing', file);
    const { client, taskQueue, name } = working;
    const printer = uniqueName('printer');
    const all = Array.from({ length: PROCESSES }, (_, index) =>
      client.workflow.getHandle(`${name}-${index}`),
    );
    const ended = all.filter((_, index) => index % 8 !== 7);
    await pLimit(AT_ONCE).map(all, async (handle, index) => {
      await client.workflow.start(name, {
        taskQueue,
        workflowId: handle.workflowId,
        args: [{ request: { printer } }],
        workflowTaskTimeout: '2 s',
      });
      // Wherever it is: it waits, holds the lock, or has not begun.
      if (index % 8 === 7) await handle.terminate().catch(() => undefined);
    });
    let over = 0;
    let killed = 0;
    const killing = (async () => {
      for (; killed < KILLS; killed++) {
        await working.kill();
        // The next one comes when some more have had their turn.
        const before = over;
        const enough = Math.min(ended.length, before + 5);
        await vi.waitUntil(() => over >= enough, { timeout: PATIENCE_MS, interval: 50 });
      }
    })();
    await Promise.all(ended.map((handle) => handle.result().then(() => (over += 1))));
    await killing;
    expect(killed).toBe(KILLS);
    const held: { readonly from: bigint; readonly to: bigint }[] = [];
    for (const handle of all) {
      const { events = [] } = await handle.fetchHistory();
      const left =
        events?.findIndex(
          (event) => event.timerFiredEventAttributes ?? event.workflowExecutionTerminatedEventAttributes,
        ) ?? -1;
      // One that came before its process knew that it had asked was given back: the last one is held.
      const permit = events?.slice(0, left).findLast(isPermit);
      if (permit)
        held.push({ from: nanosOf(permit.eventTime ?? {}), to: nanosOf(events?.[left]?.eventTime ?? {}) });
    }
    expect(held.length).toBeGreaterThanOrEqual(ended.length);
    held.sort((one, other) => (one.from < other.from ? -1 : 1));
    const overlaps = held.filter(({ from }, index) => from < (held[index - 1]?.to ?? 0n));
    expect(overlaps).toEqual([]);
    await client.workflow.getHandle(permitQueueId('lock', printer)).result();
  },
  PATIENCE_MS,
);

test(
  'a lock that was given before its process knows that it has asked is held by it',
  async () => {
    const variables = { HANGS_AFTER: 'passOn' };
    await using working = await killedProcess('Printing', file, variables);
    const { client, taskQueue, name } = working;
    const printer = uniqueName('printer');
    const handle = await client.workflow.start(name, {
      taskQueue,
      workflowId: name,
      args: [{ request: { printer } }],
      workflowTaskTimeout: '5 s',
    });
    // Not by the history of the process, which has it once its task is over.
    const queue = client.workflow.getHandle(permitQueueId('lock', printer));
    const isGiven = async () => {
      const { events } = await queue.fetchHistory().catch(() => ({ events: [] }));
      return events?.some(({ markerRecordedEventAttributes: marker }) => marker);
    };
    await vi.waitUntil(isGiven, { timeout: PATIENCE_MS, interval: 50 });
    variables.HANGS_AFTER = '';
    await working.kill();
    await handle.result();
    // The one that it gave back, and the one that it held.
    const { events } = await handle.fetchHistory();
    expect(events?.filter(isPermit)).toHaveLength(2);
    // Whoever comes next gets it.
    await queue.result();
  },
  PATIENCE_MS,
);
