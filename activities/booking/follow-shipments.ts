// What a flow does for the callbacks of the shipments that it has booked: it tells the process that followed its prior shipment, and
// gets what is kept of its own. All by ids: only a process that nothing names is searched for. The activity's client does it, so
// that the flow gets no history events; a failure does not affect the booking.
import { activityInfo, getClient, log } from '@temporalio/activity';
import { follow, followersOf } from '../../shared/routing/followers.ts';
import { RunningProcesses } from '../../shared/routing/running-processes.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { otherOwners, signalFollowed } from '../flow-directory.ts';
import { perClient } from '../per-client.ts';
import { adopterOf, ownKey } from './adoption.ts';

export interface FollowedShipments {
  readonly shipmentUids: readonly string[];
  /** Those with the flow's key as their case number. */
  readonly foundByCase: readonly string[];
  readonly prior: PriorShipment | null;
}

interface PriorShipment {
  readonly shipmentUid: string;
  /** Before the booking; null: it had none, or it is not known. */
  readonly caseNo: string | null;
  /** The flow issues it: nobody else waits for it. */
  readonly isTakenOver: boolean;
}

const processes = perClient((client) => new RunningProcesses(client));

export async function followShipments(
  { keepFor }: Pick<ActivityDependencies, 'keepFor'>,
  { shipmentUids, foundByCase, prior }: FollowedShipments,
): Promise<void> {
  const { taskQueue, workflowExecution } = activityInfo();
  const runId = workflowExecution?.runId;
  const own = ownKey();
  try {
    const former = prior ? await toldFollowers(prior) : [];
    await Promise.all(
      shipmentUids.map((shipmentUid) => {
        const isShared = shipmentUid === prior?.shipmentUid && !prior.isTakenOver;
        const by = isShared ? [...former, own] : [own];
        const isFoundByCase = foundByCase.includes(shipmentUid);
        return follow(getClient(), { taskQueue, keepFor }, { shipmentUid, by, runId, isFoundByCase });
      }),
    );
  } catch (error) {
    log.warn('callbacks of a booking may take longer to find its flow', { shipmentUids, error });
  }
}

/** The other processes that follow it, which know by now that this one does. */
async function toldFollowers(prior: PriorShipment): Promise<readonly string[]> {
  const { shipmentUid, isTakenOver } = prior;
  const signal = isTakenOver ? 'superseded' : 'alsoFollowed';
  try {
    const former = await formerFollowers(prior);
    const told = await Promise.allSettled(
      former.map((workflowId) => signalFollowed(workflowId, signal, { shipmentUid, byWorkflowId: ownKey() })),
    );
    for (const each of told)
      if (each.status === 'rejected' && each.reason?.name !== 'WorkflowNotFoundError')
        log.warn('a flow that holds the prior shipment could not be told', {
          shipmentUid,
          error: each.reason,
        });
    return former;
  } catch (error) {
    log.warn('a flow that held the prior shipment could not be told', { shipmentUid, error });
    return [];
  }
}

/** The other running processes that follow the shipment. */
async function formerFollowers({ shipmentUid, caseNo }: PriorShipment): Promise<string[]> {
  const [named, followers, adopter] = await Promise.all([
    caseNo === null ? null : processes().find(caseNo),
    followersOf(getClient(), shipmentUid),
    adopterOf(shipmentUid),
  ]);
  // One that still books does not know it yet.
  const isHolder = named && (named.shipmentUids.includes(shipmentUid) || named.shipmentUids.length === 0);
  const byCase = caseNo !== null && isHolder && named.isRunning ? [caseNo] : [];
  const known = new Set([
    ...byCase,
    ...followers.map(({ workflowId }) => workflowId),
    ...(adopter === null ? [] : [adopter]),
  ]);
  known.delete(ownKey());
  const isKnown = known.size > 0 || isHolder;
  return isKnown ? [...known] : await otherOwners(shipmentUid, 'running');
}
