// In which order the processes of a list are asked where they stand, and which are not asked again. Temporal is a stand-in that
// answers when the test says so; that the answers are right is shown with everything real (list.long.test.ts).
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const started = { workflowExecutionStartedEventAttributes: { input: null } };

function standIn() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const describe = vi.fn(async () => ({ workflowExecutionInfo: { historyLength: 1 } }));
  const progress = async (key: string) => {
    asked.push(key);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { activity: 'Following', shipments: {}, unassigned: [], awaits: [{ words: key }], deadlines: [] };
  };
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    workflowService: {
      describeWorkflowExecution: describe,
      getWorkflowExecutionHistory: async () => ({ history: { events: [started] } }),
    },
    workflow: { getHandle: (key: string) => ({ query: () => progress(key) }) },
  };
  return {
    parts: { client, taskQueue: 'none' } as unknown as AtTemporal,
    asked,
    describe,
    /** Answers what has been asked so far. */
    answer: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await vi.advanceTimersByTimeAsync(1);
    },
  };
}

const page = (name: string) =>
  Array.from({ length: 40 }, (_, index) => ({ key: `${name}-${index}`, runId: `run ${name}-${index}` }));
const keysOf = (processes: readonly { readonly key: string }[]) => processes.map(({ key }) => key);

test('a page is asked from the top, some at a time; a page that people have left waits behind the one they look at', async () => {
  const { parts, asked, answer } = standIn();
  const changed = vi.fn();
  const summaries = new ProcessSummaries(parts, changed);
  const look = (name: string) => page(name).map((each) => summaries.of(each).summary?.awaits ?? null);
  look('first');
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(keysOf(page('first').slice(0, 16)));
  await vi.advanceTimersByTimeAsync(1_100);
  look('second');
  await answer();
  expect(asked.slice(16)).toEqual(keysOf(page('second').slice(0, 16)));
  for (let round = 0; round < 3; round++) await answer();
  expect(look('second')).toEqual(keysOf(page('second')));
  // Told together, not each by itself.
  await vi.advanceTimersByTimeAsync(200);
  expect(changed.mock.calls.length).toBeLessThan(15);

  // Who comes back sees at once what was known, and nothing is asked again without news.
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(12_000);
  expect(look('second')).toEqual(keysOf(page('second')));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked.length).toBe(before);
  summaries.stop();
});

test('a row that is shown is looked at again after a while, and asked only if its process has gone on', async () => {
  const { parts, asked, describe, answer } = standIn();
  const changed = vi.fn();
  const summaries = new ProcessSummaries(parts, changed);
  const [process = { key: '', runId: '' }] = page('first');
  const look = async () => {
    summaries.of(process);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    await vi.advanceTimersByTimeAsync(400);
  };
  for (let looks = 0; looks < 12; looks++) await look();
  expect(asked.length).toBe(1);
  expect(describe.mock.calls.length).toBeLessThan(6);
  expect(changed).toHaveBeenCalledTimes(1);
  describe.mockImplementation(async () => ({ workflowExecutionInfo: { historyLength: 2 } }));
  for (let looks = 0; looks < 6; looks++) await look();
  expect(asked.length).toBe(2);
  expect(changed).toHaveBeenCalledTimes(2);
  summaries.stop();
});

test('what is kept is dropped when the process goes on', async () => {
  const { parts, asked, describe, answer } = standIn();
  const summaries = new ProcessSummaries(parts, () => undefined);
  const one = page('first').slice(0, 1);
  const read = async () => {
    const rows = summaries.current(one, 0);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    return [...(await rows).values()].map(({ summary }) => summary?.awaits);
  };
  for (let reads = 0; reads < 3; reads++) expect(await read()).toEqual(['first-0']);
  expect(asked.length).toBe(1);
  describe.mockImplementation(async () => ({ workflowExecutionInfo: { historyLength: 2 } }));
  expect(await read()).toEqual(['first-0']);
  expect(asked.length).toBe(2);
});

test('a list that is read once waits less for its rows if its search took long, and not at all long without an answer', async () => {
  const { parts, describe } = standIn();
  describe.mockImplementation(() => new Promise(() => undefined));
  const summaries = new ProcessSummaries(parts, () => undefined);
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
