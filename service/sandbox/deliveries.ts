// /sandbox/deliveries: a staging tenant sees the delivery of its callbacks, sends them again, parks and resumes them.
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { callbackStatus, callbackStatusOf } from '../callbacks/queue/callback-status.ts';
import { deliveriesOf, delivery } from '../callbacks/queue/delivery-log.ts';
import { parkCallbacks, resendCallbacks, resumeCallbacks } from '../callbacks/queue/resend-and-park.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../storage/transaction.ts';
import { asRenamed } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

const MAXIMUM_DELIVERIES = 500;

const deliveries = sandboxRoute({
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

const eventId = z.int().min(1);

const resend = sandboxRoute({
  method: 'POST',
  path: '/sandbox/deliveries/resend',
  meaning: 'Sends callbacks again, with the same ids: one event, a range of events, or those of a shipment',
  input: z
    .strictObject({
      eventId: eventId.optional(),
      fromEventId: eventId.optional(),
      toEventId: eventId.optional(),
      shipmentUid: uid.optional(),
    })
    .refine(
      (range) => Object.keys(range).length > 0,
      'must have eventId, fromEventId, toEventId or shipmentUid',
    )
    .meta({ minProperties: 1 }),
  example: { eventId: 1 },
  answer: z.object({ resent: z.number().describe('How many events') }),
  handle: async (
    { eventId: one, fromEventId = one, toEventId = one, shipmentUid },
    { database, tenantId },
  ) => ({
    resent: await resendCallbacks(database, tenantId, { fromEventId, toEventId, shipmentUid }),
  }),
});

const steer = (name: 'park' | 'resume', meaning: string, change: typeof parkCallbacks) =>
  sandboxRoute({
    method: 'POST',
    path: `/sandbox/deliveries/${name}`,
    meaning,
    input: z.strictObject({ shipmentUid: uid }),
    example: { shipmentUid: 'S-100001' },
    answer: z.object({}),
    errors: ['InvalidShipment'],
    handle: async ({ shipmentUid }, { database, tenantId }) => {
      if (await inTransaction(database, (transaction) => change(transaction, tenantId, shipmentUid)))
        return {};
      throw new Refusal('InvalidShipment', `There is no shipment ${shipmentUid} with pending callbacks`);
    },
  });

export const deliveryRoutes = [
  deliveries,
  resend,
  steer('park', 'Stops the callbacks of a shipment', parkCallbacks),
  steer('resume', 'Sends the pending callbacks of a shipment now', resumeCallbacks),
];
