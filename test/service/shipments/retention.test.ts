// Ended shipments are deleted after the retention, with all that hangs on them; what is active or untold stays.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetEndedShipments } from '../../../service/delete-old-shipments.ts';
import { withService } from '../../support/service.ts';
import { wallOf } from '../../support/wall.ts';

test('ended shipments are deleted with all that hangs on them, and removed accounts after them', () =>
  withService(async ({ address, database }) => {
    const wall = await wallOf(address);
    const chain = await wall.book('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', {
      priorShipmentUid: (await wall.book('CreateLocalShipmentAsStock'))[0],
    });
    await wall.ok('AddShipmentObject', { shipmentUid: chain[0], details: { description: 'a drill' } });
    await wall.cancel(chain[0]);
    const [active] = await wall.book('CreateLocalShipmentAsIssue', { toUserUid: 'user-anna' });
    const [untold, young] = [
      (await wall.book('CreateLocalShipmentAsStock'))[0],
      (await wall.book('CreateLocalShipmentAsStock'))[0],
    ];
    for (const uid of [untold, young]) await wall.cancel(uid);
    await wall.ok('RemoveAccount', { userUid: 'user-bram' });
    const age = sql<Date>`now() - interval '11 days'`;
    await database
      .updateTable('shipments')
      .set({ updated_at: age })
      .where('shipment_uid', '<>', young)
      .execute();
    await sql`update accounts set removed_at = ${age} where removed_at is not null`.execute(database);
    await sql`
      insert into callback_queue (shipment_id, tenant_id, due_at)
      select shipment_id, tenant_id, now() from shipments where shipment_uid = ${untold}
    `.execute(database);
    const left = async () => {
      const shipments = await database.selectFrom('shipments').select('shipment_uid').execute();
      return shipments.map(({ shipment_uid }) => shipment_uid).sort();
    };

    await forgetEndedShipments(database, 12);
    expect(await left()).toHaveLength(6);
    await forgetEndedShipments(database, 10);
    expect(await left()).toEqual([active, untold, young].sort());
    expect(await database.selectFrom('shipment_objects').selectAll().execute()).toEqual([]);
    const events = await database.selectFrom('shipment_events').select('shipment_uid').distinct().execute();
    expect(events.map(({ shipment_uid }) => shipment_uid).sort()).toEqual([untold, young].sort());
    const accounts = await database.selectFrom('accounts').select('user_uid').execute();
    expect(accounts.map(({ user_uid }) => user_uid)).not.toContain('user-bram');
    await wall.refuses('CancelShipment', { shipmentUid: chain[0] }, 'InvalidShipment');
  }));

test('a request that waits for the locker of a shipment, which is deleted meanwhile, finds no shipment', () =>
  withService(async ({ address, database }) => {
    const wall = await wallOf(address);
    const [shipmentUid] = await wall.book('CreateLocalShipmentAsStock');
    await wall.cancel(shipmentUid);
    await sql`update shipments set updated_at = now() - interval '11 days'`.execute(database);
    const waiting = sql<{ waits: boolean }>`
      select exists (select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waits
    `;
    const refused = await database.transaction().execute(async (transaction) => {
      await sql`select from lockers for no key update`.execute(transaction);
      const request = wall.refused('CancelShipment', { shipmentUid });
      await expect.poll(async () => (await waiting.execute(database)).rows[0]?.waits).toBe(true);
      await forgetEndedShipments(database, 10);
      return { request };
    });
    expect(await refused.request).toMatchObject({ status: 404, error: 'InvalidShipment' });
  }));
