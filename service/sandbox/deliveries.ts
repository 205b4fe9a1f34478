// /sandbox/deliveries: a staging tenant sees the delivery of its callbacks, sends them again, parks and resumes them.
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { callbackStatusOf } from '../callbacks/queue/callback-status.ts';
import { deliveriesOf } from '../callbacks/queue/delivery-log.ts';
import { parkCallbacks, resendCallbacks, resumeCallbacks } from '../callbacks/queue/resend-and-park.ts';
import { Refusal } from '../refusal.ts';
import { inTransaction } from '../storage/transaction.ts';
import { asRenamed } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

const MAXIMUM_DELIVERIES = 500;

const deliveries = sandboxRoute(
  'GET',
  '/sandbox/deliveries',
  z.object({
    shipmentUid: uid.optional(),
    pending: z.stringbool().optional(),
    /** The next page: only events before this one. */
    before: z.coerce.number().int().min(1).optional(),
    limit: z.coerce.number().int().min(1).max(MAXIMUM_DELIVERIES).default(100),
  }),
  async (filter, { database, switchBoard, tenantId }) => {
    const switches = await switchBoard.of(tenantId);
    const [receiver, all] = await Promise.all([
      callbackStatusOf(database, tenantId),
      deliveriesOf(database, tenantId, filter),
    ]);
    return {
      receiver,
      deliveries: all.map((one) => ({ ...one, stateCode: asRenamed(switches, one.stateCode) })),
    };
  },
);

const eventId = z.int().min(1);

const resend = sandboxRoute(
  'POST',
  '/sandbox/deliveries/resend',
  z
    .strictObject({
      eventId: eventId.optional(),
      fromEventId: eventId.optional(),
      toEventId: eventId.optional(),
      shipmentUid: uid.optional(),
    })
    .refine(
      (range) => Object.keys(range).length > 0,
      'expected eventId, fromEventId, toEventId or shipmentUid',
    ),
  async ({ eventId: one, fromEventId = one, toEventId = one, shipmentUid }, { database, tenantId }) => ({
    resent: await resendCallbacks(database, tenantId, { fromEventId, toEventId, shipmentUid }),
  }),
);

const steer = (name: 'park' | 'resume', change: typeof parkCallbacks) =>
  sandboxRoute(
    'POST',
    `/sandbox/deliveries/${name}`,
    z.strictObject({ shipmentUid: uid }),
    async ({ shipmentUid }, { database, tenantId }) => {
      if (await inTransaction(database, (transaction) => change(transaction, tenantId, shipmentUid)))
        return {};
      throw new Refusal('InvalidShipment', `There is no shipment ${shipmentUid} with pending callbacks`);
    },
  );

export const deliveryRoutes = [
  deliveries,
  resend,
  steer('park', parkCallbacks),
  steer('resume', resumeCallbacks),
];
