// Whether somebody still has what a process has given out, though it has ended: until a person says what became of it.
import { callTemporal } from '../../processes/at-temporal.ts';
import { foundPage } from '../../processes/views/found-flows.ts';
import { shipmentsIn } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { itemOutId } from '../../shared/routing/item-out.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** A page asks again every few seconds, and an ended process changes no more. */
const SHARED_MS = 5_000;

/** By the shipments that were to bring them back. Null: Temporal's search does not say it now. */
export async function itemsOutOf(
  parts: Pick<ConsoleParts, 'client' | 'shared'>,
  { key, status, progress }: Pick<ShownProcess, 'key' | 'status' | 'progress'>,
): Promise<readonly string[] | null> {
  const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
  const byId = new Map(uids.map((uid) => [itemOutId(uid), uid] as const).filter(([id]) => isSearchable(id)));
  if (status === 'Running' || byId.size === 0) return [];
  const ids = [...byId.keys()].map(literal);
  const query = `WorkflowId IN (${ids.join(', ')}) AND ExecutionStatus = 'Running'`;
  const read = () => callTemporal(parts, () => foundPage(parts.client, query, { size: ids.length }));
  return await parts.shared.of(`items out of ${key}`, SHARED_MS, read).then(
    ({ flows }) => flows.flatMap(({ workflowId }) => byId.get(workflowId) ?? []),
    () => null,
  );
}
