// The numbers of a flow, with everything real behind them: each is the number of rows to which the page links.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FlowFigures, FlowFiguresView, FlowStages } from '../../../console/flows/flows-view.ts';
import { medianOf } from '../../../processes/views/overview/flow-figures.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { useInstallationAlone } from '../installation-alone.ts';
import { codeOf, demoToken, type Program, programOf } from './program.ts';

const installation = useInstallationAlone(ourService);
const patience = { timeout: 60_000, interval: 200 };
let server: TestConsole;
let program: Program;
beforeAll(async () => {
  server = await newConsoleOf(installation());
  program = programOf(server.address, await demoToken(installation().service.address));
});
afterAll(() => server?.[Symbol.asyncDispose]());

const name = `Shelf${randomUUID().slice(0, 8)}`;
const file = `name: ${name}
meaning: Keeps a parcel until somebody fetches it.
initial: kept
states:
  kept: { on: { called: calling, lost: missing, fetched: over } }
  calling:
    title: Its receiver is called
    initial: ringing
    states:
      ringing: { on: { spoken: promised } }
      promised: {}
    on: { fetched: over }
  missing: { on: { fetched: over } }
  over: { type: final }
`;

async function read<View>(path: string): Promise<View> {
  const answer = await fetch(`${server.address}${path}`, {
    headers: { cookie: await server.cookieOf('anna') },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as View;
}

/** As soon as all is known. */
const figures = async (): Promise<FlowFigures | undefined> => {
  const { items } = await read<FlowFiguresView>('/v1/overview/flows');
  return items.find(({ flow, isWhole }) => flow === name && isWhole);
};

const found = (wanted: Readonly<Record<string, string>>) =>
  read<ProcessPage>(`/v1/processes?${new URLSearchParams({ flow: name, ...wanted })}`);

test('each number of a flow and of its stages is the number of processes that its list finds', async () => {
  const { flows, client } = installation();
  await flows.publish([{ path: 'shelf.flow.yaml', text: file }]);
  expect(await vi.waitUntil(figures, patience)).toMatchObject({
    ...{ title: name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' '), open: 0, failed: 0, median: null },
    ...{ isQuiet: true, version: 1 },
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
  for (const [letter, types] of Object.entries(events)) {
    const handle = flows.fileHandle(`${name}-${letter}`);
    await flows.startPublished(name, `${name}-${letter}`, {});
    for (const type of types) await handle.tell({ type, id: `${letter}-${type}` });
  }
  await client.workflow.getHandle(`${name}-h`).terminate();

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
    const now = await read<FlowStages>(`/v1/flows/${name}/status`);
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
  expect(await keysIn({ find: `${name}-d` })).toEqual(['d']);
  expect(await keysIn({ state: 'failed' })).toEqual([]);
  expect(await keysIn({ sort: 'deadline' })).toEqual(['c', 'd', 'e']);

  // Page by page, each of them once.
  const first = await found({ stage: 'calling', size: '2' });
  expect(first.items).toHaveLength(2);
  const second = await found({ stage: 'calling', size: '2', cursor: first.next ?? '' });
  expect([second.items.length, second.next]).toEqual([1, null]);
  expect(new Set([...first.items, ...second.items].map(({ key }) => key)).size).toBe(3);
});

test('what is wrong with a search by stage, and with the end of a day, is said', async () => {
  for (const path of ['/v1/processes?stage=kept', '/v1/overview/flows?dayEnds=2031-05-01T00:00:00Z'])
    expect([path, codeOf(await program.get(path))]).toEqual([path, '400 InvalidRequest']);
});

test('the median of an even number lies between the two in the middle', () => {
  expect(medianOf([])).toBeNull();
  expect(medianOf([5, 1, 100])).toEqual({ ms: 5, of: 3 });
  expect(medianOf([4, 1, 100, 2])).toEqual({ ms: 3, of: 4 });
});
