// The clock of a staging tenant over real HTTP: what happens to its shipments, the retries of its callbacks and its
// expiries go by it; those of another tenant do not.
import { beforeEach, expect, test, vi } from 'vitest';
import { type SandboxClock, sandboxClock } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { tenantIdOf } from '../../../service/administration/tenants.ts';
import { deliveriesOf } from '../../../service/callbacks/queue/delivery-log.ts';
import { callerAs } from '../../support/caller.ts';
import { messagesOf } from '../../support/notifications.ts';
import { startReceiver } from '../../support/receiver.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { eachSampled } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';
import { createCallbackTest } from '../callbacks/support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const soon = { timeout: 30_000 };

const service = useInFile(async () => {
  const made = await createCallbackTest();
  // An attempt that fails is repeated after hours: in no test by itself.
  const patience = { firstMs: 2 * HOUR, lastMs: 2 * HOUR };
  made.sender({ patience, probePatience: patience });
  return made;
});
const sandbox = useInFile(() => sandboxAs(service.address));
const sandboxOfOther = useInFile(() => sandboxAs(service.address, 'other'));
const receiver = useInFile(() => startReceiver());
beforeEach(async () => {
  receiver.answer = () => 204;
  for (const one of [sandbox, sandboxOfOther]) await one('POST', 'reset');
});

const clock = async (change?: object, by = sandbox): Promise<SandboxClock> =>
  sandboxClock.parse((await by(change ? 'POST' : 'GET', 'clock', change)).body);

const msAhead = (moment: unknown) => Date.parse(String(moment)) - Date.now();

async function ofAnother(): Promise<void> {
  const other = await callerAs(service.address, 'other');
  await other('ConfigureCallback', { url: receiver.url, authType: 'None' });
}

// assumptions: The clock of a staging tenant, What goes by it
test('a clock that was moved ahead runs on from there, and what happens to shipments has its time', async () => {
  expect((await clock()).aheadMs).toBe(0);
  await clock({ advance: 'P2D' });
  const moved = await clock({ advance: 'PT12H30M' });
  expect(moved.aheadMs).toBe(2.5 * DAY + HOUR / 2);
  expect(msAhead(moved.now) / moved.aheadMs).toBeCloseTo(1, 3);
  const shipmentUid = await service.shipment();
  const { body } = await service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
  const [shipment] = body.items as { stateStart: string }[];
  expect(msAhead(`${shipment?.stateStart}Z`) / moved.aheadMs).toBeCloseTo(1, 3);
  const [event] = await messagesOf(service.database, [shipmentUid]);
  expect(event?.message.stateStart).toBe(shipment?.stateStart);
  const { body: changed } = await service.call('GetShipments', {
    pageNo: 1,
    pageSize: 10,
    updatedSince: new Date(Date.now() + 2 * DAY).toISOString(),
  });
  expect(changed.items).toHaveLength(1);
});

// assumptions: The clock of a staging tenant, What keeps the real time
test('the access token and the audit log keep the real time', async () => {
  await service.shipment();
  await clock({ advance: 'P30D' });
  expect((await sandbox('GET', 'clock')).status).toBe(200);
  await service.shipment();
  const { body } = await service.call('GetAuditLog', { pageSize: 10 });
  const moments = (body.items as { occurredAt: string }[]).map(({ occurredAt }) => msAhead(`${occurredAt}Z`));
  expect(moments.length).toBeGreaterThan(3);
  expect(Math.max(...moments)).toBeLessThan(HOUR);
});

test('what happened at a locker and to its shipment is told in real time, and never moves', async () => {
  await clock({ advance: 'P6D' });
  const shipmentUid = await service.shipment();
  const told = async () => {
    const { body: lockers } = await service.call('GetLockers', { pageNo: 1, pageSize: 500 });
    const accesses = (lockers.items as { lastAccess: { occurredAt: string } | null }[]).flatMap(
      ({ lastAccess }) => lastAccess ?? [],
    );
    const { body } = await service.call('GetShipmentEvents', { shipmentUid });
    return { accesses, events: body.items as { kind: string; occurredAt: string }[] };
  };
  const before = await told();
  expect(before.accesses).toHaveLength(1);
  expect(before.events.map(({ kind }) => kind).slice(-2)).toEqual(['LockerOpened', 'StateChanged']);
  for (const { occurredAt } of [...before.accesses, ...before.events])
    expect(Math.abs(msAhead(`${occurredAt}Z`))).toBeLessThan(HOUR);
  await clock({ advance: 'PT1H' });
  expect(await told()).toEqual(before);
});

test('the clock of one tenant moves no other tenant, and no callback of it', async () => {
  await ofAnother();
  receiver.answer = () => 500;
  await service.shipmentOfOther();
  await vi.waitFor(async () => expect((await clock(undefined, sandboxOfOther)).next).not.toBeNull(), soon);
  const before = await clock(undefined, sandboxOfOther);
  const tries = receiver.received.length;
  await clock({ advance: 'P14D' });
  const after = await clock(undefined, sandboxOfOther);
  expect(after.aheadMs).toBe(0);
  expect(after.next?.at).toBe(before.next?.at);
  expect(receiver.received).toHaveLength(tries);
  const uid = await service.shipmentOfOther();
  const [event] = await messagesOf(service.database, [uid]);
  expect(Math.abs(msAhead(`${event?.message.stateStart}Z`))).toBeLessThan(HOUR);
});

test('a callback is tried again when the clock has come to it, not before', async () => {
  receiver.answer = () => 500;
  await service.configure({ url: receiver.url, authType: 'None' });
  const shipmentUid = await service.shipment();
  const waiting = await vi.waitFor(async () => {
    const now = await clock();
    expect(now).toMatchObject({ underWay: 0, next: { shipmentUid, attempt: 2 } });
    return now;
  }, soon);
  const tries = () => receiver.received.filter((each) => each.shipmentUid === shipmentUid).length;
  expect(waiting.next?.inMs).toBeGreaterThan(HOUR / 2);
  const early = await clock({ advance: 'PT30M' });
  expect(early.underWay).toBe(0);
  expect((early.next?.inMs ?? 0) / ((waiting.next?.inMs ?? 0) - HOUR / 2)).toBeCloseTo(1, 2);
  const tenantId = await tenantIdOf(service.database, 'demo');
  const [delivery] = await deliveriesOf(service.database, tenantId, { shipmentUid, limit: 1 });
  expect(delivery?.nextAttemptAt?.toISOString()).toBe(early.next?.at);
  expect(tries()).toBe(1);
  receiver.answer = () => 204;
  await clock({ advance: 'PT2H' });
  await vi.waitFor(() => expect(tries()).toBe(2), soon);
  await vi.waitFor(async () => expect(await clock()).toMatchObject({ underWay: 0, next: null }), soon);
});

test('a receiver that is down is probed when the clock has come to the probe', { tags: 'long' }, async () => {
  await service.configure({ url: receiver.url, authType: 'None' });
  await receiver.down();
  const shipmentUid = await service.shipment();
  await vi.waitFor(async () => {
    expect(await service.database.selectFrom('callback_outages').selectAll().execute()).toHaveLength(1);
    expect(await clock()).toMatchObject({ underWay: 0, next: { shipmentUid } });
  }, soon);
  await receiver.up();
  await clock({ advance: 'PT3H' });
  await vi.waitFor(() => expect(receiver.accepted.at(-1)?.shipmentUid).toBe(shipmentUid), soon);
});

test('an Idempotency-Key is forgotten when the clock is 24 hours further', async () => {
  const booked = async () =>
    (
      await service.call('CreateLocalShipment', examples.CreateLocalShipment.request, {
        'idempotency-key': 'order-1',
      })
    ).body.shipmentUid;
  const first = await booked();
  await clock({ advance: 'PT23H' });
  expect(await booked()).toBe(first);
  await clock({ advance: 'PT1H' });
  const second = await booked();
  expect(second).not.toBe(first);
  expect(await booked()).toBe(second);
});

test('a former key signs callbacks no more when the clock has come to its end', {
  tags: 'long',
}, async () => {
  await service.configure({ url: receiver.url, authType: 'HMAC' });
  await service.configure({ url: receiver.url, authType: 'HMAC', resetKey: true });
  const signatures = async () => {
    const shipmentUid = await service.shipment();
    const callback = await vi.waitFor(() => {
      const found = receiver.accepted.find((each) => each.shipmentUid === shipmentUid);
      if (!found) throw new Error('no callback yet');
      return found;
    }, soon);
    return String(callback.headers['webhook-signature']).split(' ').length;
  };
  expect(await signatures()).toBeGreaterThan(1);
  await clock({ advance: 'PT25H' });
  expect(await signatures()).toBe(1);
});

// assumptions: The clock of a staging tenant, Moving it back
test('reset puts the clock back to the real time, and forgets who goes by it', async () => {
  await clock({ advance: 'P30D', follow: 'default/loan-1' });
  await sandbox('POST', 'reset');
  const now = await clock();
  expect(now).toMatchObject({ aheadMs: 0, followers: [] });
  expect(Math.abs(msAhead(now.now))).toBeLessThan(HOUR);
});

test('the processes that go by a clock are those of its tenant; those that leave are gone', async () => {
  await clock({ follow: 'default/loan-1' });
  await clock({ follow: 'default/loan-2' });
  expect((await clock({ follow: 'default/loan-1' })).followers).toEqual(['default/loan-1', 'default/loan-2']);
  expect((await clock({ leave: ['default/loan-1'] }, sandboxOfOther)).followers).toEqual([]);
  expect((await clock({ leave: ['default/loan-2', 'default/other'] })).followers).toEqual(['default/loan-1']);
});

const wrong: readonly (readonly [change: object, words: RegExp])[] = [
  [{ advance: '3 days' }, /advance.*ISO 8601 duration/],
  [{ advance: '-P1D' }, /advance.*ISO 8601 duration/],
  [{ advance: 'PT0S' }, /advance.*longer than zero/],
  [{ advance: 'P999999D' }, /advance.*ten years/],
  [{ advance: 'P999999W' }, /advance.*ten years/],
  [{ advanced: 'P3D' }, /advanced/],
  [{ follow: '' }, /follow/],
];

eachSampled(
  test,
  wrong,
  3,
)('a wrong change of the clock is refused and moves nothing: %j', async (change, words) => {
  await clock({ advance: 'P1D' });
  expect(await sandbox('POST', 'clock', change)).toMatchObject({
    status: 400,
    body: { error: 'InvalidRequest', message: expect.stringMatching(words) },
  });
  expect((await clock()).aheadMs).toBe(DAY);
});
