// Every flow from its start to its result with everything real, against our own service and against a bare vendor.
import { describe, expect, test } from 'vitest';
import type { Role } from '../../contract/flow-input.ts';
import { stories } from '../workflows/stories.ts';
import { does, started, stored } from './acting.ts';
import { bareVendor, ours, useStack } from './stack.ts';

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);

  test.concurrent.each(stories)('$flow is done when every leg is', async (story) => {
    const handle = await started(stack, story);
    for (const deed of story.deeds) await does(stack, handle, deed);
    const { outcome, shipments, unassigned } = await handle.result();
    const inService = await stored(stack, handle);
    expect(outcome).toBe('Done');
    expect([...inService].map(([role, { stateCode }]) => [role, stateCode])).toEqual(
      Object.entries(story.ends),
    );
    for (const [role, leg] of Object.entries(shipments))
      expect(leg).toMatchObject({
        shipmentUid: inService.get(role as Role)?.shipmentUid,
        stateCode: story.ends[role as Role],
      });
    if (peer === ours) expect(unassigned).toEqual([]);
  });
});
