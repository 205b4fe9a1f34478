// Drops a parked callback, or parked messages of an unknown type: no process needs them. Its workflow keeps who decided and why.
import { z } from 'zod';
import type { Drop } from '../../contract/flows/parked-callback.ts';
import { namedDecisionOf } from '../at-temporal.ts';
import { atParked, requireParked } from '../views/parked.ts';
import { command } from './command.ts';

/** The target is the workflow id of what is parked (`parkedIdOf`). */
export const drop = command({
  name: 'drop',
  right: 'decide',
  why: 'needed',
  input: z.strictObject({}),
  async flowOf({ client }, parkedId: string): Promise<null> {
    await requireParked(client, parkedId);
    return null;
  },
  preview: async (): Promise<null> => null,
  async act(acting, parkedId): Promise<null> {
    const decision: Drop = namedDecisionOf(acting);
    await atParked(acting, parkedId, (handle) => handle.executeUpdate('drop', { args: [decision] }));
    return null;
  },
  would: () => 'the reports are closed, and no process gets them; later ones are parked again',
  did: () => 'dropped',
});
