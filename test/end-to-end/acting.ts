// What people and other services do to the flows of a stack, and what the service's database holds of them.
import { vi } from 'vitest';
import type { Reconciled } from '../../activities/flow-activities.ts';
import type { Role } from '../../contract/flow-input.ts';
import { declarations } from '../../workflows/declarations.ts';
import { legOf, rolesOf } from '../../workflows/shipments/declaration.ts';
import { type StoredShipment, storedShipments } from '../support/stored-shipments.ts';
import { booking, bookingOf, type Deed, fromPrior, type Prior, type Story } from '../workflows/stories.ts';
import { type Handle, isBooked, type Stack, startFlow, untilProgress } from './stack.ts';

/** Someone opens the locker of the shipment. */
export async function opens(
  { api }: Stack,
  shipmentUid: string,
  unlockGoal: 'DropOff' | 'PickUp',
): Promise<void> {
  await api.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
}

/** A prior shipment, its item in the locker. */
async function priorOf(stack: Stack, prior: Prior): Promise<string> {
  const { shipmentUids } =
    prior === 'stock'
      ? await stack.api.call('CreateLocalShipmentAsStock', booking)
      : await stack.api.call('CreateLocalShipmentAsIntake', { ...booking, fromUserUid: 'user-anna' });
  const [uid = ''] = shipmentUids;
  await opens(stack, uid, 'DropOff');
  return uid;
}

export async function started(stack: Stack, story: Story): Promise<Handle> {
  const request = story.prior ? fromPrior(story, await priorOf(stack, story.prior)) : bookingOf(story);
  const handle = await startFlow(stack, story.flow, { request });
  await untilProgress(handle, isBooked);
  return handle;
}

export async function does(stack: Stack, handle: Handle, [role, deed]: Deed): Promise<void> {
  const shipmentUid = (await stored(stack, handle)).get(role)?.shipmentUid ?? '';
  if (deed === 'Cancelled') await stack.api.call('CancelShipment', { shipmentUid });
  else await opens(stack, shipmentUid, deed === 'ItemDroppedOff' ? 'DropOff' : 'PickUp');
}

/** As the schedule does. */
export async function reconcile({ client, taskQueue }: Stack): Promise<Reconciled> {
  return await client.workflow.execute('ReconcileShipments', {
    taskQueue,
    workflowId: `reconcile-${taskQueue}`,
  });
}

/** Until the flow can be found by its shipment: visibility lags behind what it shows. */
export async function untilFound(
  { client }: Stack,
  { workflowId }: Handle,
  shipmentUid: string,
): Promise<void> {
  const query = `LockerShipmentUids = '${shipmentUid}' AND WorkflowId = '${workflowId}'`;
  await vi.waitUntil(async () => (await client.workflow.count(query)).count > 0, { timeout: 20_000 });
}

/** The flow's shipments by their true roles: by the links that the service keeps, which a bare vendor tells nobody. */
export async function stored({ service }: Stack, handle: Handle): Promise<ReadonlyMap<Role, StoredShipment>> {
  const { flow, shipments, unassigned } = await handle.progress();
  const declared = declarations.find(({ name }) => name === flow);
  if (!declared) throw new TypeError(`${flow} is not declared by legs`);
  const uids = [...Object.values(shipments), ...unassigned].map(({ shipmentUid }) => shipmentUid);
  const found = await storedShipments(service.database, uids);
  const roles = new Map<Role, StoredShipment>();
  for (const role of rolesOf(declared)) {
    const { follows } = legOf(declared, role);
    const predecessor = follows && roles.get(follows.role)?.shipmentUid;
    const shipment = found.find(({ predecessorUid }) =>
      predecessor ? predecessorUid === predecessor : !uids.includes(predecessorUid ?? ''),
    );
    if (shipment) roles.set(role, shipment);
  }
  return roles;
}
