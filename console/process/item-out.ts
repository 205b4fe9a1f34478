// Whether somebody still has the item of a process that has ended, and nobody waits for it: Work keeps that until a person says what
// became of it.
import { callTemporal } from '../../processes/at-temporal.ts';
import { shipmentsIn } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { itemOutId } from '../../shared/routing/item-out.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** A page asks again every few seconds, and an ended process changes no more. */
const SHARED_MS = 5_000;

/** Null: Temporal's search does not say it now. */
export async function isItemOut(
  parts: Pick<ConsoleParts, 'client' | 'shared'>,
  { key, status, progress }: Pick<ShownProcess, 'key' | 'status' | 'progress'>,
): Promise<boolean | null> {
  const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
  const ids = uids.map(itemOutId).filter(isSearchable).map(literal);
  if (status === 'Running' || ids.length === 0) return false;
  const query = `WorkflowId IN (${ids.join(', ')}) AND ExecutionStatus = 'Running'`;
  const read = () => callTemporal(parts, () => parts.client.workflow.count(query));
  return await parts.shared.of(`items out of ${key}`, SHARED_MS, read).then(
    ({ count }) => count > 0,
    () => null,
  );
}
