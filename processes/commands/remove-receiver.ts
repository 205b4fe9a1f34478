// Removes the receiver of a shipment of a process: it waits for another one then.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { answered, attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';
import { oneOf } from './read-values.ts';

export const removeReceiver = processCommand({
  ...{ name: 'removeReceiver', why: 'optional', input: z.strictObject({ role: oneOf(roles) }) },
  asked: () => ['removeReceiver'],
  async act(acting, key, { role }): Promise<{ readonly role: string }> {
    await answered(acting, () => acting.flows.handle(key).removeReceiver({ role, ...attributionOf(acting) }));
    return { role };
  },
  did: ({ role }) => `the receiver of ${role} is removed`,
});
