// Reserves shipments that a flow adopts after a lost answer: two flows may find the same shipment in the listing. A reservation
// is a workflow with the shipment's id, of which Temporal runs at most one, so the first flow gets it.

import { createHash } from 'node:crypto';
import { ApplicationFailure, activityInfo, getClient } from '@temporalio/activity';
import type { Adoption, AdoptionMemo } from '../../contract/flows/adopted-shipment.ts';
import { ADOPTED_SHIPMENT } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';

export interface AdoptionActivities {
  /** Fails while that flow runs; its retries do the waiting. */
  untilFlowEnds(input: Pick<Adoption, 'by'>): Promise<void>;
}

export function adoptionActivities(): AdoptionActivities {
  return {
    async untilFlowEnds({ by }) {
      if (await isRunning(by)) throw ApplicationFailure.create({ type: 'FlowRuns', category: 'BENIGN' });
    },
  };
}

/** Reserves all or none. Null: reserved for this flow; else the flow that holds one of them. */
export async function reserve(shipmentUids: readonly string[]): Promise<string | null> {
  const taken: string[] = [];
  // Sorted, so that of two flows that want the same shipments the first gets all of them.
  for (const shipmentUid of [...shipmentUids].sort()) {
    const by = await reserveOne(shipmentUid);
    if (by !== ownKey()) {
      for (const each of taken) await reservation(each).signal('release');
      return by;
    }
    taken.push(shipmentUid);
  }
  return null;
}

/** The other running flow that has adopted the shipment; null if there is none. */
export async function adopterOf(shipmentUid: string): Promise<string | null> {
  const held = await holderOf(shipmentUid);
  return held === null || held.by === ownKey() || !(await isRunning(held.by)) ? null : held.by;
}

/** The business key of the flow that holds the reservation now: this one, or another that still runs. */
async function reserveOne(shipmentUid: string): Promise<string> {
  const by = ownKey();
  for (;;) {
    if (await startReservation({ shipmentUid, by })) return by;
    const held = await holderOf(shipmentUid);
    if (held === null) continue;
    if (held.by === by || (await isRunning(held.by))) return held.by;
    // That flow has ended, and its reservation has not noticed yet. Terminate only this run: another flow may be faster.
    await getClient()
      .workflow.getHandle(reservationId(shipmentUid), held.runId)
      .terminate(`the flow ${held.by} has ended`)
      .catch(nullIfNotFound);
  }
}

/** False if the shipment is reserved already. */
async function startReservation(adoption: Adoption): Promise<boolean> {
  try {
    await getClient().workflow.start(ADOPTED_SHIPMENT, {
      workflowId: reservationId(adoption.shipmentUid),
      taskQueue: activityInfo().taskQueue,
      args: [adoption],
      memo: { by: adoption.by } satisfies AdoptionMemo,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `Adopted by ${shownAsText(adoption.by)} after the answer to its booking was lost`,
    });
    return true;
  } catch (error) {
    if (isNamed(error, 'WorkflowExecutionAlreadyStartedError')) return false;
    throw error;
  }
}

/** Null if the shipment is not reserved. */
async function holderOf(shipmentUid: string): Promise<{ by: string; runId: string } | null> {
  try {
    const { status, memo, runId } = await reservation(shipmentUid).describe();
    return status.name === 'RUNNING' ? { by: (memo as unknown as AdoptionMemo).by, runId } : null;
  } catch (error) {
    return nullIfNotFound(error);
  }
}

async function isRunning(workflowId: string): Promise<boolean> {
  try {
    const { status } = await getClient().workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    return nullIfNotFound(error) !== null;
  }
}

function nullIfNotFound(error: unknown): null {
  if (isNamed(error, 'WorkflowNotFoundError')) return null;
  throw error;
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const reservation = (shipmentUid: string) => getClient().workflow.getHandle(reservationId(shipmentUid));

function reservationId(shipmentUid: string): string {
  const isReadable = /^[^"\\\p{Cc}]{1,200}$/u.test(shipmentUid);
  return `${internalIds.adopted}${isReadable ? shipmentUid : createHash('sha256').update(shipmentUid).digest('hex')}`;
}

/** The calling flow's business key: its workflow id, the same after continue-as-new. */
export function ownKey(): string {
  const key = activityInfo().workflowExecution?.workflowId;
  if (key === undefined) throw new TypeError('a shipment is adopted by an activity of a workflow only');
  return key;
}
