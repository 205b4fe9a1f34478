// GET /sandbox/deliveries: a staging tenant sees the delivery of its callbacks.
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { callbackStatus, callbackStatusOf } from '../callbacks/queue/callback-status.ts';
import { deliveriesOf, delivery } from '../callbacks/queue/delivery-log.ts';
import { asRenamed } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

const MAXIMUM_DELIVERIES = 500;

export const deliveries = sandboxRoute({
  method: 'GET',
  path: '/sandbox/deliveries',
  meaning: 'The delivery of each callback, the latest first, and the state of the receiver',
  input: z.object({
    shipmentUid: uid.optional(),
    pending: z
      .stringbool()
      .optional()
      .meta({ description: 'true: only those that are not delivered yet', enum: ['true', 'false'] }),
    before: z.coerce.number().int().min(1).optional().describe('The next page: only events before this one'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAXIMUM_DELIVERIES)
      .default(100)
      .describe('At most so many deliveries'),
  }),
  example: {},
  answer: z.object({ receiver: callbackStatus, deliveries: z.array(delivery) }),
  handle: async (filter, { database, switchBoard, tenantId, encryption }) => {
    const switches = await switchBoard.of(tenantId);
    const [receiver, all] = await Promise.all([
      callbackStatusOf(database, tenantId, encryption),
      deliveriesOf(database, tenantId, filter),
    ]);
    return {
      receiver,
      deliveries: all.map((one) => ({ ...one, stateCode: asRenamed(switches, one.stateCode) })),
    };
  },
});
