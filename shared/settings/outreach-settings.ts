// The settings by which people reach outside: which connectors take messages to people and requests for a mechanic. Workers and
// console need the same ones: the console offers only what a worker delivers.
import { z } from 'zod';
import { addressKinds, type OutreachSettings } from '../../contract/flows/outreach.ts';

export const outreachSettings = z.object({
  MESSAGE_CONNECTOR: z.string().optional(),
  MESSAGE_ADDRESS: z.enum(addressKinds, `must be one of ${addressKinds.join(', ')}`).default('email'),
  MECHANIC_CONNECTOR: z.string().optional(),
});

export const readOutreachSettings = (data: z.output<typeof outreachSettings>): OutreachSettings => ({
  message: data.MESSAGE_CONNECTOR ?? null,
  sendMechanic: data.MECHANIC_CONNECTOR ?? null,
  address: data.MESSAGE_ADDRESS,
});
