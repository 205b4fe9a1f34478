// A process of a flow file and the flow that it has started are one case, with everything real: badge, what to do, actions, items
// left and timeline are of both, while the child is open and after its end.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ProcessDetails } from '../../../console/process/process-view.ts';
import { type CaseHistory, historyOfCase } from '../../../processes/views/case-history.ts';
import { ProcessReader } from '../../../processes/views/shown-process.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { issueRequest, type Name, readAs, useConsoleOf } from '../console-world.ts';
import { useInstallationAlone } from '../installation-alone.ts';

const installation = useInstallationAlone(ourService);
const server = useConsoleOf(installation, () => installation().temporalAddress);
const patience = { timeout: 60_000, interval: 100 };

const lending = (name: string, pupUid: string) => `
name: ${name}
meaning: Lends a device, and goes on when the loan has ended.
initial: lending
states:
  lending:
    invoke:
      id: loan
      src: Issue
      input:
        deadlines: { issue: { dropOff: PT1S } }
        request: ${JSON.stringify({ ...issueRequest, pupUid })}
      onDone: after
      onError: after
  after: { on: { closed: over } }
  over: { type: final }
`;

async function begun() {
  const { people, flows } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const flow = `Lending${randomUUID().replaceAll('-', '').slice(0, 8)}`;
  await flows.publish([{ path: 'lending.flow.yaml', text: lending(flow, pupUid) }]);
  const key = `lending-${randomUUID()}`;
  await flows.startPublished(flow, key, {});
  const path = `/v1/processes/${encodeURIComponent(key)}`;
  const details = (name: Name = 'bram') => readAs<ProcessDetails>(server(), name, `${path}/details`);
  const history = () => readAs<CaseHistory>(server(), 'bram', `${path}/history`);
  return { pupUid, key, child: `${key}/loan`, details, history };
}

const isOverdue = ({ overview }: ProcessDetails) => overview.status.words === 'Overdue';

test('the page of a process takes over the badge, what to do and the actions of the flow that it has started', async () => {
  const { child, details, history } = await begun();
  const overdue = await vi.waitUntil(async () => {
    const read = await details();
    return isOverdue(read) && read;
  }, patience);
  expect(overdue.progress).toMatchObject({ phase: 'Open' });
  expect(overdue.overview).toMatchObject({
    todo: expect.stringMatching(
      /^Delivery: Put the item into locker .+; or extend the deadline, or cancel\.$/,
    ),
    primary: `${child}:extend`,
  });
  const theirs = overdue.actionForms.filter(({ of }) => of?.key === child);
  expect(theirs.map(({ command }) => command)).toEqual(expect.arrayContaining(['extend', 'shorten']));
  const extend = theirs.find(({ command }) => command === 'extend');
  expect(extend).toMatchObject({
    label: 'Extend a deadline: Delivery',
    of: { flow: 'Issue', title: 'Delivery' },
  });
  // Who only looks is offered nothing.
  const seen = await details('anna');
  expect(seen.actionForms.filter(({ of }) => of !== undefined)).toEqual([]);
  expect(seen.overview.primary).toBeNull();

  const cookie = await server().cookieOf('bram');
  const body = {
    ...extend?.request.body,
    role: 'issue',
    stage: 'dropOff',
    extendBy: 'P2D',
    why: 'she is ill',
  };
  expect((await server().post(extend?.request.path ?? '', body, { cookie })).status).toBe(200);
  await vi.waitUntil(async () => !isOverdue(await details()), patience);

  const { happened, unread } = await history();
  expect(unread).toEqual([]);
  const times = happened.map(({ at }) => at ?? '');
  expect(times).toEqual(times.toSorted());
  const [first] = happened;
  expect(first?.of).toBeUndefined();
  const extended = happened.find(({ why }) => why === 'she is ill');
  expect(extended).toMatchObject({ of: { key: child, title: 'Delivery' }, undo: expect.anything() });
});

test('what is left and what happened stay with the process after its child has ended', async () => {
  const { people, flows } = installation();
  const { pupUid, child, details, history } = await begun();
  const handle = flows.handle(child);
  const shipmentUid = await vi.waitUntil(async () => {
    const [shipment] = (await details()).lockers;
    return shipment?.shipmentUid;
  }, patience);
  await people.dropOff(shipmentUid);
  const isInside = async () =>
    ((await handle.progress()) as { shipments: Record<string, { stateCode: string }> }).shipments.issue
      ?.stateCode === 'ReadyForPickup';
  await vi.waitUntil(isInside, patience);
  await handle.cancel();
  const ended = await vi.waitUntil(async () => {
    const read = await details();
    return read.overview.todo !== null && read.children.some(({ isOpen }) => !isOpen) && read;
  }, patience);
  expect(ended.status).toBe('Running');
  const { where, wrong, todo } = ended.overview;
  expect(where.map(({ words }) => words)).toEqual([expect.stringMatching(/^Left in locker/)]);
  expect(wrong).toEqual([expect.stringMatching(/^An item was left in locker/)]);
  expect(todo).toContain('Delivery: Fetch the item');
  expect((await history()).happened.filter(({ of }) => of?.key === child).length).toBeGreaterThan(2);

  const { items } = await people.call('GetLockers', {
    pageNo: 1,
    pageSize: 1,
    pupUid,
    lockerState: ['ToBeEmptied'],
  });
  const [{ lockerUid }] = items as [{ lockerUid: string }];
  await people.call('SetLockerEmptied', { lockerUid });
  await expect.poll(async () => (await details()).overview.todo).toBeNull();
});

test('who may not read the flow of a child does not read its history', async () => {
  const { client, flows, taskQueue } = installation();
  const { key, details } = await begun();
  await vi.waitUntil(async () => (await details()).lockers.length > 0, patience);
  const temporal = { client, flows, taskQueue };
  const reader = new ProcessReader(temporal);
  const rowsFor = async (mayRead: (flow: string) => boolean) => {
    const rights = { mayRead, mayReadAnswers: mayRead };
    const { happened } = await historyOfCase(temporal, reader, await reader.read(key), rights);
    return happened.filter(({ of }) => of !== undefined);
  };
  expect((await rowsFor(() => true)).length).toBeGreaterThan(0);
  expect(await rowsFor((flow) => flow !== 'Issue')).toEqual([]);
});
