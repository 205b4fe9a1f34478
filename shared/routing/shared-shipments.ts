// The shipments that may have more than one running owner: prior shipments that one flow has booked and another
// continues with (issued stock, an intake with stock swapped after it). Only these need a query for other owners. Ended
// ones may still be in here; they cost a needless query, and nothing else.
import type { Client } from '@temporalio/client';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { requestFields } from '../../contract/operations/operations.ts';
import { detached } from './detached.ts';
import { listed, uidsOf } from './owners.ts';
import type { Pace } from './pace.ts';

const priorField = 'priorShipmentUid';

/** The workflow types of the flows that continue with a prior shipment. */
export const typesWithPrior: ReadonlySet<string> = new Set(
  Object.entries(flowRules)
    .filter(([, { operation }]) => requestFields(operation).includes(priorField))
    .map(([type]) => type),
);

// Milliseconds. Visibility itself lags by 0.2 to 2 s behind the start of a flow.
const FRESH_MS = 500;
// Milliseconds. The next query starts this early, so that callbacks need not wait for it: waiting took a fifth of the
// time.
const AHEAD_MS = 200;
// A full query: ended ones leave, and missed ones come in.
const ALL_EVERY_MS = 60_000;
// One that began this much before the newest that is known may be seen only after it: of flows started at the same time the
// last was found within 2 s, after 10 s at worst (measured). All that began within it are in every answer, so no longer.
const SEEN_WITHIN_MS = 10_000;

const types = [...typesWithPrior].map((type) => `'${type}'`).join(', ');
const running = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;

/** Whether the shipment may have more than one, a fraction of a second ago. Throws if Temporal does not answer. */
export function sharedShipments(client: Client, pace: Pace): (shipmentUid: string) => Promise<boolean> {
  let uids = new Set<string>();
  /** When the last finished query had begun, and the last full one. */
  let lookedAt = Number.NEGATIVE_INFINITY;
  let lookedAtAllAt = Number.NEGATIVE_INFINITY;
  let look: Promise<void> | null = null;
  /** Epoch milliseconds by Temporal's clock; ours may differ. */
  let newestStart = 0;
  /** A flow that was started without the search attribute has it only after its booking, which may take long. */
  let oldestUnknownStart = Number.POSITIVE_INFINITY;

  return async (shipmentUid) => {
    const now = performance.now();
    // A callback that waits for this query reports the failure.
    if (lookedAt < now - AHEAD_MS) newLook().catch(() => undefined);
    while (lookedAt < now - FRESH_MS) await newLook();
    return uids.has(shipmentUid);
  };

  /** One query for all that wait for it. */
  function newLook(): Promise<void> {
    look ??= detached(lookNow).finally(() => {
      look = null;
    });
    return look;
  }

  async function lookNow(): Promise<void> {
    await pace.turn();
    const at = performance.now();
    const isAll = newestStart === 0 || at - lookedAtAllAt > ALL_EVERY_MS;
    const from = Math.min(newestStart - SEEN_WITHIN_MS, oldestUnknownStart);
    const query = isAll ? running : `${running} AND StartTime >= '${new Date(from).toISOString()}'`;
    const found = isAll ? new Set<string>() : uids;
    let newest = newestStart;
    let oldestUnknown = Number.POSITIVE_INFINITY;
    for await (const flow of listed(client, query, pace)) {
      const startedAt = flow.startTime.getTime();
      const flowsUids = uidsOf(flow);
      for (const uid of flowsUids) found.add(uid);
      if (flowsUids.length === 0) oldestUnknown = Math.min(oldestUnknown, startedAt);
      newest = Math.max(newest, startedAt);
    }
    if (isAll) lookedAtAllAt = at;
    [uids, newestStart, oldestUnknownStart, lookedAt] = [found, newest, oldestUnknown, at];
  }
}
