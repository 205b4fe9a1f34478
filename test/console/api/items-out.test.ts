// A loan that is cancelled while its borrower has the item: the preview says so, Work keeps it, and a person says what became of it.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { FlowCancelled } from '../../../client/flow-errors.ts';
import type { ItemView } from '../../../console/find/person-view.ts';
import type { ProcessDetails } from '../../../console/process/process-view.ts';
import type { WorkView } from '../../../processes/inbox/inbox-entry.ts';
import type { LogPage } from '../../../processes/log/log.ts';
import type { CaseHistory } from '../../../processes/views/case-history.ts';
import type { ProcessPage } from '../../../processes/views/process-list.ts';
import { run } from '../../cli/lockerflow-program.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { issueRequest, readAs, useConsoleOf } from '../console-world.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const patience = { timeout: 60_000, interval: 50 };

/** With its item taken out, or still in its locker. */
async function loan({ isTakenOut = true, details = {} } = {}) {
  const { flows, people } = installation();
  const key = `loan-${randomUUID()}`;
  const { toUserUid } = issueRequest;
  const request = { toUserUid, priorShipmentUid: await people.newStock(details) };
  const flow = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
  const handle = await flows.start(flow, key, { request });
  const shipments = await vi.waitUntil(async () => {
    const progress = await handle.progress().catch(() => undefined);
    return progress?.shipments.intake && progress.shipments;
  }, patience);
  const { issue, intake } = shipments;
  if (isTakenOut) await people.pickUp(`${issue?.shipmentUid}`);
  await vi.waitUntil(async () => {
    const { shipments: now } = await handle.progress();
    return !isTakenOut || now.intake?.stateCode === 'ReadyForDropoff';
  }, patience);
  return { key, handle, intake: `${intake?.shipmentUid}` };
}

const headers = async () => ({ cookie: await server().cookieOf('bram') });
const posts = async (path: string, body: object) => {
  const answer = await server().post(path, body, await headers());
  return { status: answer.status, body: (await answer.json()) as { words?: string; code?: string } };
};
const work = async () => {
  const answer = await fetch(`${server().address}/v1/inbox/entries`, { headers: await headers() });
  return ((await answer.json()) as WorkView).entries.filter(({ kind }) => kind === 'itemOut');
};

const overviewOf = async (key: string) => {
  const answer = await fetch(`${server().address}/v1/processes/${key}/details`, { headers: await headers() });
  return ((await answer.json()) as ProcessDetails).overview;
};

test('it says that nobody waits for the item any more, and Work keeps it until it is back', async () => {
  const { key, handle, intake } = await loan();
  const preview = await posts(`/v1/processes/${key}/commands/cancel?dryRun=true`, { why: 'moved' });
  expect(preview.body.words).toContain('the item of the return stays with whoever has it');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  const [entry] = await vi.waitUntil(async () => {
    const entries = await work();
    return entries.length > 0 && entries;
  }, patience);
  expect(entry).toMatchObject({ key, shipmentUid: intake, actions: [{ id: 'Back' }, { id: 'WrittenOff' }] });
  // Who opens the case itself is not told that all is well.
  await vi.waitUntil(async () => (await overviewOf(key)).todo !== null, patience);
  expect(await overviewOf(key)).toMatchObject({
    where: [{ words: 'Still out: nobody has brought it back' }],
    wrong: [expect.stringContaining('nobody waits for it any more')],
    todo: expect.stringContaining('say so here'),
    remedies: [
      { kind: 'act', id: `Back:${intake}` },
      { kind: 'act', id: `WrittenOff:${intake}` },
    ],
  });
  const { path = '', body = {} } = entry?.actions[0]?.request ?? {};
  expect(await posts(path, body)).toMatchObject({ status: 400 });
  expect(await posts(path, { ...body, why: 'she handed it in' })).toMatchObject({ status: 200 });
  await vi.waitUntil(async () => (await work()).length === 0, patience);
  await vi.waitUntil(async () => (await overviewOf(key)).wrong.length === 0, patience);
  expect(await posts(path, { ...body, why: 'again' })).toMatchObject({
    status: 409,
    body: { code: 'AlreadySettled' },
  });
  const kept = await installation().client.workflow.getHandle(`item out:${intake}`).result();
  expect(kept).toMatchObject({ became: 'Back', by: 'bram', why: 'she handed it in' });
});

test('what somebody says of it stands in the case with its timeline, on the page of the item, and in the log', async () => {
  const read = <View>(path: string) => readAs<View>(server(), 'bram', path);
  const referenceNo = `laptop-${randomUUID().slice(0, 8)}`;
  const { key, handle, intake } = await loan({ details: { referenceNo, description: 'Laptop' } });
  const item = () => read<ItemView>(`/v1/items/${referenceNo}`);
  const since = new Date().toISOString();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  await vi.waitUntil(async () => (await work()).some((entry) => entry.key === key), patience);
  expect(await item()).toMatchObject({ now: { isWithPerson: true }, holders: [{ until: null }] });
  const settled = await posts(`/v1/items-out/${intake}/settled`, { became: 'Back', why: 'handed in' });
  expect(settled.status).toBe(200);

  const instant = /\d{4}-\d\d-\d\dT\S+Z/;
  await vi.waitUntil(async () => (await overviewOf(key)).wrong.length === 0, patience);
  const { where, todo } = await overviewOf(key);
  expect([where.length, where[0]?.words, todo]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^Back, said by bram ${instant.source}$`)),
    null,
  ]);
  const { happened } = await read<CaseHistory>(`/v1/processes/${key}/history`);
  const row = { words: 'Bram says that the item is back, because handed in.', isByPeople: true };
  expect(happened.at(-1)).toMatchObject(row);
  const shown = await vi.waitUntil(async () => {
    const now = await item();
    return now.now?.settled && now;
  }, patience);
  const { now, holders, movements } = shown;
  expect(now).toMatchObject({ words: 'Back', isWithPerson: false, settled: { became: 'Back', by: 'bram' } });
  expect(holders).toMatchObject([{ userUid: issueRequest.toUserUid, until: now?.since }]);
  expect(movements[0]).toMatchObject({ words: 'Back, said by bram', shipmentUid: intake });

  const logged = async (more = '') => {
    const { entries } = await read<LogPage>(`/v1/log?since=${since}${more}`);
    return entries.filter(({ data }) => data.type === 'updated' && data.name === 'settle');
  };
  const [entry, ...others] = await vi.waitUntil(async () => {
    const entries = await logged();
    return entries.length > 0 && entries;
  }, patience);
  expect([entry, others]).toMatchObject([
    { kind: 'command', key, by: 'bram', why: 'handed in', flowName: 'Loan', words: row.words },
    [],
  ]);
  expect(entry?.about?.item).toContain(referenceNo);
  expect(await logged('&by=olga')).toEqual([]);
  const { taskQueue } = installation();
  expect((await run(['log', '--since', since], { taskQueue })).out).toContain(row.words);
  expect((await run(['show', key], { taskQueue })).out).toContain(row.words);
});

test('the list has those whose item is with them, until it is brought back', async () => {
  const [{ key, intake }, inside] = [await loan(), await loan({ isTakenOut: false })];
  // Other files have loans in the same Temporal, which no worker answers for.
  const list = (of: string) =>
    readAs<ProcessPage>(server(), 'bram', `/v1/processes?withThem=true&find=${of}`);
  const keys = async (of: string) => (await list(of)).items.map((row) => row.key);
  await expect.poll(() => keys(key), patience).toEqual([key]);
  expect(await keys(inside.key)).toEqual([]);
  const { items, count, sorted, unknown } = await list(key);
  expect([items.length, sorted, unknown]).toEqual([count, 'due', 0]);
  expect(items.every(({ summary }) => summary?.where?.isWithPerson)).toBe(true);
  const { taskQueue } = installation();
  const { startTime } = await installation().client.workflow.getHandle(key).describe();
  const narrowed = ['--started-after', new Date(startTime.getTime() - 1).toISOString()];
  // A case that does not answer in time has no place in it yet.
  const listed = async () => (await run(['list', '--with-them', ...narrowed], { taskQueue })).out;
  await expect.poll(listed, patience).toContain(key);
  expect(await listed()).not.toContain(inside.key);
  await installation().people.dropOff(intake);
  await expect.poll(() => keys(key), patience).toEqual([]);
});

test('an item that was not taken out is not out', async () => {
  const { key, handle } = await loan({ isTakenOut: false });
  const preview = await posts(`/v1/processes/${key}/commands/cancel?dryRun=true`, { why: 'moved' });
  expect(preview.body.words).not.toContain('stays with whoever has it');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  const out = await installation().client.workflow.count(
    `WorkflowType = 'ItemOut' AND ExecutionStatus = 'Running'`,
  );
  expect(out.count).toBe(0);
});

test('it is written off on the command line, and no other item is', async () => {
  const { handle, intake } = await loan();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  const settle = ['item', 'settle', intake, '--became', 'WrittenOff', '--by', 'anna'];
  expect(await run(settle)).toMatchObject({ code: 2 });
  expect(await run([...settle, '--why', 'stolen, reported'])).toMatchObject({
    code: 0,
    out: `${intake}: it is written off\n`,
  });
  const other = ['item', 'settle', 'no-such-shipment', '--became', 'Back', '--by', 'anna', '--why', 'x'];
  expect(await run(other)).toMatchObject({ code: 3 });
});
