// The commands about the receiver of a leg (interface: SetShipmentReceiver): sets one, or removes the one that it has.
import { z } from 'zod';
import { t } from '../../shared/texts/text.ts';
import { attributionOf, withDeadline } from '../temporal-context.ts';
import { processCommand } from './command.ts';
import { anyText, bookingId, ofBooking, roleOfShipment, text } from './read-values.ts';

const roleIn = ({ role }: { readonly role: string }) => ({ role });

const receiver = z.strictObject({
  role: roleOfShipment,
  booking: bookingId,
  toUserUid: text.meta({ description: 'The account of the receiver' }),
  caseReferenceNew: anyText
    .optional()
    .meta({ description: 'A new case number; without it the case number stays' }),
});

export const setReceiver = processCommand({
  name: 'setReceiver',
  why: 'optional',
  input: receiver,
  meaning: 'Sets the receiver of a shipment',
  example: { role: 'issue', toUserUid: 'user-anna' },
  forms: {
    setReceiver: {
      get label() {
        return t`Set the receiver`;
      },
      get meaning() {
        return t`The service sets this account as the receiver, and tells the person when the item can be fetched. It refuses if the shipment has a receiver already.`;
      },
    },
  },
  fields: (_acting, given) => changeOf(given),
  async act(commandContext, key, given): Promise<{ readonly role: string }> {
    const update = { ...changeOf(given), ...attributionOf(commandContext) };
    await withDeadline(commandContext, () => commandContext.flows.handle(key).setReceiver(update));
    return { role: given.role };
  },
  resultOf: roleIn,
  formatResult: ({ role }) => t`the receiver of ${role} is set`,
});

const changeOf = ({ role, booking, toUserUid, caseReferenceNew }: z.infer<typeof receiver>) => ({
  role,
  ...ofBooking(booking),
  toUserUid,
  ...(caseReferenceNew && { caseReferenceNew }),
});

export const removeReceiver = processCommand({
  name: 'removeReceiver',
  why: 'optional',
  input: z.strictObject({ role: roleOfShipment, booking: bookingId }),
  meaning: 'Removes the receiver of a shipment',
  example: { role: 'issue' },
  forms: {
    removeReceiver: {
      get label() {
        return t`Remove the receiver`;
      },
      get meaning() {
        return t`The shipment waits for another receiver then; this person can no longer fetch the item.`;
      },
    },
  },
  async act(commandContext, key, { role, booking }): Promise<{ readonly role: string }> {
    const update = { role, ...ofBooking(booking), ...attributionOf(commandContext) };
    await withDeadline(commandContext, () => commandContext.flows.handle(key).removeReceiver(update));
    return { role };
  },
  resultOf: roleIn,
  formatResult: ({ role }) => t`the receiver of ${role} is removed`,
});
