// Removes the receiver of a shipment of a process: it waits for another one then.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import { answered } from '../at-temporal.ts';
import { command, ofOpenProcess } from './command.ts';
import { oneOf } from './read-values.ts';

const input = z.strictObject({ role: oneOf(roles) });
type Input = z.infer<typeof input>;

export const removeReceiver = command({
  ...{ name: 'removeReceiver', right: 'decide', why: 'optional', input },
  flowOf: ofOpenProcess,
  preview: async (_acting, _key: string, { role }: Input) => ({ role }),
  async act(acting, key, { role }) {
    const { by, why } = acting;
    await answered(acting, () => acting.flows.handle(key).removeReceiver({ role, by, ...(why && { why }) }));
    return { role };
  },
  would: ({ role }) => `${role} waits for another receiver; this one can no longer fetch the item`,
  did: ({ role }) => `the receiver of ${role} is removed`,
});
