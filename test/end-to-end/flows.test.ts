// Every flow from its start to its result with everything real, against our own service and against a bare vendor.
import { describe, expect, test } from 'vitest';
import type { Role } from '../../contract/flow-input.ts';
import { booking, bookingOf, fromPrior, type Prior, type Story, stories } from '../workflows/stories.ts';
import { bareVendor, type Handle, ours, type Stack, untilProgress, useStack } from './stack.ts';

/** A prior shipment, its item in the locker unless it is to be dropped off yet. */
async function priorOf(stack: Stack, prior: Prior, isInLocker = true): Promise<string> {
  const { shipmentUids } =
    prior === 'stock'
      ? await stack.api.call('CreateLocalShipmentAsStock', booking)
      : await stack.api.call('CreateLocalShipmentAsIntake', { ...booking, fromUserUid: 'user-anna' });
  const [uid = ''] = shipmentUids;
  if (isInLocker) await stack.opens(uid, 'DropOff');
  return uid;
}

async function started(stack: Stack, story: Story): Promise<Handle> {
  const request = story.prior ? fromPrior(story, await priorOf(stack, story.prior)) : bookingOf(story);
  const handle = await stack.start(story.flow, { request });
  await untilProgress(handle, ({ activity }) => activity !== 'Booking');
  return handle;
}

async function does(stack: Stack, handle: Handle, role: Role, deed: string): Promise<void> {
  const shipmentUid = (await stack.stored(handle)).get(role)?.shipmentUid ?? '';
  if (deed === 'Cancelled') await stack.api.call('CancelShipment', { shipmentUid });
  else await stack.opens(shipmentUid, deed === 'ItemDroppedOff' ? 'DropOff' : 'PickUp');
}

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);

  test.concurrent.each(stories)('$flow is done when every leg is', async (story) => {
    const handle = await started(stack, story);
    for (const [role, deed] of story.deeds) await does(stack, handle, role, deed);
    const { outcome, shipments, unassigned } = await handle.result();
    const stored = await stack.stored(handle);
    expect(outcome).toBe('Done');
    expect([...stored].map(([role, { stateCode }]) => [role, stateCode])).toEqual(Object.entries(story.ends));
    for (const [role, leg] of Object.entries(shipments))
      expect(leg).toMatchObject({
        shipmentUid: stored.get(role as Role)?.shipmentUid,
        stateCode: story.ends[role as Role],
      });
    if (peer === ours) expect(unassigned).toEqual([]);
  });
});
