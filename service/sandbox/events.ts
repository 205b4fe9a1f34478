// GET /sandbox/events: the events of the tenant's shipments, as the callbacks have them, delivered or not.
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { callbackBody } from '../callbacks/delivery/callback-body.ts';
import { sandboxRoute } from './sandbox-route.ts';

const MAXIMUM_EVENTS = 500;

export const events = sandboxRoute(
  'GET',
  '/sandbox/events',
  z.object({
    /** Only events after this one; eventId ascends. */
    after: z.coerce.number().int().min(0).default(0),
    shipmentUid: uid.optional(),
    limit: z.coerce.number().int().min(1).max(MAXIMUM_EVENTS).default(100),
  }),
  async ({ after, shipmentUid, limit }, { database, switchBoard, tenantId }) => {
    const switches = await switchBoard.of(tenantId);
    const rows = await database
      .selectFrom('shipment_events')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('event_id', '>', after)
      .$if(shipmentUid !== undefined, (query) => query.where('shipment_uid', '=', shipmentUid ?? ''))
      .orderBy('event_id')
      .limit(limit)
      .execute();
    return {
      events: rows.map((row) => ({
        eventId: row.event_id,
        createdAt: row.created_at,
        isPending: row.is_pending,
        deliveredAt: row.delivered_at,
        ...callbackBody(row, switches),
      })),
    };
  },
);
