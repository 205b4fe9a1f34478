// How a flow is asked for what it knows: the list of flows is older than the answer.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { comparedFlows } from '../../../processes/comparison/compare.ts';
import { Pace } from '../../../shared/routing/owners.ts';

const leg = {
  shipmentUid: 'uid-1',
  stateCode: 'Completed',
  stateStart: null,
  pupUid: 'pup',
  lockerName: '3',
};
const result = { shipments: { issue: leg }, itemsLeft: [], unassigned: [] };
const progress = {
  activity: 'Following',
  itemsLeft: [],
  unassigned: [],
  resolutions: [],
  shipments: { issue: { ...leg, stateCode: 'ReadyForPickup', done: false } },
};

/** A flow that the list of flows shows with one status, and that has another one by now. */
async function compared(listed: string, now: string) {
  const handle = {
    describe: async () => ({ status: { name: now } }),
    result: async () => result,
    query: async () => progress,
  };
  const client = {
    workflow: { getHandle: () => handle },
    withDeadline: (_deadline: number, ask: () => unknown) => ask(),
  } as unknown as Client;
  const asking = {
    client,
    questions: new Pace(1_000),
    searches: new Pace(1_000),
    service: {} as never,
    unanswered: new Set<string>(),
    signal: AbortSignal.any([]),
  };
  const execution = { workflowId: 'order-1', runId: 'run', type: 'Issue', status: { name: listed } };
  const [flow] = await comparedFlows(asking, [execution as never]);
  return { status: flow?.status, stateCode: flow?.legs[0]?.stateCode };
}

test.each([
  ['RUNNING', 'RUNNING', 'ReadyForPickup'],
  ['RUNNING', 'COMPLETED', 'Completed'],
  ['RUNNING', 'TERMINATED', 'ReadyForPickup'],
  ['COMPLETED', 'COMPLETED', 'Completed'],
])('a flow that is listed as %s and is %s by now is compared as that', async (listed, now, stateCode) => {
  expect(await compared(listed, now)).toEqual({ status: now, stateCode });
});
