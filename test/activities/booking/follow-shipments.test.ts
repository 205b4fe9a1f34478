// @module-tag invariant
// How the callbacks of a booking find its flow, and who is told of it: by ids alone, and without a workflow more where a case
// number leads to the flow.
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { examples } from '../../../contract/operations/examples.ts';
import type { BookInput } from '../../../flows/booking/activities.ts';
import { followersOf } from '../../../shared/routing/followers.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import {
  type Harness,
  issueInput,
  issueRequest,
  leg,
  listing,
  shipmentRecord,
  startTestApi,
  succeeded,
  useActivityWorker,
} from '../activity-harness.ts';

const harness = useActivityWorker();
const withListing = { LOCKER_CAPABILITIES: 'getShipments' };
const issue = 'CreateLocalShipmentAsIssue';
const fromStock = 'CreateLocalShipmentAsIssueFromStock';
const afterSwap = 'CreateLocalShipmentAsStockAfterSwapIntake';

/** Books under the key of the workflow that calls the activity. */
async function books(at: Harness, input: (workflowId: string) => Partial<BookInput>): Promise<string> {
  const workflowId = randomUUID();
  const given = issueInput({ workflowId, idempotencyKey: workflowId, ...input(workflowId) });
  await (await at.start('book', given, {}, workflowId)).result();
  return workflowId;
}

const keeperOf = ({ client }: Harness, uid: string) => client.workflow.getHandle(unmatchedId(uid));
const memoOf = async (at: Harness, uid: string) => (await keeperOf(at, uid).describe()).memo;

describe('a booked shipment', () => {
  const bookedAs = async (referenceCaseNo: string | null) => {
    const uid = `shipment-${randomUUID()}`;
    const { api } = await startTestApi({ [issue]: succeeded(issue, { shipmentUids: [uid] }) });
    const at = harness(api);
    const workflowId = await books(at, () => ({
      legs: [leg('issue', 'details')],
      input: {
        request: { ...issueRequest, ...(referenceCaseNo !== null && { details: { referenceCaseNo } }) },
      },
    }));
    return { at, uid, workflowId };
  };

  it('with the key of its flow as its case number costs no workflow', async () => {
    const { at, uid } = await bookedAs(null);
    await expect(keeperOf(at, uid).describe()).rejects.toThrow(WorkflowNotFoundError);
  });

  it('with a case number of the caller has the key of its flow left under its uid', async () => {
    const { at, uid, workflowId } = await bookedAs(`case ${randomUUID()}`);
    expect(await memoOf(at, uid)).toEqual({ followedBy: [workflowId], runId: expect.any(String) });
  });

  it('gets what was kept of it before', async () => {
    const uid = `shipment-${randomUUID()}`;
    const { api } = await startTestApi({ [issue]: succeeded(issue, { shipmentUids: [uid] }) });
    const at = harness(api);
    const { taskQueue, client } = at;
    const keeper = await client.workflow.start('UnmatchedCallback', {
      workflowId: unmatchedId(uid),
      taskQueue,
    });
    const workflowId = await books(at, () => ({ legs: [leg('issue', 'details')] }));
    expect(await keeper.query('followers')).toEqual([[workflowId]]);
    expect(await followersOf(client, uid)).toEqual([]);
    await keeper.terminate();
  });
});

describe('the flow that followed the prior shipment', () => {
  const takenOver = (prior: string, given: object = {}): Partial<BookInput> => ({
    operation: fromStock,
    legs: [leg('issue', 'issue', { isPrior: true })],
    deadlines: [],
    takesOver: true,
    input: { request: { priorShipmentUid: prior, toUserUid: 'user-anna', ...given } },
  });
  const shared = (prior: string): Partial<BookInput> => ({
    operation: afterSwap,
    legs: [
      leg('intake', null, { isPrior: true }),
      leg('stock', 'details', { follows: { role: 'intake', link: 'swap' } }),
    ],
    deadlines: [],
    input: { request: { ...examples[afterSwap].request, priorShipmentUid: prior, details: {} } },
  });
  /** A flow with the case number of the prior as its key, which no search finds. */
  const formerOf = async (given: (prior: string) => Partial<BookInput>, replies: object) => {
    const prior = `prior-${randomUUID()}`;
    const former = `former-${randomUUID()}`;
    const { api } = await startTestApi({
      ...replies,
      [fromStock]: succeeded(fromStock, { shipmentUids: [prior] }),
      [afterSwap]: succeeded(afterSwap, { shipmentUids: [prior, `stock-${prior}`] }),
      GetShipments: listing(shipmentRecord({ shipmentUid: prior, referenceCaseNo: former, toUserUid: null })),
    });
    const at = harness(api, withListing);
    await at.client.workflow.start('Stock', {
      workflowId: former,
      taskQueue: at.taskQueue,
      // It still books.
      args: [{ shipmentUids: [] }],
    });
    const workflowId = await books(at, () => given(prior));
    const heard = await at.client.workflow.getHandle(former).query('heard');
    return { at, prior, former, workflowId, heard };
  };

  it('is known by the case number that the booking replaces, and is told', async () => {
    const { at, prior, workflowId, heard } = await formerOf((uid) => takenOver(uid), {});
    const told = { shipmentUid: prior, byWorkflowId: workflowId };
    expect(heard).toMatchObject({ superseded: [told], alsoFollowed: [] });
    await expect(keeperOf(at, prior).describe()).rejects.toThrow(WorkflowNotFoundError);
  });

  it('is told too where the stock keeps its case number, and the new one is left under its uid', async () => {
    const { at, prior, workflowId, heard } = await formerOf((uid) => takenOver(uid, { issue: null }), {});
    const told = { shipmentUid: prior, byWorkflowId: workflowId };
    expect(heard).toMatchObject({ superseded: [told], alsoFollowed: [] });
    expect(await memoOf(at, prior)).toEqual({ followedBy: [workflowId], runId: expect.any(String) });
  });

  it('is told that another one follows it too where it goes on to follow it', async () => {
    const { at, prior, former, workflowId, heard } = await formerOf(shared, {});
    const told = { shipmentUid: prior, byWorkflowId: workflowId };
    expect(heard).toMatchObject({ superseded: [], alsoFollowed: [told] });
    expect(await memoOf(at, prior)).toEqual({ followedBy: [former, workflowId], runId: expect.any(String) });
    await expect(keeperOf(at, `stock-${prior}`).describe()).rejects.toThrow(WorkflowNotFoundError);
  });
});
