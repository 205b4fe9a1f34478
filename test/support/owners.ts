// Who owns a shipment now, asked directly: tests wait for it before they go on.
import type { Client } from '@temporalio/client';
import { ownersOf as ownersByUid, runningAmong, workflowIdsOf } from '../../shared/routing/owners.ts';

export async function ownersOf(
  client: Client,
  shipmentUid: string,
  which: 'running' | 'any',
): Promise<readonly string[]> {
  const owners = (await ownersByUid(client, [shipmentUid])).get(shipmentUid) ?? [];
  return which === 'any' ? workflowIdsOf(owners) : runningAmong(owners);
}
