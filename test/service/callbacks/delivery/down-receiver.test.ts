// All senders together probe a receiver that is down with one delivery at a time. When it is back, they do not flood it.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startReceiver } from '../../../support/receiver.ts';
import { eachSampled } from '../../../support/suite.ts';
import { arrivals, ascending, until, untilDelivered, useServiceForEachTest } from '../support.ts';

const { service, receiver } = useServiceForEachTest();

const outage = () => service.database.selectFrom('callback_outages').selectAll().executeTakeFirst();

// assumptions: Callbacks, A receiver that is down
test('two senders together send one probe at a time to a receiver that does not answer', async () => {
  receiver.answer = () => undefined;
  for (let count = 0; count < 2; count++) service.sender({ timeoutMs: 100 });
  // By what the senders have written down: the receiver hears of the end of an attempt after the sender, or never.
  const underWay = async () => {
    const leased = service.database.selectFrom('callback_queue').where('lease_id', 'is not', null);
    return (await leased.select('shipment_id').execute()).length;
  };
  const uids = await Promise.all(Array.from({ length: 6 }, () => service.shipment()));
  await until(async () => ((await outage())?.probes ?? 0) >= 1 && (await underWay()) <= 1);
  const counts: number[] = [];
  receiver.answer = async () => {
    counts.push(await underWay());
    return undefined;
  };
  await until(() => counts.length > 6);
  expect(counts.filter((count) => count > 1)).toEqual([]);
  receiver.answer = () => 200;
  await untilDelivered(service);
  expect(await outage()).toBeUndefined();
  expect([...arrivals(receiver.accepted).keys()].sort()).toEqual([...uids].sort());
});

const answers: readonly (readonly [status: number, is: string])[] = [
  [503, 'down'],
  [429, 'down'],
  [502, 'down'],
  [500, 'up'],
  [504, 'down'],
  [400, 'up'],
];

// assumptions: Callbacks, A receiver that is down
eachSampled(
  test,
  answers,
  3,
)('a receiver that answers %i counts as %s', async (status, is) => {
  service.sender();
  receiver.answer = () => status;
  await service.shipment();
  if (is === 'down') return await until(async () => (await outage()) !== undefined);
  // Its answer is written down before the callback is sent again.
  await until(() => receiver.received.length > 1);
  expect(await outage()).toBeUndefined();
});

// assumptions: Callbacks, A receiver that is down
test('a Retry-After is waited for, by all shipments', { tags: 'long' }, async () => {
  service.sender();
  receiver.answer = (_, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end();
    return undefined;
  };
  const first = await service.shipment();
  await until(async () => (await outage()) !== undefined);
  receiver.answer = () => 200;
  const firstCallAt = receiver.received.at(-1)?.at ?? 0;
  const calls = receiver.received.length;
  const second = await service.shipment();
  await untilDelivered(service);
  const next = receiver.received[calls];
  // Measured by the receiver's clock from the end of its answer, so a little less than the second that it asked for.
  expect((next?.at ?? 0) - firstCallAt).toBeGreaterThan(950);
  expect([...arrivals(receiver.accepted).keys()].sort()).toEqual([first, second].sort());
});

// assumptions: Callbacks, A receiver that is down
test('a new callback probes without waiting for the next repetition, and its success lets all others go', {
  tags: 'long',
}, async () => {
  service.sender({ pollMs: 50 });
  await receiver.down();
  const stuck = await service.shipment();
  await until(async () => (await outage()) !== undefined);
  await until(async () => {
    const { numUpdatedRows } = await service.database
      .updateTable('callback_outages')
      .set({ probe_at: new Date(Date.now() + 3_600_000), first_try_at: new Date() })
      // Not while a probe is under way: when it fails, it would set another time.
      .where('probe_at', '<', new Date(Date.now() + 1_000))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
  await receiver.up();
  const fresh = await service.shipment();
  await untilDelivered(service);
  expect(receiver.accepted.map(({ shipmentUid }) => shipmentUid)).toEqual([fresh, stuck]);
});

test('one slow receiver does not hold up another tenant', { tags: 'long' }, async () => {
  service.sender({ parallel: 2, timeoutMs: 60_000 });
  receiver.answer = () => new Promise(() => undefined);
  for (let count = 0; count < 3; count++) await service.shipment();
  await until(() => receiver.received.length === 2);
  await using quick = await startReceiver();
  const { tenant_id } = await service.database
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_uid', '=', 'other')
    .executeTakeFirstOrThrow();
  await service.database
    .insertInto('callback_configurations')
    .values({ tenant_id, url: quick.url })
    .execute();
  const shipmentUid = await service.shipmentOfOther();
  await untilDelivered(service, shipmentUid);
  expect(quick.accepted).toHaveLength(1);
  expect(receiver.received).toHaveLength(2);
  receiver.answer = () => 200;
});

const limitsOf = [
  { parallel: 2, parallelTotal: 100 },
  { parallel: 100, parallelTotal: 2 },
];

eachSampled(
  test,
  limitsOf,
  2,
)(
  'however many are due, no more are under way than $parallel to a tenant and $parallelTotal in all',
  async (limits) => {
    for (let booked = 0; booked < 6; booked++) await service.shipment();
    let most = 0;
    let alone = '';
    const count = async () => {
      const leased = service.database.selectFrom('callback_queue').where('lease_id', 'is not', null);
      most = Math.max(most, (await leased.select('shipment_id').execute()).length);
    };
    receiver.answer = async () => {
      await count();
      // The first attempt stays open until the sender takes the second: after a quick answer there would be nothing to
      // count. It does not wait for ever: a probe of a receiver that failed once is alone.
      for (let looked = 0; looked < 500 && most < 2; looked++) {
        await pause(20);
        await count();
      }
      // Under load it once stayed alone for ten seconds: what the queue was then says why.
      if (most < 2)
        alone = JSON.stringify(await service.database.selectFrom('callback_queue').selectAll().execute());
      return 200;
    };
    service.sender({ ...limits, timeoutMs: 60_000 });
    await untilDelivered(service);
    // Where an attempt failed, its error says why the others waited.
    const failed = await service.database.selectFrom('callback_failures').select('error').execute();
    expect(most, `failed attempts: ${failed.map(({ error }) => error)}; queue: ${alone}`).toBe(2);
  },
);

test('a flood of refused repetitions leaves room for first tries', { tags: 'long' }, async () => {
  service.sender({ parallel: 4, parallelRepeated: 2, timeoutMs: 60_000 });
  receiver.answer = () => 500;
  const stuck = await Promise.all(Array.from({ length: 6 }, () => service.shipment()));
  await until(() => arrivals(receiver.received).size === 6);
  // From now on the repetitions hang, as many as may be under way at once.
  receiver.answer = ({ shipmentUid }) => (stuck.includes(shipmentUid) ? new Promise(() => undefined) : 200);
  const fresh = await service.shipment();
  await service.events(fresh, 3);
  await untilDelivered(service, fresh);
  const events = arrivals(receiver.accepted).get(fresh) ?? [];
  expect(events).toHaveLength(4);
  expect(events).toEqual(ascending(events));
});
