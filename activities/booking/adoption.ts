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

/**
 * Reserves all or none. Null: reserved for this booking; else the flow that holds one of them.
 *
 * @param booking which one of its process it is; not given: the whole of it
 */
export async function reserve(shipmentUids: readonly string[], booking?: string): Promise<string | null> {
  const own = adopterBy(booking);
  const taken: string[] = [];
  // Sorted, so that of two flows that want the same shipments the first gets all of them.
  for (const shipmentUid of [...shipmentUids].sort()) {
    const holder = await reserveOne(shipmentUid, own);
    if (!isSame(holder, own)) {
      for (const each of taken) await reservation(each).signal('release');
      return holder.by;
    }
    taken.push(shipmentUid);
  }
  return null;
}

/** The running flow whose booking, another than this one, has adopted the shipment; null if there is none. */
export async function adopterOf(shipmentUid: string, booking?: string): Promise<string | null> {
  const held = await holderOf(shipmentUid);
  return held === null || isSame(held, adopterBy(booking)) || !(await isRunning(held.by)) ? null : held.by;
}

const adopterBy = (booking: string | undefined): AdoptionMemo => ({
  by: ownKey(),
  ...(booking !== undefined && { booking }),
});

const isSame = (one: AdoptionMemo, other: AdoptionMemo): boolean =>
  one.by === other.by && one.booking === other.booking;

/** Who holds the reservation now: this booking, or another whose flow still runs. */
async function reserveOne(shipmentUid: string, own: AdoptionMemo): Promise<AdoptionMemo> {
  for (;;) {
    if (await startReservation(shipmentUid, own)) return own;
    const held = await holderOf(shipmentUid);
    if (held === null) continue;
    if (isSame(held, own) || (await isRunning(held.by))) return held;
    // That flow has ended, and its reservation has not noticed yet. Terminate only this run: another flow may be faster.
    await getClient()
      .workflow.getHandle(reservationId(shipmentUid), held.runId)
      .terminate(`the flow ${held.by} has ended`)
      .catch(nullIfNotFound);
  }
}

/** False if the shipment is reserved already. */
async function startReservation(shipmentUid: string, own: AdoptionMemo): Promise<boolean> {
  const adoption: Adoption = { shipmentUid, ...own };
  try {
    await getClient().workflow.start(ADOPTED_SHIPMENT, {
      workflowId: reservationId(shipmentUid),
      taskQueue: activityInfo().taskQueue,
      args: [adoption],
      memo: { ...own },
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `Adopted by ${shownAsText(own.by)} after the answer to its booking was lost`,
    });
    return true;
  } catch (error) {
    if (isNamed(error, 'WorkflowExecutionAlreadyStartedError')) return false;
    throw error;
  }
}

/** Null if the shipment is not reserved. */
async function holderOf(shipmentUid: string): Promise<(AdoptionMemo & { runId: string }) | null> {
  try {
    const { status, memo, runId } = await reservation(shipmentUid).describe();
    return status.name === 'RUNNING' ? { ...(memo as unknown as AdoptionMemo), runId } : null;
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
