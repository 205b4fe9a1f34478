// Removes the receiver of a shipment of a process: it waits for another one then.
import { z } from 'zod';
import { answered, attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';
import { roleOfShipment } from './read-values.ts';

export const removeReceiver = processCommand({
  name: 'removeReceiver',
  why: 'optional',
  input: z.strictObject({ role: roleOfShipment }),
  meaning: 'Removes the receiver of a shipment',
  example: { role: 'issue' },
  forms: {
    removeReceiver: {
      label: 'Remove the receiver',
      meaning: 'The shipment waits for another receiver then; this person can no longer fetch the item.',
    },
  },
  async act(acting, key, { role }): Promise<{ readonly role: string }> {
    await answered(acting, () => acting.flows.handle(key).removeReceiver({ role, ...attributionOf(acting) }));
    return { role };
  },
  did: ({ role }) => `the receiver of ${role} is removed`,
});
