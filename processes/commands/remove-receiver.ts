// Removes the receiver of a shipment of a process: it waits for another one then.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { answered } from '../at-temporal.ts';
import { askedBy, processCommand } from './command.ts';
import { oneOf } from './read-values.ts';

export const removeReceiver = processCommand({
  ...{ name: 'removeReceiver', why: 'optional', input: z.strictObject({ role: oneOf(roles) }) },
  asked: () => ['removeReceiver'],
  async act(acting, key, { role }): Promise<{ readonly role: string }> {
    await answered(acting, () => acting.flows.handle(key).removeReceiver({ role, ...askedBy(acting) }));
    return { role };
  },
  did: ({ role }) => `the receiver of ${role} is removed`,
});
