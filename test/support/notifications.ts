// The notifications of tenants about their shipments: recorded events, each as its callback has it or would have it.
import type { Kysely } from 'kysely';
import { callbackBody } from '../../service/callbacks/delivery/callback-body.ts';
import type { Database } from '../../service/storage/database.ts';
import { switches } from '../../service/switches/switches.ts';

/** In the order of the events. */
export async function messagesOf(
  database: Kysely<Database>,
  shipmentUids: readonly string[],
  changes: Parameters<typeof switches.parse>[0] = {},
) {
  const events = await database
    .selectFrom('shipment_events')
    .selectAll()
    .where('shipment_uid', 'in', [...shipmentUids])
    .orderBy('event_id')
    .execute();
  return events.map((event) => callbackBody(event, switches.parse(changes), true));
}

/** The states that the events of these shipments have, in their order: [index of the shipment, state]. */
export async function notifiedStates(
  database: Kysely<Database>,
  ...shipmentUids: readonly string[]
): Promise<[number, string][]> {
  const messages = await messagesOf(database, shipmentUids);
  return messages.map(({ message: { shipmentUid, stateCode } }) => [
    shipmentUids.indexOf(shipmentUid),
    stateCode,
  ]);
}
