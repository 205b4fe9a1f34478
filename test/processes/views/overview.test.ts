// What lists show without asking anybody: words for states and flows, children below their parents, the next deadline first.
import { expect, test, vi } from 'vitest';
import { dueFirst } from '../../../console/processes/process-list.ts';
import { listSearch } from '../../../console/processes/search.ts';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { formatFlowName, formatLeg, formatState } from '../../../processes/views/overview/format.ts';
import {
  isDueBefore,
  type OpenProcess,
  OpenProcesses,
} from '../../../processes/views/overview/open-processes.ts';
import { nested } from '../../../processes/views/process-list.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import { summaryOf } from '../../../processes/views/summary-of.ts';

test('states and flows are said in words, also those of flow files', () => {
  expect(formatFlowName('IssueFromStockAndSubsequentIntake')).toBe('Issue from stock and subsequent intake');
  expect(formatFlowName('Check_in')).toBe('Check in');
  expect(formatState('lent.waitingForReturn, noted')).toBe('lent: waiting for return, noted');
  expect(formatLeg({ role: 'intake', state: 'ReadyForPickup', lockerName: '12' })).toBe(
    'Return to be picked up, locker 12',
  );
  expect(formatLeg({ role: null, state: 'lent.waiting', lockerName: null })).toBe('Lent: waiting');
});

test('a process is below the one that has started it, if that is on the page; none is lost or shown twice', () => {
  const rows = [
    { key: 'grandchild', parent: 'child' },
    { key: 'other', parent: null },
    { key: 'child', parent: 'parent' },
    { key: 'of-another-page', parent: 'elsewhere' },
    { key: 'parent', parent: null },
    { key: 'round-1', parent: 'round-2' },
    { key: 'round-2', parent: 'round-1' },
  ];
  expect(nested(rows).map(({ key }) => key)).toEqual([
    ...['other', 'of-another-page', 'parent', 'child', 'grandchild', 'round-1', 'round-2'],
  ]);
});

test('the next deadline of a flow file is the first end of what it waits for', () => {
  const progress = {
    activity: 'Running',
    state: 'asked',
    awaits: [
      { words: 'an answer', until: null },
      { words: 'a reminder', until: '2031-05-02T00:00:00.000Z' },
      { words: 'the end', until: '2031-05-01T00:00:00.000Z' },
    ],
  };
  expect(summaryOf(progress as never, 0).until).toBe('2031-05-01T00:00:00.000Z');
});

const found = (key: string, dueMs: number | null, more: Partial<OpenProcess> = {}): OpenProcess => ({
  workflowId: key,
  runId: `run ${key}`,
  flow: 'Issue',
  status: 'Running',
  phase: null,
  case: null,
  pickUpPoint: null,
  definition: null,
  shipmentUids: [],
  parent: null,
  isAsking: false,
  startedAt: '2031-05-01T00:00:00Z',
  closedAt: null,
  dueMs,
  isAsked: true,
  words: null,
  ...more,
});

test('by deadline, the one that ends next is first, those without come last, page by page', () => {
  const processes = [found('none', null), found('late', 300), found('soon', 100), found('later', 200)];
  const search = (more: object) => listSearch.parse({ sort: 'deadline', size: 3, ...more });
  const first = dueFirst({ processes, isWhole: true }, search({}));
  expect(first.flows.map(({ workflowId }) => workflowId)).toEqual(['soon', 'later', 'late']);
  expect(first).toMatchObject({ count: 4, next: 'after-3' });
  const second = dueFirst({ processes, isWhole: true }, search({ cursor: first.next }));
  expect(second).toMatchObject({ flows: [{ workflowId: 'none' }], count: 4, next: null });
  expect(() => dueFirst({ processes, isWhole: true }, search({ cursor: 'AAAA' }))).toThrow('cursor must be');
});

test('a search by deadline narrows as any other does', () => {
  const at = Date.now() + 3_600_000;
  const processes = [
    found('order-1', at, { pickUpPoint: 'pup-1', phase: 'NeedsPerson' }),
    found('order-2', at, { pickUpPoint: 'pup-2', flow: 'Loan', isAsking: true }),
    found('past', at - 7_200_000),
    found('tomorrow', at + 3_600_000),
  ];
  const keys = (more: object) =>
    dueFirst({ processes, isWhole: true }, listSearch.parse(more)).flows.map(({ workflowId }) => workflowId);
  const dueBefore = new Date(at + 1).toISOString();
  expect(keys({ dueBefore })).toEqual(['order-1', 'order-2']);
  expect(keys({ dueBefore, pickUpPoint: 'pup-1' })).toEqual(['order-1']);
  expect(keys({ dueBefore, flow: 'Loan' })).toEqual(['order-2']);
  expect(keys({ dueBefore, phase: 'NeedsPerson' })).toEqual(['order-1']);
  expect(keys({ dueBefore, waitsForAnswer: 'true' })).toEqual(['order-2']);
  expect(keys({ dueBefore, find: 'order-2' })).toEqual(['order-2']);
  expect([null, at - 1, at, at + 1].map((dueMs) => isDueBefore(at + 1, at)({ dueMs }))).toEqual([
    ...[false, false, true, false],
  ]);
});

test('each open process is asked for its deadline once, one that does not answer later, and readers share a reading', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let isAway = true;
  const executions = ['one', 'two'].map((workflowId) => ({
    execution: { workflowId, runId: workflowId },
    status: 1,
  }));
  const list = vi.fn(async () => ({ executions, nextPageToken: null }));
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [], payloadConverter: {} } },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    workflow: {
      getHandle: (key: string) => ({
        query: async () => {
          asked.push(key);
          if (key === 'two' && isAway) throw new Error('no worker');
          return { activity: 'Following', awaits: [], deadlines: [{ until: '2031-05-01T00:00:00.000Z' }] };
        },
      }),
    },
    workflowService: {
      listWorkflowExecutions: list,
      describeWorkflowExecution: async () => ({ workflowExecutionInfo: { historyLength: 1 } }),
      getWorkflowExecutionHistory: async () => ({
        history: { events: [{ workflowExecutionStartedEventAttributes: { input: null } }] },
      }),
    },
  };
  try {
    const parts = { client, taskQueue: 'none' } as unknown as AtTemporal;
    const open = new OpenProcesses(parts, new ProcessSummaries(parts, () => undefined));
    const [first] = await Promise.all([open.now(), open.now()]);
    expect(list).toHaveBeenCalledTimes(1);
    const due = Date.parse('2031-05-01T00:00:00.000Z');
    expect(first.processes.map(({ dueMs, isAsked }) => [dueMs, isAsked])).toEqual([
      [due, true],
      [null, false],
    ]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    const second = await open.now();
    expect(second.processes.map(({ dueMs }) => dueMs)).toEqual([due, due]);
    expect(asked.slice(0, 3)).toEqual(['one', 'two', 'two']);
  } finally {
    vi.useRealTimers();
  }
});

test('a process that has just begun is found, however seldom all are looked for', async () => {
  const running = (id: string) => ({ execution: { workflowId: id, runId: id }, status: 1 });
  let executions = [running('one')];
  // As a server with many open ones, which takes long to find them all.
  const list = vi.fn(async ({ query }: { readonly query: string }) => {
    if (!query.includes('StartTime')) await new Promise((resolve) => setTimeout(resolve, 300));
    return { executions, nextPageToken: null };
  });
  const client = {
    options: { namespace: 'default' },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    workflowService: { listWorkflowExecutions: list },
  };
  const parts = { client, taskQueue: 'none' } as unknown as AtTemporal;
  const open = new OpenProcesses(parts, new ProcessSummaries(parts, () => undefined));
  const keys = async () => (await open.found()).map(({ workflowId }) => workflowId);
  expect(await keys()).toEqual(['one']);
  executions = [running('two')];
  expect(await keys()).toEqual(['two', 'one']);
  expect(list.mock.calls.filter(([{ query }]) => !query.includes('StartTime'))).toHaveLength(1);
});

test('who follows the numbers does not wait for deadlines, and rows of lists are asked before those', async () => {
  vi.useFakeTimers();
  try {
    const executions = [{ execution: { workflowId: 'one', runId: 'one' }, status: 1 }];
    const list = vi.fn(async () => ({ executions, nextPageToken: null }));
    const client = {
      options: { namespace: 'default' },
      withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
      workflowService: { listWorkflowExecutions: list },
    };
    const until = '2031-05-01T00:00:00.000Z';
    const said = vi.fn(async () => ({ states: [], awaits: null, until, clockAheadMs: 1_000 }));
    const summaries = { isBusy: true, behind: said };
    const open = new OpenProcesses({ client, taskQueue: 'none' } as unknown as AtTemporal, summaries);
    expect(open.soon()).toEqual({ processes: [], isWhole: false });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(list).not.toHaveBeenCalled();
    // Meanwhile a list is opened: nothing is asked for its deadline, and the reading ends.
    await vi.advanceTimersByTimeAsync(2_000);
    expect(list).toHaveBeenCalledTimes(1);
    expect(open.soon().processes).toMatchObject([{ workflowId: 'one', isAsked: false }]);
    expect(said).not.toHaveBeenCalled();
    summaries.isBusy = false;
    await vi.advanceTimersByTimeAsync(10_000);
    open.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    const dueMs = Date.parse(until) - 1_000;
    expect(open.soon().processes).toMatchObject([{ isAsked: true, dueMs }]);
  } finally {
    vi.useRealTimers();
  }
});
