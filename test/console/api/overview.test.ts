// What an operator sees first, the numbers above the lists, and the search, with everything real behind them:
// each number is the number of rows to which the page links.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { FlowFigures, FlowFiguresView, FlowStages } from '../../../console/flows/flows-view.ts';
import type { ProcessCounts } from '../../../processes/views/overview/counts.ts';
import { medianOf } from '../../../processes/views/overview/flow-figures.ts';
import type { OverviewView } from '../../../processes/views/overview/overview.ts';
import type { SearchView } from '../../../processes/views/overview/search.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { issueRequest, type Name, readAs, useConsoleOf } from '../console-world.ts';
import { useInstallationAlone } from '../installation-alone.ts';
import { beginEach, shelfFile } from '../shelf.ts';
import { codeOf, useProgram } from './program.ts';

const installation = useInstallationAlone(ourService);
const patience = { timeout: 60_000, interval: 100 };
const HOUR_MS = 3_600_000;
const server = useConsoleOf(installation, () => installation().temporalAddress);
const program = useProgram(server, installation);

const pupUid = `pup-${randomUUID()}`;
const tag = randomUUID().slice(0, 8);

const read = <View>(path: string, name: Name = 'bram') => readAs<View>(server(), name, path);

/** Gives its shipment, once it is booked. */
async function issue(key: string, dropOff: string, more: object = {}) {
  const { flows } = installation();
  const details = { referenceNo: `3SABC-${key}`, referenceCaseNo: `case-${key}` };
  const request = { ...issueRequest, pupUid, details };
  const input = { request, deadlines: { issue: { dropOff } }, onOverdue: 'wait', ...more };
  const handle = await flows.start('Issue', key, input as never);
  return await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
}

const query = (wanted: Readonly<Record<string, string>>) => new URLSearchParams(wanted).toString();

test('counts are of what is searched for; due today are the deadlines to come, and the next is first', async () => {
  await installation().people.newPickUpPoint(pupUid, 6);
  await issue(`${tag}-late`, 'PT1S');
  await issue(`${tag}-day`, 'PT20H');
  await issue(`${tag}-hour`, 'PT1H');
  await issue(`${tag}-week`, 'P7D');
  const dueBefore = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  const counts = await vi.waitUntil(async () => {
    const now = await read<ProcessCounts>(`/v1/counts?${query({ pickUpPoint: pupUid, dueBefore })}`);
    return now.open === 4 && now.overdue === 1 && now.due === 2 && now;
  }, patience);
  expect(counts).toMatchObject({ open: 4, needsPerson: 0, waitsForAnswer: 0, failed: 0, ended: 0 });
  const keys = async (more: Readonly<Record<string, string>>) => {
    const page = await read<ProcessPage>(`/v1/processes?${query({ pickUpPoint: pupUid, ...more })}`);
    return page.items.map(({ key }) => key.slice(tag.length + 1));
  };
  expect(await keys({ dueBefore })).toEqual(['hour', 'day']);
  const sorted = async () => (await keys({ sort: 'deadline' })).filter((key) => key !== 'late');
  await expect.poll(sorted, { timeout: 60_000 }).toEqual(['hour', 'day', 'week']);
  expect(await keys({ phase: 'Overdue' })).toEqual(['late']);
  expect(await keys({ state: 'failed' })).toEqual([]);
  expect(await keys({ waitsForAnswer: 'true' })).toEqual([]);
  const { items } = await read<ProcessPage>(`/v1/processes?${query({ find: `${tag}-hour` })}`);
  expect(items).toMatchObject([
    {
      flowName: 'Issue',
      parent: null,
      summary: { states: [{ words: expect.stringMatching(/^Issue to be dropped off, locker /) }] },
    },
  ]);
  const wrong = await program().get('/v1/counts?dueBefore=tomorrow');
  expect(codeOf(wrong)).toBe('400 InvalidRequest');
  for (const path of ['/v1/processes?stage=kept', '/v1/overview/flows?dayEnds=2031-05-01T00:00:00Z'])
    expect([path, codeOf(await program().get(path))]).toEqual([path, '400 InvalidRequest']);
});

test('the first page has what is overdue and due, a stuck door as its own part, and what has failed', async () => {
  const { flows, people, service } = installation();
  const failed = await flows.start('Issue', `${tag}-failed`, {
    request: { ...issueRequest, pupUid: 'no-such-point' },
  } as never);
  await expect(failed.result()).rejects.toThrow();
  const { items } = await people.call('GetLockers', {
    pageNo: 1,
    pageSize: 9,
    pupUid,
    lockerState: ['Booked'],
  });
  const [{ lockerUid, lockerName }] = items as [{ lockerUid: string; lockerName: string }];
  await (await sandboxAs(service.address))('POST', 'faults', { lockerUid, fault: 'stuck' });
  const dueBefore = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  const overview = await vi.waitUntil(async () => {
    const { parts } = await read<OverviewView>(`/v1/overview?${query({ dueBefore })}`);
    const of = (name: string) => parts.find(({ part }) => part === name);
    const isThere = (of('doors')?.count ?? 0) > 0 && (of('failed')?.count ?? 0) > 0;
    return isThere && of;
  }, patience);
  const entriesOf = (name: string) => overview(name)?.entries ?? [];
  expect(entriesOf('doors')).toContainEqual(
    expect.objectContaining({
      title: `Locker ${lockerName}`,
      pupUid,
      lockerUid,
      words: expect.stringContaining('stuck'),
    }),
  );
  expect(overview('overdue')?.count).toBeGreaterThan(0);
  expect(overview('due')?.count).toBeGreaterThan(0);
  expect(entriesOf('failed').every(({ key, at }) => key !== null && at !== null)).toBe(true);
  for (const { entries } of [overview('due'), overview('failed')].filter((each) => each !== undefined))
    expect(entries.length).toBeLessThanOrEqual(5);
});

test('a text finds keys and parts of keys, cases, tracking numbers, lockers, walls and flows, and people for those who may', async () => {
  const search = (text: string, name: Name = 'bram') =>
    read<SearchView>(`/v1/search?${query({ text })}`, name).then(({ items, unread }) => {
      expect(unread).toEqual([]);
      return items;
    });
  const key = `${tag}-hour`;
  const ofProcess = expect.objectContaining({
    kind: 'process',
    key,
    words: expect.stringContaining('Issue'),
  });
  expect(await search(key)).toContainEqual(ofProcess);
  expect(await search(key.slice(3))).toContainEqual(ofProcess);
  expect(await search(`case-${key}`)).toContainEqual(ofProcess);
  expect(await search(`3SABC-${key}`)).toContainEqual(
    expect.objectContaining({ kind: 'shipment', title: `3SABC-${key}`, key, pupUid }),
  );
  expect(await search(pupUid)).toContainEqual(expect.objectContaining({ kind: 'pickUpPoint', pupUid }));
  expect(await search('subsequent intake')).toContainEqual(
    expect.objectContaining({ kind: 'flow', flow: 'IssueFromStockAndSubsequentIntakeAndCircularStock' }),
  );
  const anna = expect.objectContaining({ kind: 'person', title: expect.stringContaining('Anna') });
  expect(await search('anna')).toContainEqual(anna);
  // Who only looks sees no people, and neither does a program.
  const kinds = (items: SearchView['items']) => items.map(({ kind }) => kind);
  expect(kinds(await search('anna', 'anna'))).not.toContain('person');
  const { body } = await program().get<SearchView>('/v1/search?text=anna');
  expect(kinds(body.items)).not.toContain('person');
  expect(codeOf(await program().get('/v1/search?text=a'))).toBe('400 InvalidRequest');
});

test('a process that another has started stands below it; one that asks something waits for an answer, until its end', async () => {
  const { flows } = installation();
  const inner = `Check${tag}`;
  const outer = `Order${tag}`;
  const asking = `name: ${inner}
meaning: The desk checks a device.
initial: checking
states:
  checking:
    after: { PT2H: over }
    invoke: { id: check, src: ask, input: { of: desk-${tag}, question: "Is it whole?", fields: { note: { type: text } } }, onDone: over }
  over: { type: final }
`;
  const starting = `name: ${outer}
meaning: An order has its device checked.
initial: beingChecked
states:
  beingChecked: { invoke: { id: checked, src: ${inner}, onDone: over, onError: over } }
  over: { type: final }
`;
  await flows.publish([
    { path: 'check.flow.yaml', text: asking },
    { path: 'order.flow.yaml', text: starting },
  ]);
  const key = `${tag}-order`;
  await flows.startPublished(outer, key, {});
  const child = await vi.waitUntil(async () => {
    const { items } = await read<ProcessPage>(`/v1/processes?${query({ flow: inner })}`);
    return items.find(({ parent, summary }) => parent === key && summary !== null);
  }, patience);
  // Of these two alone: others start hundreds of processes at the same time.
  const both = await vi.waitUntil(async () => {
    const { items } = await read<ProcessPage>(`/v1/processes?${query({ find: key })}`);
    return items.length === 2 && items;
  }, patience);
  expect(both).toMatchObject([
    { key, parent: null, flowName: `Order${tag}` },
    { key: child.key, parent: key },
  ]);
  const rowOf = async () =>
    (await read<ProcessPage>(`/v1/processes?${query({ flow: inner, waitsForAnswer: 'true' })}`)).items[0];
  expect(await vi.waitUntil(rowOf, patience)).toMatchObject({
    key: child.key,
    // The end of its wait is its deadline.
    summary: { states: [{ words: 'Checking' }], until: expect.any(String) },
  });
  const counts = () => read<ProcessCounts>(`/v1/counts?${query({ flow: inner })}`);
  await vi.waitUntil(async () => (await counts()).waitsForAnswer === 1, patience);
  await vi.waitUntil(async () => (await counts()).due === 1, patience);
  await flows.fileHandle(child.key).answer({ question: 'check', by: 'anna', values: { note: 'yes' } });
  await vi.waitUntil(async () => {
    const { open, waitsForAnswer, ended } = await counts();
    return open === 0 && waitsForAnswer === 0 && ended === 1;
  }, patience);
});

const shelf = `Shelf${tag}`;

/** As soon as all is known. */
const figures = async (): Promise<FlowFigures | undefined> => {
  const { items } = await read<FlowFiguresView>('/v1/overview/flows');
  return items.find(({ flow, isWhole }) => flow === shelf && isWhole);
};

const found = (wanted: Readonly<Record<string, string>>) =>
  read<ProcessPage>(`/v1/processes?${new URLSearchParams({ flow: shelf, ...wanted })}`);

test('each number of a flow and of its stages is the number of processes that its list finds', async () => {
  const { flows, client } = installation();
  await flows.publish([
    { path: 'shelf.flow.yaml', text: shelfFile(shelf, 'Keeps a parcel until somebody fetches it.') },
  ]);
  expect(await vi.waitUntil(figures, patience)).toMatchObject({
    title: shelf.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' '),
    open: 0,
    failed: 0,
    median: null,
    isQuiet: true,
    version: 1,
  });
  const events: Readonly<Record<string, readonly string[]>> = {
    a: [],
    b: [],
    c: ['called'],
    d: ['called', 'spoken'],
    e: ['called', 'spoken'],
    f: ['lost'],
    g: ['fetched'],
    h: [],
  };
  await beginEach({ flows }, [shelf, shelf], events);
  await client.workflow.getHandle(`${shelf}-h`).terminate();

  const known = await vi.waitUntil(async () => {
    const now = await figures();
    return now?.open === 6 && now.failed === 1 && now.median && now.started?.at(-1) === 8 && now;
  }, patience);
  expect(known).toMatchObject({ needsPerson: 0, overdue: 0, median: { of: 1 }, isQuiet: false });
  expect(known.median?.ms).toBeGreaterThan(0);
  expect(known.started).toEqual([...Array.from({ length: 13 }, () => 0), 8]);
  expect((await found({})).count).toBe(6);
  expect((await found({ state: 'failed', endedWithin: '168' })).count).toBe(1);

  const status = await vi.waitUntil(async () => {
    const now = await read<FlowStages>(`/v1/flows/${shelf}/status`);
    return now.asked === 6 && now.states['calling.promised'] === 2 && now;
  }, patience);
  expect(status.lanes).toEqual([
    {
      title: null,
      stages: [
        { path: 'kept', title: 'Kept', count: 2 },
        { path: 'calling', title: 'Its receiver is called', count: 3 },
        { path: 'missing', title: 'Missing', count: 1 },
      ],
    },
    {
      title: 'Its receiver is called',
      stages: [
        { path: 'calling.ringing', title: 'Ringing', count: 1 },
        { path: 'calling.promised', title: 'Promised', count: 2 },
      ],
    },
  ]);
  for (const { path, count } of status.lanes.flatMap(({ stages }) => stages)) {
    const { items, count: rows } = await found({ stage: path });
    expect([path, rows, items.length]).toEqual([path, count, count]);
  }
  const keysIn = async (more: Readonly<Record<string, string>>) =>
    (await found({ stage: 'calling', ...more })).items.map(({ key }) => key.slice(-1)).sort();
  expect(await keysIn({})).toEqual(['c', 'd', 'e']);
  expect(await keysIn({ find: `${shelf}-d` })).toEqual(['d']);
  expect(await keysIn({ state: 'failed' })).toEqual([]);
  expect(await keysIn({ sort: 'deadline' })).toEqual(['c', 'd', 'e']);

  // Page by page, each of them once.
  const first = await found({ stage: 'calling', size: '2' });
  expect(first.items).toHaveLength(2);
  const second = await found({ stage: 'calling', size: '2', cursor: first.next ?? '' });
  expect([second.items.length, second.next]).toEqual([1, null]);
  expect(new Set([...first.items, ...second.items].map(({ key }) => key)).size).toBe(3);
});

test('the median of an even number lies between the two in the middle', () => {
  expect(medianOf([])).toBeNull();
  expect(medianOf([5, 1, 100])).toEqual({ ms: 5, of: 3 });
  expect(medianOf([4, 1, 100, 2])).toEqual({ ms: 3, of: 4 });
});
