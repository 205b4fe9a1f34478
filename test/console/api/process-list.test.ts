// The list of processes and the numbers above it, with everything real behind them: each number is the number of rows to which the
// page links.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ProcessCounts } from '../../../processes/views/counts.ts';
import type { ExpectedSteps } from '../../../processes/views/expected.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { issueRequest, type Name, readAs, useConsoleOf } from '../console-world.ts';
import { useInstallationAlone } from '../installation-alone.ts';
import { codeOf, useProgram } from './program.ts';

const installation = useInstallationAlone(ourService);
const patience = { timeout: 60_000, interval: 100 };
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

test('it is counted what is expected at lockers, and how much of it soon', async () => {
  await installation().people.newPickUpPoint(pupUid, 6);
  await issue(`${tag}-late`, 'PT1S');
  await issue(`${tag}-hour`, 'PT1H');
  const expected = (minutes: number) => {
    const dueBefore = new Date(Date.now() + minutes * 60_000).toISOString();
    return read<ExpectedSteps>(`/v1/expected?${query({ dueBefore })}`);
  };
  const soon = (dueSoon: number) => ({
    steps: [{ step: 'deskPutsIn', open: 2, dueSoon }],
    isComplete: true,
  });
  await vi.waitFor(async () => expect(await expected(30)).toEqual(soon(1)), patience);
  expect(await expected(90)).toEqual(soon(2));
  // Each number leads to the list of just those, what is due first.
  const listed = async (step: string) => {
    const { items, count, unknown, sorted } = await read<ProcessPage>(`/v1/processes?${query({ step })}`);
    return { keys: items.map(({ key }) => key), count, unknown, sorted };
  };
  const both = [`${tag}-late`, `${tag}-hour`];
  expect(await listed('deskPutsIn')).toEqual({ keys: both, count: 2, unknown: 0, sorted: 'due' });
  expect(await listed('pickUp')).toMatchObject({ keys: [], count: 0 });
});

test('counts are of what is searched for, and a search narrows the list', async () => {
  const counts = await vi.waitUntil(async () => {
    const now = await read<ProcessCounts>(`/v1/counts?${query({ pickUpPoint: pupUid })}`);
    return now.open === 2 && now.overdue === 1 && now;
  }, patience);
  expect(counts).toMatchObject({ open: 2, needsPerson: 0, waitsForAnswer: 0, failed: 0, ended: 0 });
  const keys = async (more: Readonly<Record<string, string>>) => {
    const page = await read<ProcessPage>(`/v1/processes?${query({ pickUpPoint: pupUid, ...more })}`);
    return page.items.map(({ key }) => key.slice(tag.length + 1));
  };
  expect(await keys({ phase: 'Overdue' })).toEqual(['late']);
  expect(await keys({ state: 'failed' })).toEqual([]);
  expect(await keys({ waitsForAnswer: 'true' })).toEqual([]);
  const { items } = await read<ProcessPage>(`/v1/processes?${query({ find: `${tag}-hour` })}`);
  expect(items).toMatchObject([
    {
      flowName: 'Delivery',
      parent: null,
      summary: { states: [{ words: expect.stringMatching(/^Delivery to be dropped off, locker /) }] },
    },
  ]);
  expect(codeOf(await program().get('/v1/counts?olderThan=long'))).toBe('400 InvalidRequest');
  for (const narrowed of ['state=closed&withThem=true', 'state=failed&step=pickUp'])
    expect(codeOf(await program().get(`/v1/processes?${narrowed}`))).toBe('400 InvalidRequest');
});

test('a process that another has started names it; one that asks something waits for an answer, until its end', async () => {
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
  const parents = both.map((each) => [each.key, each.parent, each.flowName]);
  expect(new Set(parents)).toEqual(
    new Set([
      [key, null, `Order${tag}`],
      [child.key, key, child.flowName],
    ]),
  );
  const ofCase = () => read<ProcessCounts>(`/v1/counts?${query({ find: key })}`);
  await vi.waitUntil(async () => (await ofCase()).waitsForAnswer === 1, patience);
  expect(await ofCase()).toMatchObject({ open: 1, needsUs: 1, ended: 0 });
  const rowOf = async () =>
    (await read<ProcessPage>(`/v1/processes?${query({ flow: inner, waitsForAnswer: 'true' })}`)).items[0];
  expect(await vi.waitUntil(rowOf, patience)).toMatchObject({
    key: child.key,
    // The end of its wait is its deadline.
    summary: { states: [{ words: 'Checking' }], until: expect.any(String) },
  });
  const counts = () => read<ProcessCounts>(`/v1/counts?${query({ flow: inner })}`);
  await vi.waitUntil(async () => (await counts()).waitsForAnswer === 1, patience);
  await flows.fileHandle(child.key).answer({ question: 'check', by: 'anna', values: { note: 'yes' } });
  await vi.waitUntil(async () => {
    const { open, waitsForAnswer, ended } = await counts();
    return open === 0 && waitsForAnswer === 0 && ended === 1;
  }, patience);
  await vi.waitUntil(async () => (await ofCase()).ended === 1, patience);
  const closed = { find: key, state: 'closed' };
  const ended = (more: object) => read<ProcessPage>(`/v1/processes?${query({ ...closed, ...more })}`);
  expect((await ended({})).count).toBe(2);
  expect((await ended({ parts: 'false' })).items.map((each) => each.key)).toEqual([key]);
});

test('what was started again has not failed any more: no number counts it, and no list of failed ones has it', async () => {
  const { flows } = installation();
  const key = `${tag}-again`;
  const there = `again-${tag}`;
  await installation().people.newPickUpPoint(there, 1);
  const start = (at: string) =>
    flows.start('Issue', key, { request: { ...issueRequest, pupUid: at } } as never);
  await expect((await start(`nowhere-${tag}`)).result()).rejects.toThrow();
  const counts = () => read<ProcessCounts>(`/v1/counts?${query({ find: key })}`);
  const failed = () => read<ProcessPage>(`/v1/processes?${query({ find: key, state: 'failed' })}`);
  await vi.waitUntil(async () => (await counts()).failed === 1, patience);
  expect(await failed()).toMatchObject({ count: 1, next: null, items: [{ key, startedAgain: false }] });
  await start(there);
  await vi.waitUntil(async () => (await counts()).open === 1, patience);
  expect(await counts()).toMatchObject({ open: 1, failed: 0, ended: 1 });
  expect(await vi.waitUntil(async () => (await failed()).count === 0, patience)).toBe(true);
});
