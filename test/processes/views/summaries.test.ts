// In which order the processes of a list are asked where they stand, and which are not asked again. Temporal is a stand-in that
// answers when the test says so; that the answers are right is shown with everything real (list.long.test.ts).
import { expect, test, vi } from 'vitest';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';

const started = { workflowExecutionStartedEventAttributes: { input: null } };

function standIn() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const polls: (() => void)[] = [];
  const token = new Uint8Array([1]);
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    withAbortSignal: <Answer>(_: AbortSignal, ask: () => Answer) => ask(),
    workflowService: {
      getWorkflowExecutionHistory: ({ nextPageToken }: { nextPageToken?: Uint8Array | null }) =>
        !nextPageToken
          ? Promise.resolve({ history: { events: [started] }, nextPageToken: token })
          : new Promise((resolve) =>
              polls.push(() => resolve({ history: { events: [] }, nextPageToken: token })),
            ),
    },
  };
  const progress = async (key: string) => {
    asked.push(key);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { activity: 'Following', shipments: {}, unassigned: [], awaits: [{ words: key }], deadlines: [] };
  };
  const workflow = { getHandle: (key: string) => ({ query: () => progress(key) }) };
  return {
    parts: { client: { ...client, workflow }, taskQueue: 'none' } as unknown as AtTemporal,
    asked,
    /** Answers what has been asked so far. */
    answer: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await vi.advanceTimersByTimeAsync(1);
    },
  };
}

const page = (name: string) =>
  Array.from({ length: 40 }, (_, index) => ({ key: `${name}-${index}`, runId: `run ${name}-${index}` }));

test('a page is asked from the top, some at a time; a page that people have left waits behind the one they look at', async () => {
  vi.useFakeTimers();
  const { parts, asked, answer } = standIn();
  const changed = vi.fn();
  const summaries = new ProcessSummaries(parts, changed);
  try {
    const look = (name: string) => page(name).map((each) => summaries.of(each).summary?.awaits ?? null);
    look('first');
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(
      page('first')
        .slice(0, 16)
        .map(({ key }) => key),
    );
    await vi.advanceTimersByTimeAsync(1_100);
    look('second');
    await answer();
    expect(asked.slice(16)).toEqual(
      page('second')
        .slice(0, 16)
        .map(({ key }) => key),
    );
    for (let round = 0; round < 3; round++) await answer();
    expect(look('second')).toEqual(page('second').map(({ key }) => key));
    // Told together, not each by itself.
    expect(changed.mock.calls.length).toBeLessThan(15);

    // Who comes back sees at once what was known, and nothing is asked again without news.
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(12_000);
    expect(look('second')).toEqual(page('second').map(({ key }) => key));
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.slice(before).filter((key) => key.startsWith('second'))).toEqual([]);
  } finally {
    summaries.stop();
    vi.useRealTimers();
  }
});

test('who reads a list again and again has it from what is followed: nothing is asked without news', async () => {
  vi.useFakeTimers();
  const { parts, asked, answer } = standIn();
  let described = 0;
  Object.assign(parts.client.workflowService, {
    describeWorkflowExecution: async () => {
      described++;
      return { workflowExecutionInfo: { historyLength: 1 } };
    },
  });
  const summaries = new ProcessSummaries(parts, () => undefined);
  const one = page('first').slice(0, 1);
  const read = async () => {
    const rows = summaries.current(one, 0);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    return [...(await rows).values()].map(({ summary }) => summary?.awaits);
  };
  try {
    for (let reads = 0; reads < 5; reads++) expect(await read()).toEqual(['first-0']);
    expect([asked.length, described]).toEqual([1, 1]);
    // Who has read it long ago does not follow it.
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read()).toEqual(['first-0']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read()).toEqual(['first-0']);
    expect([asked.length, described]).toEqual([1, 3]);
  } finally {
    summaries.stop();
    vi.useRealTimers();
  }
});

test('what is kept is dropped when the process goes on, also where it is followed only from now on', async () => {
  vi.useFakeTimers();
  const { parts, asked, answer } = standIn();
  let historyLength = 1;
  Object.assign(parts.client.workflowService, {
    describeWorkflowExecution: async () => ({ workflowExecutionInfo: { historyLength } }),
  });
  const summaries = new ProcessSummaries(parts, () => undefined);
  const one = page('first').slice(0, 1);
  const [process] = one;
  if (!process) throw new Error('a page has a process');
  const read = async () => {
    const rows = summaries.current(one, 0);
    await vi.advanceTimersByTimeAsync(1);
    await answer();
    await rows;
    return asked.length;
  };
  try {
    expect(await read()).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await read()).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    historyLength = 2;
    // A list follows it from here on, and what it hears of has not come yet.
    expect(summaries.of(process).summary).not.toBeNull();
    const behind = summaries.behind(process);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.length).toBe(2);
    await answer();
    await behind;
  } finally {
    summaries.stop();
    vi.useRealTimers();
  }
});

test('a list that is read once waits less for its rows if its search took long, and not at all long without an answer', async () => {
  vi.useFakeTimers();
  const { parts } = standIn();
  Object.assign(parts.client.workflowService, {
    describeWorkflowExecution: () => new Promise(() => undefined),
  });
  const summaries = new ProcessSummaries(parts, () => undefined);
  try {
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
  } finally {
    summaries.stop();
    vi.useRealTimers();
  }
});
