// Sets the receiver of a shipment of a process (interface: SetShipmentReceiver). Only the service knows whether it has one.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { answered } from '../at-temporal.ts';
import { command, ofOpenProcess } from './command.ts';
import { anyText, oneOf, text } from './read-values.ts';

const input = z.strictObject({
  role: oneOf(roles),
  toUserUid: text,
  /** Empty: the case number stays. */
  caseReferenceNew: anyText.optional(),
});
type Input = z.infer<typeof input>;

export const setReceiver = command({
  ...{ name: 'setReceiver', right: 'decide', why: 'optional', input },
  flowOf: ofOpenProcess,
  preview: async (_acting, _key: string, { role }: Input) => ({ role }),
  async act(acting, key, { role, toUserUid, caseReferenceNew }) {
    const { by, why } = acting;
    const update = {
      role,
      toUserUid,
      ...(caseReferenceNew && { caseReferenceNew }),
      by,
      ...(why && { why }),
    };
    await answered(acting, () => acting.flows.handle(key).setReceiver(update));
    return { role };
  },
  would: ({ role }) =>
    `the account becomes the receiver of ${role}, and is told when the item can be fetched`,
  did: ({ role }) => `the receiver of ${role} is set`,
});
