// A client and a worker whose flows have an outside in memory, for a file of tests of what stands around the flows.
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, vi } from 'vitest';
import type { FlowActivities } from '../../activities/flow-activities.ts';
import { type UnmatchedActivities, unmatchedActivities } from '../../activities/unmatched-activities.ts';
import type { InputOf } from '../../client/flow-contract.ts';
import type { FlowHandle } from '../../client/flow-handle.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { examples } from '../../contract/operations/examples.ts';
import { ownersOf } from '../support/owners.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
} from '../support/temporal.ts';
import { Outside } from '../workflows/outside.ts';

export interface FlowsAtHand {
  readonly taskQueue: string;
  readonly client: Client;
  readonly flows: LockerFlows;
  readonly outside: Outside;
  /** Bookings of these keys are refused, once. */
  readonly refused: Set<string>;
  /** Bookings of these keys do not reach the service; they are tried again an hour later. */
  readonly unreachable: Set<string>;
  /** A running Issue that is found by its uid. */
  issue(
    input?: Partial<InputOf<'Issue'>>,
    businessKey?: string,
  ): Promise<FlowHandle<FlowResult> & { readonly shipmentUid: string }>;
  /** Resolves when the query finds so many workflows: visibility lags behind. */
  found(query: string, count: number): Promise<void>;
  /** The shipment of an Issue, as soon as it is booked. */
  uidOf(workflowId: string): Promise<string>;
  stopWorker(): Promise<void>;
}

export const newKey = (name = 'order') => `${name}-${randomUUID()}`;

/**
 * @param given Without these, the outside keeps what flows find not to be theirs.
 * @param namespace Without it, the one that all files share.
 */
export function flowsAtHand(
  given: Partial<FlowActivities & UnmatchedActivities> = {},
  namespace = 'default',
): FlowsAtHand {
  const taskQueue = newTaskQueue();
  const outside = new Outside();
  const refused = new Set<string>();
  const unreachable = new Set<string>();
  let connected: RunningClient;
  let worker: RunningWorker;
  let flows: LockerFlows;

  beforeAll(async () => {
    connected = await connectClient(undefined, namespace);
    flows = new LockerFlows(connected.client, { taskQueue });
    const book: typeof outside.activities.book = (input) => {
      if (refused.delete(input.workflowId))
        throw ApplicationFailure.nonRetryable('all 24 lockers are taken', 'NoLockerAvailable');
      if (unreachable.has(input.workflowId))
        throw ApplicationFailure.create({
          message: 'nobody listens',
          type: 'Unreachable',
          nextRetryDelay: '1 hour',
        });
      return outside.activities.book(input);
    };
    outside.deliver = async (report) => {
      for (const owner of await ownersOf(connected.client, report.shipmentUid, 'running'))
        await connected.client.workflow.getHandle(owner).signal('shipmentStatus', report);
    };
    const activities = { ...outside.activities, ...unmatchedActivities(), book, ...given };
    worker = await runWorker({ taskQueue, namespace, activities });
  });
  afterAll(async () => {
    await worker.stop();
    await connected.close();
  });

  const found = async (query: string, count: number) => {
    await vi.waitUntil(async () => (await connected.client.workflow.count(query)).count === count, {
      timeout: 60_000,
    });
  };
  const uidOf = async (workflowId: string) => {
    const flow = flows.handle<'Issue'>(workflowId);
    // Not `waitUntil`: a worker that has much to do may not answer one of the questions in its time.
    return vi.waitFor(
      async () => {
        const uid = (await flow.progress()).shipments.issue?.shipmentUid;
        if (uid === undefined) throw new Error(`${workflowId} has not booked yet`);
        return uid;
      },
      { timeout: 60_000 },
    );
  };
  return {
    taskQueue,
    outside,
    refused,
    unreachable,
    get client() {
      return connected.client;
    },
    get flows() {
      return flows;
    },
    found,
    uidOf,
    issue: async (input = {}, businessKey = newKey()) => {
      const request = examples.CreateLocalShipmentAsIssue.request;
      const handle = await flows.start('Issue', businessKey, { request, ...input });
      const shipmentUid = await uidOf(businessKey);
      await found(`LockerShipmentUids = '${shipmentUid}'`, 1);
      return Object.assign(handle, { shipmentUid });
    },
    stopWorker: () => worker.stop(),
  };
}
