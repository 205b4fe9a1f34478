// How the processes of a list are asked where they stand, and which are not asked again. Temporal is a stand-in that answers when
// the test says so; that the answers are right is shown with everything real (answer-cache.test.ts).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TemporalContext } from '../../../processes/temporal-context.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import { newProgress } from '../../support/progress.ts';

const started = { workflowExecutionStartedEventAttributes: { input: null } };

function standIn() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  let historyLength = 1;
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    workflowService: {
      getWorkflowExecutionHistory: async () => ({ history: { events: [started] } }),
      describeWorkflowExecution: async (): Promise<unknown> => ({ workflowExecutionInfo: { historyLength } }),
    },
  };
  const progress = async (key: string) => {
    asked.push(key);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return newProgress({
      waitingFor: [{ words: key, code: key.startsWith('booking') ? 'Booking' : 'Time' }] as never,
    });
  };
  const workflow = { getHandle: (key: string) => ({ query: () => progress(key) }) };
  const parts = { client: { ...client, workflow }, taskQueue: 'none' } as unknown as TemporalContext;
  const summaries = new ProcessSummaries(parts);
  /** Answers what has been asked so far. */
  const answer = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await vi.advanceTimersByTimeAsync(1);
  };
  return {
    client,
    summaries,
    asked,
    answer,
    /** Something happens to all of them. */
    goOn: () => historyLength++,
    read: async (name: string, count = 1) => {
      const rows = summaries.current(page(name).slice(0, count), 0);
      await vi.advanceTimersByTimeAsync(1);
      await answer();
      return [...(await rows).values()].map(({ summary }) => summary.waitingFor);
    },
  };
}

const page = (name: string) =>
  Array.from({ length: 40 }, (_, index) => ({ key: `${name}-${index}`, runId: `run ${name}-${index}` }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a page is asked from the top, some at a time, and each process once by all who read it', async () => {
  const { summaries, asked, answer } = standIn();
  const both = [summaries.current(page('first'), 0), summaries.current(page('first'), 0)];
  await vi.advanceTimersByTimeAsync(1);
  const keys = page('first').map(({ key }) => key);
  expect(asked).toEqual(keys.slice(0, 16));
  for (let round = 0; round < 4; round++) await answer();
  for (const rows of await Promise.all(both))
    expect([...rows.values()].map(({ summary }) => summary.waitingFor)).toEqual(keys);
  expect(asked).toEqual(keys);
});

test('one that does not answer in time has in its row what it said before', async () => {
  const { summaries, read, goOn } = standIn();
  await read('first');
  goOn();
  const rows = summaries.current(page('first').slice(0, 2), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...(await rows).values()].map(({ summary }) => summary.waitingFor)).toEqual(['first-0']);
});

test('a list waits less for its rows if its search took long, and not at all long without an answer', async () => {
  const { client, summaries } = standIn();
  client.workflowService.describeWorkflowExecution = () => new Promise(() => undefined);
  for (const [spentMs, waitsMs] of [
    [0, 700],
    [400, 300],
    [5_000, 150],
  ] as const) {
    const from = Date.now();
    const read = summaries.current(page('first'), spentMs).then((rows) => [rows.size, Date.now() - from]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read).toEqual([0, waitsMs]);
  }
});

test('a process that no worker answers for is said to be unanswered until it answers', async () => {
  const { client, summaries, answer } = standIn();
  const [first] = page('first') as [{ key: string; runId: string }];
  const describe = client.workflowService.describeWorkflowExecution;
  client.workflowService.describeWorkflowExecution = async () => {
    throw new Error('nobody answers');
  };
  expect((await summaries.current([first], 0)).size).toBe(0);
  expect(summaries.isUnanswered(first.runId)).toBe(true);
  client.workflowService.describeWorkflowExecution = describe;
  const rows = summaries.current([first], 0);
  await vi.advanceTimersByTimeAsync(1);
  await answer();
  expect((await rows).size).toBe(1);
  expect(summaries.isUnanswered(first.runId)).toBe(false);
});

test('ahead of the lists, one that was only being booked is asked again within seconds, any other within minutes', async () => {
  const { summaries, asked, answer, goOn } = standIn();
  const processes = [...page('booking').slice(0, 1), ...page('waiting').slice(0, 1)];
  const ahead = async () => {
    void summaries.askAhead(processes);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    return asked.splice(0);
  };
  expect(await ahead()).toEqual(['booking-0', 'waiting-0']);
  goOn();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await ahead()).toEqual(['booking-0']);
  goOn();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await ahead()).toEqual(['booking-0', 'waiting-0']);
});
