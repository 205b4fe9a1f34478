// A booking as one bare statement through pg: book_chain with the arguments that the service gives it, so the same locks,
// rows, codes and synced commit. Each connection prepares it once, as the service's do.
import pg from 'pg';
import { plannedShipment, roomOf, shipmentRow } from '../../service/shipments/planned-shipment.ts';
import { useFunctions } from '../../service/storage/functions.ts';
import { CONNECTIONS } from './programs.ts';

export const dimension = { width: 10, height: 10, length: 10 };
export const permissions = { allowLargerLockers: true, allowOverflowLockers: false };
export const users = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };

const STATEMENT = 'select * from book_chain(jsonb_populate_record(null::booking, $1), $2)';

/** @returns how to make one booking; it throws unless it booked */
export async function bareBookings(url: string, stack: AsyncDisposableStack) {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    idleTimeoutMillis: 0,
    // The pool waits for it, before it gives the connection away.
    onConnect: (client) => client.query(useFunctions),
  });
  stack.defer(() => pool.end());
  const { rows } = await pool.query("select tenant_id from tenants where tenant_uid = 'demo'");
  const tenantId = Number(rows[0].tenant_id);
  const room = roomOf({ dimension, ...permissions });
  const { smallSide, middleSide, largeSide } = room.sides;
  return async (pupUid: string): Promise<object> => {
    const shipment = plannedShipment({ ...users, room });
    const state = { to: 'ReadyForDropoff', pickUpCode: 'new', deliveryCode: 'new' } as const;
    const booking = {
      tenant_id: tenantId,
      pup_uid: pupUid,
      allow_larger: true,
      allow_overflow: false,
      may_empty: false,
      small_side: smallSide,
      middle_side: middleSide,
      large_side: largeSide,
      named_user_uids: [users.fromUserUid, users.toUserUid],
      shipments: [shipmentRow({ ...shipment, isStock: false }, state)],
      response: { shipmentUid: shipment.shipmentUid },
      operation: 'CreateLocalShipment',
      client_id: 'demo',
      request_id: 'bench',
      uids: [shipment.shipmentUid],
    };
    // As the service does: where others hold all free lockers, it waits for one.
    for (let waits = false; ; waits = !waits) {
      const values = [JSON.stringify(booking), waits];
      const { rows: outcomes } = await pool.query({ name: 'booking', text: STATEMENT, values });
      const [outcome] = outcomes;
      if (outcome?.outcome === 'booked') return outcome.response;
      if (outcome?.outcome !== 'Busy') throw new Error(`The floor was refused: ${outcome?.outcome}`);
    }
  };
}
