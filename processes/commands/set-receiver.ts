// Sets the receiver of a shipment of a process (interface: SetShipmentReceiver). Only the service knows whether it has one.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { answered, attributionOf } from '../at-temporal.ts';
import { processCommand } from './command.ts';
import { anyText, oneOf, text } from './read-values.ts';

const input = z.strictObject({
  role: oneOf(roles),
  toUserUid: text,
  /** Empty: the case number stays. */
  caseReferenceNew: anyText.optional(),
});

export const setReceiver = processCommand({
  ...{ name: 'setReceiver', why: 'optional', input, asked: () => ['setReceiver'] },
  fields: (_acting, given) => changeOf(given),
  async act(acting, key, given): Promise<{ readonly role: string }> {
    const update = { ...changeOf(given), ...attributionOf(acting) };
    await answered(acting, () => acting.flows.handle(key).setReceiver(update));
    return { role: given.role };
  },
  did: ({ role }) => `the receiver of ${role} is set`,
});

const changeOf = ({ role, toUserUid, caseReferenceNew }: z.infer<typeof input>) => ({
  ...{ role, toUserUid },
  ...(caseReferenceNew && { caseReferenceNew }),
});
