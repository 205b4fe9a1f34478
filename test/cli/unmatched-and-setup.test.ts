// The verbs for what no flow waits for, and for a namespace that is not set up yet: the real program, a real Temporal.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { examples } from '../../contract/operations/examples.ts';
import { foundPage } from '../../processes/views/found-flows.ts';
import { unmatchedRows } from '../../processes/views/unmatched.ts';
import { keepMessage, keepReport } from '../../shared/routing/keep-unmatched.ts';
import { flowsAtHand, newKey } from '../client/flows-at-hand.ts';
import { connectClient, newNamespace, newTaskQueue, startWorker } from '../support/temporal.ts';
import { reportOf } from '../workflows/outside.ts';
import { commandsIn } from './lockerflow-program.ts';

// The list of what is kept asks each process: those of other files would have no worker any more.
const namespace = await newNamespace();
const { run, runJson } = commandsIn(namespace);
const at = flowsAtHand({}, namespace);
const { taskQueue } = at;
const options = { taskQueue, keepFor: 'P1D' };
const who = ['--by', 'anna', '--why', 'booked by hand'];

interface Listed {
  readonly unmatched: readonly { readonly workflowId: string; readonly input: object }[];
}

async function unmatchedReport(shipmentUid: string): Promise<string> {
  const report = {
    ...reportOf(shipmentUid, 'ReadyForPickup', '2026-05-01T12:00:00'),
    referenceCaseNo: 'case 7',
  };
  const workflowId = await keepReport(at.client, options, report);
  await at.found(`WorkflowId = '${workflowId}' AND ExecutionStatus = 'Running'`, 1);
  return workflowId;
}

const ended = (workflowId: string) => at.client.workflow.getHandle(workflowId).result();

describe('unmatched', () => {
  test('lists all kept callbacks, also under an id that does not show an odd uid, and shows each report', async () => {
    const odd = `"${randomUUID()}\\`;
    const workflowId = await unmatchedReport(odd);
    const { unmatched } = await runJson<Listed>(['unmatched', 'list', '--kind', 'shipment']);
    expect(unmatched).toContainEqual(
      expect.objectContaining({ workflowId, input: { kind: 'shipment', shipmentUid: odd, keepFor: 'P1D' } }),
    );
    const { code, out } = await run(['unmatched', 'show', odd]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('ReadyForPickup since 2026-05-01'),
    });
  });

  test('gives the reports of a shipment to a running flow, unless the flow cannot use them or has ended', async () => {
    const { workflowId: flow, shipmentUid: own } = await at.issue();
    const uid = randomUUID();
    // It may come to know that the shipment is its own.
    const booking = newKey();
    at.unreachable.add(booking);
    await at.flows.start('Issue', booking, { request: examples.CreateLocalShipmentAsIssue.request });
    const workflowId = await unmatchedReport(uid);
    const missing = await run(['unmatched', 'claim', uid, '--to', newKey(), ...who]);
    expect(missing.code).toBe(3);
    expect(await runJson(['unmatched', 'claim', uid, '--to', booking, ...who])).toEqual({
      workflowId,
      claimed: true,
    });
    expect(await ended(workflowId)).toEqual({
      ended: 'Claimed',
      to: [booking],
      by: 'anna',
      why: 'booked by hand',
    });
    expect((await run(['unmatched', 'list'])).out).not.toContain(workflowId);

    const foreign = randomUUID();
    await unmatchedReport(foreign);
    const list = await run(['unmatched', 'list']);
    expect(list.out).toMatch(new RegExp(`shipment ${foreign} .*ReadyForPickup`));
    const unusable = await run(['unmatched', 'claim', foreign, '--to', flow, ...who]);
    expect(unusable).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${flow} has no shipment ${foreign} and cannot use its reports`),
    });
    expect((await run(['unmatched', 'list'])).out).toContain(foreign);

    await at.outside.does(own, 'Cancelled');
    await ended(flow);
    const next = randomUUID();
    await unmatchedReport(next);
    const late = await run(['unmatched', 'claim', next, '--to', flow, ...who]);
    expect(late).toMatchObject({
      code: 1,
      err: expect.stringContaining('has ended; expected a running flow'),
    });
  });

  test('shows none that has ended, although the list that lags behind still calls it running', async () => {
    const [gone, kept] = [await unmatchedReport(randomUUID()), await unmatchedReport(randomUUID())];
    const page = await foundPage(at.client, `WorkflowId IN ('${gone}', '${kept}')`, { size: 2 });
    await runJson(['unmatched', 'drop', gone, ...who]);
    await ended(gone);
    const rows = await unmatchedRows(at, page.flows);
    expect(rows.map(({ workflowId }) => workflowId)).toEqual([kept]);
  });

  test('lists, shows and drops messages of unknown types; who and why are required', async () => {
    const messageType = `Locker\u001b[31mBroken-${randomUUID()}`;
    const message = {
      messageType,
      body: { messageType, part: 'hinge' },
      receivedAt: new Date().toISOString(),
    };
    const workflowId = await keepMessage(at.client, options, message);
    await at.found(`WorkflowId = '${workflowId}'`, 1);
    const list = await run(['unmatched', 'list', '--kind', 'message']);
    expect(list.out).toContain(workflowId);
    expect(list.out).not.toContain('\u001b');
    const { unmatched } = await runJson<Listed>(['unmatched', 'list', '--kind', 'shipment']);
    expect(unmatched.map((each) => each.workflowId)).not.toContain(workflowId);
    expect((await run(['unmatched', 'show', workflowId])).out).toContain('"part":"hinge"');
    expect(await run(['unmatched', 'drop', workflowId])).toMatchObject({ code: 2 });
    const claim = await run([
      'unmatched',
      'claim',
      workflowId,
      '--to',
      (await at.issue()).workflowId,
      ...who,
    ]);
    expect(claim).toMatchObject({ code: 1, err: expect.stringContaining('only reports of a shipment') });
    await runJson(['unmatched', 'drop', workflowId, ...who]);
    expect(await ended(workflowId)).toMatchObject({ ended: 'Dropped', by: 'anna' });
    await at.found(`WorkflowId = '${workflowId}' AND ExecutionStatus = 'Completed'`, 1);
    expect((await run(['unmatched', '--closed', '--kind', 'message'])).out).toContain(workflowId);
  });

  test('changes only unmatched callbacks', async () => {
    const { workflowId } = await at.issue();
    const taken = await run(['unmatched', 'drop', `unmatched:${workflowId}`, ...who]);
    expect(taken.code).toBe(3);
    const nothing = randomUUID();
    expect(await run(['unmatched', 'show', nothing])).toMatchObject({
      code: 3,
      err: `lockerflow: there is no unmatched callback unmatched:${nothing}; see lockerflow unmatched list\n`,
    });
  });
});

// Temporal's number (temporal.api.enums.v1.IndexedValueType).
const KEYWORD = 2;

/** Of a namespace that knows these search attributes alone. */
async function namespaceWith(attributes: Readonly<Record<string, number>>) {
  const namespace = await newNamespace({ hasSearchAttributes: false });
  const { client, close } = await connectClient(undefined, namespace);
  await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
  await close();
  return { namespace, ...commandsIn(namespace) };
}

async function buildsOf(deploymentName: string): Promise<unknown[]> {
  const { namespace } = at.client.options;
  const { workerDeploymentInfo } = await at.client.workflowService.describeWorkerDeployment({
    namespace,
    deploymentName,
  });
  return (workerDeploymentInfo?.versionSummaries ?? []).map(
    ({ deploymentVersion }) => deploymentVersion?.buildId,
  );
}

describe('setup', () => {
  test('registers the missing search attributes once, and reports one with another type', async () => {
    const { namespace, ...there } = await namespaceWith({ LockerCase: KEYWORD });
    const missing = Object.keys(searchAttributes).filter((name) => name !== 'LockerCase');
    expect(await there.runJson(['setup'])).toEqual({ namespace, registered: missing });
    expect(await there.runJson(['setup'])).toEqual({ namespace, registered: [] });
    const unknown = await there.run(['setup', '--current-build-id', 'b1']);
    // 3 with Temporal 1.32, whose answer has the code of what is not found; 1 with versions that have another code.
    expect([1, 3]).toContain(unknown.code);
    expect(unknown.err).toContain('no Worker Deployment found');
  });

  test('waits until Temporal knows that the workers of a build serve what the current build serves', {
    tags: 'long',
  }, async () => {
    const deploymentName = randomUUID();
    const queue = newTaskQueue();
    const workerOf = (buildId: string, taskQueue: string) =>
      startWorker({
        taskQueue,
        namespace,
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName, buildId },
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      });
    const makeCurrent = (buildId: string) =>
      run(['setup', '--current-build-id', buildId, '--deployment', deploymentName]);
    const current = await workerOf('b1', queue);
    await expect.poll(async () => (await makeCurrent('b1')).code).toBe(0);
    await current.stop();
    await at.client.workflow.start('Issue', { taskQueue: queue, workflowId: newKey(), args: [{}] });
    await workerOf('b2', newTaskQueue());
    // Known to Temporal, without the task queue on which there is work.
    await expect.poll(() => buildsOf(deploymentName)).toContain('b2');
    const made = makeCurrent('b2');
    await workerOf('b2', queue);
    expect(await made).toMatchObject({
      code: 0,
      out: expect.stringContaining('b2 is the current version'),
    });
  });

  test('says what to do about a search attribute with another type', async () => {
    const there = await namespaceWith({ LockerShipmentUids: KEYWORD });
    expect(await there.run(['setup'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('expected KeywordList; remove it first'),
    });
  });
});
