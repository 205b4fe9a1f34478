// Flows as they run for real, with the people at the lockers: a booking, callbacks, doors, the end.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FlowProcesses } from './processes.ts';

const dimension = { width: 10, height: 10, length: 10 };
const permissions = { allowLargerLockers: true, allowOverflowLockers: true };

/** One shipment: somebody brings it, somebody gets it. */
export const ISSUE = 'Issue';
/** Three shipments: a device goes from stock to a user, comes back, and is stock again. */
export const LOAN = 'IssueFromStockAndSubsequentIntakeAndCircularStock';

export type OpenIssue = Awaited<ReturnType<typeof openIssue>>;

/** A flow that is booked, and waits for the item. */
export async function openIssue(around: FlowProcesses, pupUid: string) {
  const workflowId = `bench ${randomUUID()}`;
  const booked = around.booked(workflowId);
  const request = { pupUid, toUserUid: 'user-anna', dimension, ...permissions };
  const flow = await around.flows.start(ISSUE, workflowId, { request });
  await booked;
  return flow;
}

/** Gives the workflow id. */
export async function playIssue(around: FlowProcesses, pupUid: string): Promise<string> {
  const flow = await openIssue(around, pupUid);
  const shipmentUid = await issueOf(flow);
  for (const unlockGoal of ['DropOff', 'PickUp'])
    await around.service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
  await flow.result();
  return flow.workflowId;
}

export const issueOf = (flow: OpenIssue): Promise<string> =>
  known(async () => (await flow.progress()).shipments.issue?.shipmentUid);

/** A device in a locker, as stock; gives its shipment. */
export async function stocked({ service }: Pick<FlowProcesses, 'service'>, pupUid: string): Promise<string> {
  const made = await service.call('CreateLocalShipmentAsStock', { pupUid, dimension, ...permissions });
  const shipmentUid = String((made.shipmentUids as string[])[0]);
  await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  return shipmentUid;
}

/** A flow that is booked, and waits for the user to pick up the device. */
export async function openLoan(around: FlowProcesses, priorShipmentUid: string) {
  const workflowId = `bench ${randomUUID()}`;
  const booked = around.booked(workflowId);
  const request = { priorShipmentUid, toUserUid: 'user-anna' };
  const flow = await around.flows.start(LOAN, workflowId, { request });
  await booked;
  return flow;
}

/** Gives the workflow id, and the stock that the device is afterwards. */
export async function playLoan(around: FlowProcesses, priorShipmentUid: string) {
  const flow = await openLoan(around, priorShipmentUid);
  const intakeUid = await known(async () => (await flow.progress()).shipments.intake?.shipmentUid);
  const unlock = (shipmentUid: string, unlockGoal: string) =>
    around.service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
  await unlock(priorShipmentUid, 'PickUp');
  await unlock(intakeUid, 'DropOff');
  const { shipments } = await flow.result();
  return { workflowId: flow.workflowId, stockUid: String(shipments.circularStock?.shipmentUid) };
}

/** The worker's log is a little ahead of the flow. */
async function known(ask: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(10);
  }
}
