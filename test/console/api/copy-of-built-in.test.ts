// A copy of a built-in flow, as users publish one, is as good at the desk as the flow that it was copied from. So is a file that books
// for one after the other.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { ProcessSubject } from '../../../console/process/overview/overview-view.ts';
import type { FlowType } from '../../../contract/flows/flow-types.ts';
import type { JsonObject } from '../../../flows/language/flow-file.ts';
import type { WorkView } from '../../../processes/inbox/inbox-entry.ts';
import { shippedFlow } from '../../../processes/views/flow-registry.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';
import { keyOf, pathOfProcess, patience, processesOf, useProgram } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const program = useProgram(server, installation);
const { until } = processesOf(program);

const suffix = randomUUID().replaceAll('-', '').slice(0, 8);
const copy = `LendDrill${suffix}`;
const recall = `LendDrills${suffix}`;
const own = `Own${suffix}`;

/** As `lockerflow flows Issue --file` prints it, renamed. */
const copyOf = (flow: FlowType, name: string) => ({ ...shippedFlow(flow).file, name });
const many = {
  name: recall,
  meaning: 'Lends several drills.',
  initial: 'lent',
  states: {
    lent: {
      invoke: {
        id: 'drill',
        src: 'each',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a flow file
        input: { of: '${input.drills}', atOnce: 1, do: { src: copy, input: { request: '${item}' } } },
        onDone: 'over',
        onError: 'over',
      },
    },
    over: { type: 'final' },
  },
};

/** A locker for one, and then for another. */
const issueTo = (id: string, toUserUid: string, next: string) => ({
  invoke: {
    id,
    src: 'book',
    input: { operation: 'CreateLocalShipmentAsIssue', request: { ...issueRequest, toUserUid } },
    onDone: next,
    onError: next,
  },
});
const passedOn = `Hold${suffix}`;
const hold = {
  name: passedOn,
  meaning: 'Holds it for one, and then for another.',
  initial: 'first',
  states: {
    first: { ...issueTo('first', 'user-anna', 'second'), on: { passedOn: 'second' } },
    second: issueTo('second', 'user-bram', 'over'),
    over: { type: 'final' },
  },
};

const withOutcome = {
  name: own,
  meaning: 'It is over.',
  initial: 'over',
  states: { over: { type: 'final' } },
  output: { outcome: 'Cancelled' },
};

beforeAll(async () => {
  await installation().flows.publish(
    [copyOf('Issue', copy), many, hold, withOutcome].map((file) => ({
      path: `${file.name}.flow.yaml`,
      text: JSON.stringify(file),
    })),
  );
});

const details = { description: 'Drill', referenceNo: `drill-${suffix}` };
const request = { ...issueRequest, details };

const subjectOf = async (key: string) =>
  (await program().get<ProcessSubject>(pathOfProcess(key, '/subject'))).body;

async function subjectOfBooked(flow: string): Promise<ProcessSubject> {
  const key = keyOf('lend');
  await installation().flows.startNew(flow, key, { request });
  await until(key, ({ progress }) => progress?.bookings[0]?.shipments.issue !== undefined);
  return await subjectOf(key);
}

test('it says whom and what it is for, and who has the item', async () => {
  const subject = await subjectOfBooked(copy);
  expect(subject).toEqual(await subjectOfBooked('Issue'));
  expect(subject).toMatchObject({
    people: [{ role: 'For', userUid: 'user-anna' }],
    item: `Drill (drill-${suffix})`,
    holder: { userUid: 'user-anna' },
  });
});

test('it says so as a part that has not begun, too', async () => {
  const key = keyOf('recall');
  const drills: JsonObject[] = [request, { ...request, details: { description: 'Saw' } }];
  await installation().flows.startPublished(recall, key, { request: { drills } });
  await until(key, ({ progress }) => progress?.batches?.[0]?.open.length === 1);
  const { parts } = await subjectOf(key);
  expect(parts.map(({ item, people }) => [item, people[0]?.userUid])).toEqual([
    [`Drill (drill-${suffix})`, 'user-anna'],
    ['Saw', 'user-anna'],
  ]);
});

test('a case that was passed on is for whom it books now, on its page and in the list', async () => {
  const key = keyOf('hold');
  const peopleOf = async () => {
    const { body: page } = await program().get<ProcessPage>(`/v1/processes?flow=${passedOn}`);
    const row = page.items.find((each) => each.key === key);
    const { people } = await subjectOf(key);
    return [people.map(({ userUid }) => userUid), row?.about?.people.map(({ userUid }) => userUid)];
  };
  await installation().flows.startPublished(passedOn, key, { request: {} });
  await until(key, ({ progress }) => progress?.bookings[0]?.shipments.issue !== undefined);
  await vi.waitFor(async () => expect(await peopleOf()).toEqual([['user-anna'], ['user-anna']]), patience);
  await installation().flows.fileHandle(key).sendEvent({ type: 'passedOn' });
  await until(key, ({ progress }) => progress?.bookings[0]?.activity === 'Ended');
  await vi.waitFor(async () => expect(await peopleOf()).toEqual([['user-bram'], ['user-bram']]), patience);
});

test('`start --wait` ends by its outcome, and not by what another file calls so', async () => {
  const { taskQueue } = installation();
  const start = (flow: string, key: string, input: object) =>
    run(['start', flow, '--key', key, '--input', '-', '--wait'], { taskQueue, input: JSON.stringify(input) });
  const key = keyOf('lend');
  const deadlines = { issue: { dropOff: 'PT1S' } };
  expect(await start(copy, key, { request, deadlines, onOverdue: 'cancel' })).toMatchObject({
    code: 5,
    out: `${copy} ${key} has ended: Overdue\n`,
    err: `lockerflow: ${key} has ended as Overdue\n`,
  });
  const ended = await start(own, keyOf('own'), {});
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('{"outcome":"Cancelled"}') });
});

test('one that gets no locker is in Work as a start that could not begin', async () => {
  const { flows, people } = installation();
  const pupUid = `pup-full-${suffix}`;
  await people.newPickUpPoint(pupUid, 1);
  const there = { request: { ...request, pupUid } };
  await people.call('CreateLocalShipmentAsIssue', there.request);
  const key = keyOf('lend');
  await flows.startPublished(copy, key, there);
  const entry = await vi.waitUntil(async () => {
    const { body } = await program().get<WorkView>('/v1/inbox/entries');
    return body.entries.find((each) => each.key === key);
  }, patience);
  expect(entry).toMatchObject({
    kind: 'failedStart',
    title: expect.stringContaining('could not begin at pup-full'),
  });
});

test('starts by another SDK that failed for what is wrong with each stay apart, and say what to do', async () => {
  const { client, taskQueue } = installation();
  const wrong = [
    { ...request, toUserUid: 3 },
    { ...request, extra: 1 },
    { ...request, extra: 2 },
  ];
  const keys = wrong.map((_, index) => keyOf(`wrong-${index}`));
  for (const [index, each] of wrong.entries())
    await client.workflow.start(copy, {
      ...{ taskQueue, workflowId: keys[index] ?? '' },
      args: [{ request: each }],
    });
  const entries = await vi.waitUntil(async () => {
    const { body } = await program().get<WorkView>('/v1/inbox/entries');
    const own = body.entries.filter((each) => keys.includes(String(each.key)));
    return own.length === keys.length && own;
  }, patience);
  for (const { toDo, why } of entries)
    expect({ toDo, why }).toEqual({
      toDo: 'Start it again with a corrected input.',
      why: expect.stringMatching(/request\.(toUserUid|extra) /),
    });
});
