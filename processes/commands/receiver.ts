// Sets the receiver of a shipment of a process, or removes it: then it waits for another one (interface: SetShipmentReceiver).
// Only the service knows whether it has one.
import { z } from 'zod';
import { answered, attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';
import { anyText, roleOfShipment, text } from './read-values.ts';

const input = z.strictObject({
  role: roleOfShipment,
  toUserUid: text.meta({ description: 'The account of the receiver' }),
  caseReferenceNew: anyText
    .optional()
    .meta({ description: 'A new case number; without it the case number stays' }),
});

export const setReceiver = processCommand({
  name: 'setReceiver',
  why: 'optional',
  input,
  meaning: 'Sets the receiver of a shipment',
  example: { role: 'issue', toUserUid: 'user-anna' },
  forms: {
    setReceiver: {
      label: 'Set the receiver',
      meaning:
        'The service sets this account as the receiver, and tells the person when the item can be fetched. It refuses if the shipment has a receiver already.',
    },
  },
  fields: (_acting, given) => changeOf(given),
  async act(acting, key, given): Promise<{ readonly role: string }> {
    const update = { ...changeOf(given), ...attributionOf(acting) };
    await answered(acting, () => acting.flows.handle(key).setReceiver(update));
    return { role: given.role };
  },
  did: ({ role }) => `the receiver of ${role} is set`,
});

const changeOf = ({ role, toUserUid, caseReferenceNew }: z.infer<typeof input>) => ({
  role,
  toUserUid,
  ...(caseReferenceNew && { caseReferenceNew }),
});

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
