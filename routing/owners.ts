// Which processes own a shipment, by the search attribute LockerShipmentUids.
import type { Client } from '@temporalio/client';

// A uid that the visibility store cannot be asked for: SQLite answers "unterminated string" to a quotation mark, which
// would be an error for ever, and finds nothing with a backslash; a keyword is at most 255 bytes long.
const SEARCHABLE = /^[^"\\\0]{1,200}$/;

export const isSearchable = (shipmentUid: string): boolean => SEARCHABLE.test(shipmentUid);

/** Workflow ids, each once. One shipment may have two running owners: an intake's flow, and one that swaps stock after it. */
export async function ownersOf(
  client: Client,
  shipmentUid: string,
  which: 'running' | 'any',
): Promise<string[]> {
  if (!isSearchable(shipmentUid)) return [];
  const running = which === 'running' ? " AND ExecutionStatus = 'Running'" : '';
  const query = `LockerShipmentUids = '${shipmentUid.replaceAll("'", "''")}'${running}`;
  const owners = new Set<string>();
  for await (const { workflowId, searchAttributes } of client.workflow.list({ query, pageSize: 20 })) {
    // The store compares without regard to case; two uids that differ in it are two shipments.
    const uids = searchAttributes.LockerShipmentUids as readonly string[] | undefined;
    if (uids?.includes(shipmentUid)) owners.add(workflowId);
  }
  return [...owners];
}
