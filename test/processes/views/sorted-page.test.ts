// By what the open processes of a list are sorted, also where they are many. Temporal is a stand-in: the rows that it finds are made
// here, and each process answers at once.
import { expect, test, vi } from 'vitest';
import type { TemporalContext } from '../../../processes/temporal-context.ts';
import { compareDue, type DueRow, dueOf, firstDue, waitOf } from '../../../processes/views/due.ts';
import { type ProcessPage, stillSo } from '../../../processes/views/process-list.ts';
import type { Step } from '../../../processes/views/row-state.ts';
import { SortedPages } from '../../../processes/views/sorted-page.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import { newProgress } from '../../support/progress.ts';

const NOW = Date.parse('2031-05-10T12:00:00.000Z');
const at = (day: number, hour = 0) => new Date(Date.UTC(2031, 4, day, hour)).toISOString();

interface Said {
  readonly until?: string;
  readonly since?: string;
  readonly isForUs?: boolean;
  readonly step?: Step;
  readonly isWithPerson?: true;
}

const rowOf = (
  name: string,
  { until, since, isForUs = false, step, isWithPerson }: Said,
  startedAt = at(1),
) => ({
  name,
  startedAt,
  phase: 'Open',
  summary: {
    next: {
      words: '',
      code: null,
      since: since ?? null,
      until: until ?? null,
      isOverdue: false,
      isForUs,
      step: step ?? null,
    },
    where: { words: '', pupUid: null, ...(isWithPerson && { isWithPerson }) },
    until: null,
    clockAheadMs: 0,
  },
});

test('first what is late, then what waits for a person, then by due, then the rest; each by the moment of its column', () => {
  const rows: readonly (DueRow & { readonly name: string })[] = [
    rowOf('since the 3rd', {}, at(3)),
    rowOf('question due the 11th', { until: at(11), since: at(10), isForUs: true }),
    rowOf('late since the 9th', { until: at(9) }),
    rowOf('due the 12th', { until: at(12) }),
    rowOf('in doubt since the 10th', { since: at(10), isForUs: true }),
    rowOf('late since the 7th, a question', { until: at(7), isForUs: true }),
    rowOf('in doubt since the 2nd', { since: at(2), isForUs: true }),
    rowOf('since the 1st', {}, at(1)),
    rowOf('due the 10th, in an hour', { until: at(10, 13) }),
    { name: 'late, not asked yet', startedAt: at(8), phase: 'Overdue', summary: null },
  ];
  const sorted = rows.toSorted((one, other) => compareDue(dueOf(one, NOW), dueOf(other, NOW)));
  expect(sorted.map(({ name }) => name)).toEqual([
    'late since the 7th, a question',
    'late, not asked yet',
    'late since the 9th',
    'in doubt since the 2nd',
    'in doubt since the 10th',
    'due the 10th, in an hour',
    'question due the 11th',
    'due the 12th',
    'since the 1st',
    'since the 3rd',
  ]);
});

test('a case stands where the first of it and its open parts does, and its column says that', () => {
  const rows: readonly (DueRow & { readonly name: string })[] = [
    rowOf('recall', {}, at(1)),
    rowOf('due the 14th', { until: at(14), since: at(9) }),
    rowOf('due the 12th', { until: at(12), since: at(8), isForUs: true }),
    { ...rowOf('ended', { until: at(2) }), phase: null },
  ];
  expect(firstDue(rows, dueOf, NOW)).toMatchObject({
    row: { name: 'due the 12th' },
    kind: 'due',
    at: at(12),
  });
  expect(firstDue(rows, waitOf, NOW)).toMatchObject({ row: { name: 'recall' }, kind: 'waiting', at: at(1) });
  expect(firstDue(rows.slice(3), dueOf, NOW)).toBeUndefined();
});

test('by waiting: first what is expected now, longest first; then by due what is with a person or waits for a moment', () => {
  const loan = { step: 'bringBack', isWithPerson: true } as const;
  const rows: readonly (DueRow & { readonly name: string })[] = [
    rowOf('with a person since the 1st, due the 20th', { since: at(1), until: at(20), ...loan }),
    rowOf('with a person since the 4th, due the 12th', { since: at(4), until: at(12), ...loan }),
    rowOf('with a person, without a date', { since: at(1), ...loan }),
    rowOf('with a person since the 1st, late since the 7th', { since: at(1), until: at(7), ...loan }),
    rowOf('to pick up since the 6th, late since the 9th', { since: at(6), until: at(9), step: 'pickUp' }),
    rowOf('to pick up since the 2nd, due later', { since: at(2), until: at(12), step: 'pickUp' }),
    rowOf('asked to bring it since the 5th', { since: at(5), until: at(13), step: 'bringBack' }),
    rowOf('a question since the 8th, due later', { since: at(8), until: at(11), isForUs: true }),
    rowOf('halted, begun the 3rd', { isForUs: true }, at(3)),
    rowOf('goes on by itself the 11th', { since: at(1), until: at(11) }),
    { name: 'late, not asked yet, begun the 4th', startedAt: at(4), phase: 'Overdue', summary: null },
    { name: 'not asked yet, begun the 2nd', startedAt: at(2), phase: 'Open', summary: null },
  ];
  const sorted = rows.toSorted((one, other) => compareDue(waitOf(one, NOW), waitOf(other, NOW)));
  expect(sorted.map(({ name }) => name)).toEqual([
    'to pick up since the 2nd, due later',
    'halted, begun the 3rd',
    'late, not asked yet, begun the 4th',
    'asked to bring it since the 5th',
    'to pick up since the 6th, late since the 9th',
    'with a person since the 1st, late since the 7th',
    'a question since the 8th, due later',
    'goes on by itself the 11th',
    'with a person since the 4th, due the 12th',
    'with a person since the 1st, due the 20th',
    'with a person, without a date',
    'not asked yet, begun the 2nd',
  ]);
});

const secondsOf = (iso: string) => ({ seconds: Date.parse(iso) / 1_000, nanos: 0 });
const started = { workflowExecutionStartedEventAttributes: { input: null } };

interface Open {
  readonly key: string;
  readonly until: string;
  readonly isWithPerson?: true;
  readonly isSilent?: true;
  readonly parent?: string;
  readonly hasEnded?: true;
}

/** Lists the newest first, page by page, as Temporal does; of `RunId IN` those, and of `StartTime >=` the newest alone. */
function standIn(open: Open[]) {
  const asked: string[] = [];
  const queries: string[] = [];
  const foundBy = (query: string) => {
    queries.push(query);
    const runs = /^RunId IN \(([^)]*)\)/.exec(query)?.[1];
    if (runs) return open.filter(({ key }) => runs.includes(`'run ${key}'`));
    return query.startsWith('StartTime >=') ? open.slice(0, 2) : open;
  };
  const client = {
    options: { namespace: 'default', loadedDataConverter: { payloadCodecs: [] } },
    withDeadline: <Answer>(_: number, ask: () => Answer) => ask(),
    workflowService: {
      listWorkflowExecutions: async ({ query, pageSize, nextPageToken }: ListRequest) => {
        const all = foundBy(query);
        const from = nextPageToken ? Number(Buffer.from(nextPageToken).toString()) : 0;
        const end = from + pageSize;
        return {
          executions: all.slice(from, end).map(({ key, parent, hasEnded }, index) => ({
            execution: { workflowId: key, runId: `run ${key}` },
            type: { name: 'Loan' },
            status: hasEnded ? 2 : 1,
            startTime: secondsOf(new Date(NOW - (from + index) * 1_000).toISOString()),
            ...(parent !== undefined && { parentExecution: { workflowId: parent } }),
          })),
          nextPageToken: end < all.length ? Buffer.from(String(end)) : null,
        };
      },
      getWorkflowExecutionHistory: async () => ({ history: { events: [started] } }),
      describeWorkflowExecution: async () => ({ workflowExecutionInfo: { historyLength: 1 } }),
    },
    workflow: {
      count: async () => ({ count: open.length }),
      getHandle: (key: string) => ({
        query: async () => {
          asked.push(key);
          const { until, isWithPerson, isSilent } = open.find((each) => each.key === key) ?? {};
          if (isSilent) throw new Error('no worker answers');
          const waitingFor = [{ kind: 'event', words: '', until }] as never;
          return newProgress({ waitingFor, ...(isWithPerson && lent) });
        },
      }),
    },
  };
  const parts = { client, taskQueue: 'none' } as unknown as TemporalContext;
  const pages = new SortedPages(parts, new ProcessSummaries(parts));
  const keysOf = async (from?: string, withThem = false) => {
    const page = await pages.page('open', { by: 'due', size: 3, from, withThem });
    return page && { ...page, flows: page.flows.map(({ workflowId }) => workflowId) };
  };
  return { pages, asked, queries, keysOf };
}

const lent = {
  flow: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
  shipments: { issue: { stateCode: 'Completed' }, intake: { stateCode: 'ReadyForDropoff' } } as never,
};

interface ListRequest {
  readonly query: string;
  readonly pageSize: number;
  readonly nextPageToken: Uint8Array | null;
}

/** The newest is due last. */
const openOnes = (count: number): Open[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `loan-${index}`,
    until: new Date(Date.UTC(2099, 0, 1) - index * 60_000).toISOString(),
  }));

test('of 2,000 open ones those that are due first come first, once each was asked; each is asked once', async () => {
  const open = openOnes(2_000);
  const { asked, keysOf, queries } = standIn(open);
  // Nobody is told that the newest are what is due first.
  expect(await keysOf()).toBeUndefined();
  const first = await vi.waitUntil(() => keysOf(), { timeout: 20_000, interval: 20 });
  expect(first).toMatchObject({
    flows: ['loan-1999', 'loan-1998', 'loan-1997'],
    count: 2_000,
    sorted: 'due',
    next: 'due-3',
  });
  expect(await keysOf('due-3')).toMatchObject({ flows: ['loan-1996', 'loan-1995', 'loan-1994'] });
  expect(asked.length).toBe(2_000);
  // A page reads what is on it, not all again.
  expect(queries.slice(-2).every((query) => /^(RunId IN|StartTime >=)/.test(query))).toBe(true);
});

test('what has ended or begun since many were read is right on the next page all the same', async () => {
  const open = openOnes(600);
  const { keysOf } = standIn(open);
  await vi.waitUntil(() => keysOf(), { timeout: 20_000, interval: 20 });
  open.splice(599, 1);
  open.unshift({ key: 'new', until: '2031-01-01T00:00:00.000Z' });
  expect((await keysOf())?.flows).toEqual(['new', 'loan-598']);
  expect(await keysOf('due-3')).toMatchObject({ flows: ['loan-597', 'loan-596', 'loan-595'] });
});

test('what a case has started stands behind it, and a page does not part them', async () => {
  const part = (parent: string, key: string, until: string) => ({ parent, key, until });
  const { keysOf } = standIn([
    { key: 'b', until: '2031-01-04T00:00:00.000Z' },
    { key: 'a', until: '2031-01-03T00:00:00.000Z' },
    { key: 'late part', until: '2031-01-05T00:00:00.000Z' },
    part('b', 'b1', '2031-01-01T00:00:00.000Z'),
    part('a', 'a1', '2031-01-09T00:00:00.000Z'),
  ]);
  expect(await keysOf()).toMatchObject({ flows: ['b', 'b1'], next: 'due-2' });
  expect(await keysOf('due-2')).toMatchObject({ flows: ['a', 'a1', 'late part'], next: null });
});

test('what has ended is not asked where it stands, however many are found', async () => {
  const open = openOnes(600).map((each, index) =>
    index < 599 ? { ...each, hasEnded: true as const } : each,
  );
  const { asked, keysOf } = standIn(open);
  expect(await vi.waitUntil(() => keysOf(), { timeout: 20_000, interval: 20 })).toMatchObject({
    flows: ['loan-599', 'loan-598', 'loan-597'],
  });
  expect(asked).toEqual(['loan-599']);
});

test('of 600 open ones those whose item is with a person are found, however many are listed before them', async () => {
  const open = openOnes(600).map((each, index) => ({
    ...each,
    ...(index % 150 === 0 && { isWithPerson: true as const }),
    ...(index === 7 && { isSilent: true as const }),
  }));
  const { keysOf } = standIn(open);
  // It waits until each was asked: none is missing but those that have said nothing, and these are counted.
  const first = await keysOf(undefined, true);
  expect(first).toMatchObject({
    flows: ['loan-450', 'loan-300', 'loan-150'],
    count: 4,
    unknown: 1,
    next: 'due-3',
    sorted: 'due',
  });
  expect(await keysOf('due-3', true)).toMatchObject({ flows: ['loan-0'], count: 4, next: null });
});

test('of more than 5,000 nobody is told which of them are with a person', async () => {
  const { pages } = standIn(openOnes(5_001));
  const newest = { flows: [], next: null, count: 5_001 };
  const read = (withThem: boolean, sort: 'due' | 'newest' = 'due', from?: string) =>
    pages.pageAs('open', { sort, size: 3, from, withThem }, async () => newest);
  const refused = 'more than 5000 open cases are too many to ask where their items are';
  await expect(read(true)).rejects.toThrow(refused);
  // Without an order of their own they come by due.
  await expect(read(true, 'newest')).rejects.toThrow(refused);
  expect(await read(false)).toBe(newest);
  expect(await read(false, 'newest')).toBe(newest);
  expect(await read(false, 'due', 'a-page-of-the-newest')).toBe(newest);
});

test('who has said meanwhile that they stand otherwise is left out of the page', () => {
  const items = [{ isWithPerson: true }, {}].map((where) => ({ summary: { where } }));
  const page = { items: [...items, { summary: null }], count: 9 } as unknown as ProcessPage;
  expect(stillSo(page, { withThem: true })).toEqual({ items: [items[0], { summary: null }], count: 8 });
  const steps = ['pickUp', 'bringBack'].map((step) => ({ summary: { where: null, next: { step } } }));
  const other = { items: steps, count: 2 } as unknown as ProcessPage;
  expect(stillSo(other, { step: 'bringBack' })).toEqual({ items: [steps[1]], count: 1 });
});
