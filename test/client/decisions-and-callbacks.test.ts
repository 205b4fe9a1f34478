// What a person decides in the moment in which callbacks come: Temporal takes a step back then, and the decision is not lost.
import { expect, test } from 'vitest';
import { bySuite } from '../support/suite.ts';
import { reportOf } from '../workflows/outside.ts';
import { flowsAtHand } from './flows-at-hand.ts';

const at = flowsAtHand();
const decided = { by: 'anna', why: 'seen at the locker' };
const FLOWS = bySuite({ short: 2, long: 8 });
const REPORTS = 15;

test('a decision that ends a flow is taken though callbacks come in the same moment', async () => {
  const issues = await Promise.all(Array.from({ length: FLOWS }, () => at.issue()));
  const outcomes = issues.map(async ({ workflowId, shipmentUid }) => {
    const handle = at.client.workflow.getHandle(workflowId);
    const report = reportOf(shipmentUid, 'ReadyForPickup', null);
    const reports = Array.from({ length: REPORTS }, () => handle.signal('shipmentStatus', report));
    const flow = at.flows.handle<'Issue'>(workflowId);
    await flow.resolve({ ...decided, action: 'setState', role: 'issue', stateCode: 'Completed' });
    await Promise.allSettled(reports);
    return (await flow.result()).outcome;
  });
  expect(await Promise.all(outcomes)).toEqual(issues.map(() => 'Done'));
});
