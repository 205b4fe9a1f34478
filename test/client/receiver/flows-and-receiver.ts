// Flows at hand with a real receiver in front of them, for a file of tests of where callbacks end.
import { afterAll, beforeAll } from 'vitest';
import { followShipments } from '../../../activities/booking/follow-shipments.ts';
import { keepReports } from '../../../activities/unmatched-activities.ts';
import type { Received } from '../../../client/receiver/receive-callback.ts';
import { type Receiver, startReceiver } from '../../../client/receiver/server.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import { type FlowsAtHand, flowsAtHand } from '../flows-at-hand.ts';

export const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiB0aGUgY2FsbGJhY2sgdGVzdHM=';

export interface FlowsAndReceiver {
  readonly at: FlowsAtHand;
  readonly received: Received[];
  readonly url: string;
  reportHistory(workflowId: string): Promise<Progress['reportHistory']>;
}

export function flowsAndReceiver(): FlowsAndReceiver {
  const at = flowsAtHand({ keepReports: (input) => keepReports({ keepFor: 'P30D' }, input) });
  const received: Received[] = [];
  let receiver: Receiver;

  // Their case number is not their key.
  at.outside.booked = ({ shipments }) => {
    const shipmentUids = shipments.map(({ shipmentUid }) => shipmentUid);
    return followShipments({ keepFor: 'P30D' }, { shipmentUids, foundByCase: [], prior: null });
  };

  // What keeps its callbacks says who follows it only once it has ended: until then they wait there, for a moment.
  const { issue } = at;
  at.issue = async (...given) => {
    const issued = await issue(...given);
    await at.client.workflow.getHandle(unmatchedId(issued.shipmentUid)).result();
    return issued;
  };

  beforeAll(async () => {
    const options = readReceiverSettings({
      CALLBACK_PORT: '0',
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: at.taskQueue,
    });
    receiver = await startReceiver(at.client, {
      ...options,
      onReceived: (one) => received.push(one),
    });
  });
  afterAll(() => receiver.close());

  return {
    at,
    received,
    get url() {
      return receiver.url;
    },
    reportHistory: async (workflowId) =>
      (await at.flows.handle<'Issue'>(workflowId).progress()).reportHistory,
  };
}
