// GET /sandbox/events and /sandbox/deliveries: the events of the tenant's shipments as the callbacks have them, and how the
// callbacks are delivered.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import {
  ACCESS_MESSAGE_TYPE,
  CALLBACK_MESSAGE_TYPE,
  sentShipmentAccess,
} from '../../contract/wire/callback.ts';
import { uid } from '../../contract/wire/fields.ts';
import { callbackBody } from '../callbacks/delivery/sign-callback.ts';
import { callbackStatus, callbackStatusOf, deliveriesOf, delivery } from '../callbacks/queue/delivery-log.ts';
import { moment } from '../page.ts';
import type { Database } from '../storage/database.ts';
import { asRenamed } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

const MAXIMUM_EVENTS = 500;

// Longer than any transaction that changes a shipment.
const LONGEST_WAIT_MS = 5_000;
const POLL_MS = 5;

const event = z.object({
  eventId: z.number(),
  createdAt: moment,
  isPending: z.boolean().describe('Whether its callback is still to be delivered'),
  deliveredAt: moment.nullable(),
  messageType: z.enum([CALLBACK_MESSAGE_TYPE, ACCESS_MESSAGE_TYPE]),
  message: sentShipmentAccess
    .partial({ accessGoal: true, occurredAt: true })
    .describe('accessGoal and occurredAt are those of a ShipmentAccess'),
});

export const events = sandboxRoute({
  method: 'GET',
  path: '/sandbox/events',
  meaning: "The events of the tenant's shipments, in order, as the callbacks have them, delivered or not",
  input: z.object({
    after: z.coerce
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('Only events after this one. To read on, pass the last eventId'),
    shipmentUid: uid.optional(),
    limit: z.coerce.number().int().min(1).max(MAXIMUM_EVENTS).default(100).describe('At most so many events'),
  }),
  example: {},
  answer: z.object({ events: z.array(event) }),
  handle: async ({ after, shipmentUid, limit }, { database, switchBoard, tenantId }) => {
    const switches = await switchBoard.of(tenantId);
    const configuration = await database
      .selectFrom('callback_configurations')
      .select('extra_fields')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    const last = await lastCompleteEvent(database, tenantId);
    const rows = await database
      .selectFrom('shipment_events')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('event_id', '>', after)
      .where('event_id', '<=', last)
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
        ...callbackBody(row, switches, configuration?.extra_fields === true),
      })),
    };
  },
});

/**
 * The last event before which none is missing. Ids are given before the commit: whoever reads on after an event must not
 * miss a lower one that is committed later. So it waits for the transactions that write events at this moment; if one takes
 * too long, there is nothing new yet.
 */
async function lastCompleteEvent(database: Kysely<Database>, tenantId: number): Promise<number> {
  const { last } = await database
    .selectFrom('shipment_events')
    .select(({ fn }) => fn.max('event_id').as('last'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  let writing = await writingTransactions(database);
  for (const end = Date.now() + LONGEST_WAIT_MS; writing.length > 0 && Date.now() < end; ) {
    await sleep(POLL_MS);
    const now = await writingTransactions(database);
    writing = writing.filter((id) => now.includes(id));
  }
  return writing.length > 0 ? 0 : (last ?? 0);
}

async function writingTransactions(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select virtualtransaction as id from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'shipment_events'::regclass
      and database = (select oid from pg_database where datname = current_database())
  `.execute(database);
  return rows.map(({ id }) => id);
}

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
