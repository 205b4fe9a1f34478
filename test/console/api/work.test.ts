// Work is the whole day: late cases and starts that failed, several of one cause as one entry; each ends when its situation ends.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { WorkView } from '../../../processes/inbox/inbox-entry.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, type Name, readAs, useConsoleOf } from '../console-world.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const patience = { timeout: 60_000, interval: 200 };
const tag = randomUUID().slice(0, 8);

async function work(name: Name = 'bram') {
  const { entries } = await readAs<WorkView>(server(), name, '/v1/inbox/entries');
  const isOurs = ({ id, key, many }: WorkView['entries'][number]) =>
    [id, key, ...(many?.keys ?? [])].some((each) => each?.includes(tag));
  return entries.filter(isOurs);
}

const post = async (path: string, body: object) => {
  const cookie = await server().cookieOf('bram');
  const answer = await server().post(path, body, { cookie });
  expect(answer.status).toBe(200);
};

test('starts that failed because a wall is full are one entry, which ends once they are started again', async () => {
  const { flows, people } = installation();
  const pupUid = `pup-full-${tag}`;
  await people.newPickUpPoint(pupUid, 1);
  const details = { referenceNo: `R-${tag}`, description: 'Kettle' };
  const start = (key: string) => flows.start('Issue', key, { request: { ...issueRequest, pupUid, details } });
  const first = await start(`${tag}-has-it`);
  await vi.waitUntil(async () => (await first.progress()).shipments.issue, patience);
  const keys = [1, 2, 3].map((number) => `${tag}-full-${number}`);
  for (const key of keys) await (await start(key)).result().catch(() => undefined);
  const [entry] = await vi.waitUntil(async () => {
    const all = await work();
    return all.length === 1 && all[0]?.many?.keys.length === 3 && all;
  }, patience);
  expect(entry).toMatchObject({
    kind: 'failedStart',
    group: 'today',
    pupUid,
    title: expect.stringMatching(/^3 starts failed at pup-full/),
    many: {
      remedy: 'startAgain',
      abouts: { [`${tag}-full-1`]: { people: [{ name: 'Anna Jansen' }], item: `Kettle (R-${tag})` } },
    },
  });
  expect((await work('anna'))[0]?.many).not.toHaveProperty('abouts');
  // Nothing is booked that could tell it.
  const { items } = await readAs<ProcessPage>(server(), 'bram', `/v1/processes?state=failed&find=${keys[0]}`);
  expect(items).toMatchObject([{ key: keys[0], pickUpPoint: pupUid, about: { item: `Kettle (R-${tag})` } }]);
  // Whoever waits for the first one has waited since its first try.
  const [again = ''] = keys;
  const { closeTime } = await installation().client.workflow.getHandle(again).describe();
  await post(`/v1/processes/${again}/commands/startAgain`, { why: 'perhaps one is free' });
  await vi.waitUntil(async () => {
    const { runId, status } = await installation().client.workflow.getHandle(again).describe();
    return status.name === 'FAILED' && runId !== items[0]?.runId;
  }, patience);
  await vi.waitFor(async () => {
    const [after] = await work();
    expect(after?.many?.keys).toHaveLength(3);
    expect(after?.since).toBe(closeTime?.toISOString());
  }, patience);
  const change = { request: { pupUid: 'pup-central' } };
  const startElsewhere = (key: string) =>
    post(`/v1/processes/${key}/commands/startAgain`, { why: 'the wall is full', change });
  await Promise.all(keys.slice(1).map(startElsewhere));
  await vi.waitFor(async () => {
    const [only] = await work();
    expect(only?.key).toBe(again);
    expect(only?.why).toMatch(/ 2 tries, the first /);
    expect(only?.why).toContain(closeTime?.toISOString());
  }, patience);
  await startElsewhere(again);
  await vi.waitUntil(async () => (await work()).length === 0, patience);
});

test('a late case is an entry until its deadline is extended; for whom it is those see who may act', async () => {
  const { flows } = installation();
  const key = `${tag}-late`;
  const input = {
    request: { ...issueRequest, details: { referenceNo: `R-${tag}`, description: 'Skates' } },
    deadlines: { issue: { dropOff: 'PT1S' } },
    onOverdue: 'wait' as const,
  };
  const handle = await flows.start('Issue', key, input);
  await vi.waitUntil(async () => (await handle.progress()).overdue.length > 0, patience);
  const [entry] = await vi.waitUntil(async () => {
    const all = await work();
    return all[0]?.about?.people[0]?.name && all;
  }, patience);
  expect(entry).toMatchObject({
    kind: 'late',
    group: 'today',
    title: 'The desk puts it in: late',
    key,
    about: { people: [{ userUid: 'user-anna', name: 'Anna Jansen' }], item: `Skates (R-${tag})` },
  });
  // Nobody is asked what keeps them: it is the desk.
  expect(entry?.toDo).toMatch(/^Put the item into locker \S+; or extend the deadline, or cancel\.$/);
  expect(entry?.actions.map(({ id }) => id)).toEqual([expect.stringMatching(/^open:/), 'extend', 'cancel']);
  expect(await work('anna')).toMatchObject([{ about: null }]);
  const fields = { role: 'issue', stage: 'dropOff', extendBy: 'P1D', why: 'she is ill' };
  await post(`/v1/processes/${key}/commands/extend`, fields);
  await vi.waitUntil(async () => (await work()).length === 0, patience);
});
