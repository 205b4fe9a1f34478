// Walls over real WebSockets: codes typed at doors, openings that requests ask for, at any instance, and what becomes of
// doors that stay shut, say nothing, or answer late.
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { insertCommand, takeUnsent } from '../../../service/hardware/wall-commands.ts';
import { messagesOf, notifiedStates } from '../../support/notifications.ts';
import { createTestService, type ServiceInstance, type TestService } from '../../support/service.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall, type WallCredentials } from '../../support/walls/new-wall.ts';
import { TestWall, type TestWallOptions } from '../../support/walls/test-wall.ts';

let service: TestService;
let tenant: Wall;
let credentials: WallCredentials;

beforeEach(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
  credentials = await newWall(service.url, 'demo', 'pup-central');
});
afterEach(() => service[Symbol.asyncDispose]());

const connect = (
  changes: Partial<TestWallOptions> = {},
  { address }: ServiceInstance = service,
): Promise<TestWall> => TestWall.connected({ ...credentials, address, ...changes });

// assumptions: Walls, Codes
test('a code that is typed at the wall opens the door of its shipment, and the shipment advances', async () => {
  const wall = await connect();
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const { deliveryCode, pickUpCode } = await tenant.codes(shipmentUid);
  const lockerUid = `pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;
  const dropOff = await wall.type(`${deliveryCode}`);
  expect(dropOff).toMatchObject({ opens: { lockerUid, goal: 'DropOff' } });
  await wall.answer('forget', ({ commandId }) => commandId === dropOff.opens?.commandId);
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  const pickUp = await wall.type(`${pickUpCode}`, lockerUid);
  expect(pickUp).toMatchObject({ opens: { lockerUid, goal: 'PickUp' } });
  await wall.answer('forget', ({ commandId }) => commandId === pickUp.opens?.commandId);
  expect(await tenant.states(shipmentUid)).toEqual(['Completed']);
  expect(wall.openings).toEqual([lockerUid, lockerUid]);
});

// assumptions: Operating, GetShipmentEvents
test('each code that opened nothing, and each door that stayed shut, is told with its shipment', async () => {
  const wall = await connect();
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const [other] = await tenant.book('CreateLocalShipment');
  const { deliveryCode } = await tenant.codes(shipmentUid);
  const lockerUid = `pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;
  expect(await wall.type('0000', lockerUid)).toMatchObject({ error: 'InvalidAccessCode' });
  wall.setFault('Stuck');
  const { opens } = await wall.type(`${deliveryCode}`, lockerUid);
  await wall.answer('forget', ({ commandId }) => commandId === opens?.commandId);
  const tries = async (uid: string | undefined) => {
    const { items } = await tenant.ok('GetShipmentEvents', { shipmentUid: uid });
    return (items as Readonly<Record<string, string | null>>[])
      .filter(({ kind }) => kind !== 'Requested' && kind !== 'StateChanged')
      .map(({ kind, operation, outcome }) => `${kind} ${operation} ${outcome}`);
  };
  expect(await tries(shipmentUid)).toEqual([
    'CodeRefused codeTyped InvalidAccessCode',
    'StayedShut codeTyped UnlockFailed',
  ]);
  expect(await tries(other)).toEqual([]);
});

test('a pick-up in place at a wall is told as ShipmentAccess, unless the switch is off', async () => {
  const wall = await connect();
  await tenant.ok('ConfigureCallback', {
    url: 'http://127.0.0.1:9/',
    authType: 'None',
    accessMessages: true,
  });
  const [shipmentUid] = await tenant.book('CreateCollectOnlyShipment', { keepBookedAfterPickUp: true });
  const { pickUpCode } = await tenant.codes(shipmentUid);
  for (const accessMessages of [false, true]) {
    await tenant.sandbox('POST', 'switches', { accessMessages });
    const { opens } = await wall.type(`${pickUpCode}`);
    await wall.answer('forget', ({ commandId }) => commandId === opens?.commandId);
    const message = { messageType: 'ShipmentAccess', message: { shipmentUid, accessGoal: 'PickUp' } };
    expect(await messagesOf(service.database, [shipmentUid])).toMatchObject(accessMessages ? [message] : []);
  }
});

// assumptions: Walls, Openings that a request asks for
test('UnlockShipmentLocker and SimulateLockerAccess open doors of a wall that another instance has', async () => {
  const other = await service.anotherInstance();
  const wall = await connect({}, other);
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  await tenant.drop(shipmentUid);
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  const { pickUpCode } = await tenant.codes(shipmentUid);
  expect(await tenant.type(shipmentUid, pickUpCode)).toMatchObject({ success: true });
  expect(await tenant.states(shipmentUid)).toEqual(['Completed']);
  expect(wall.openings).toHaveLength(2);
  await other.close();
});

// assumptions: Walls, Openings that a request asks for
test('a door is asked of the newest connection alone, whichever instance still has the one before', async () => {
  const sessionId = async () => {
    const { rows } = await sql<{ id: string }>`select session_id as id from walls`.execute(service.database);
    return rows[0]?.id ?? '';
  };
  const other = await service.anotherInstance();
  await connect({}, other);
  const former = await sessionId();
  await connect();
  const { rows } = await sql<{ tenantId: number; pickUpPointId: number; lockerId: number }>`
    select pick_up_points.tenant_id as "tenantId", pick_up_point_id as "pickUpPointId", locker_id as "lockerId"
    from lockers join pick_up_points using (pick_up_point_id) where pup_uid = 'pup-central' limit 1
  `.execute(service.database);
  const [place] = rows as [(typeof rows)[0]];
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const request = {
    clientId: null,
    onBehalfOf: null,
    why: null,
    operation: 'UnlockShipmentLocker',
    requestId: 'request',
  };
  const command = { shipmentUid, eventType: null, keyHash: null, requestHash: null, instanceId: null };
  // In one transaction: no instance sees the command before.
  await service.database.transaction().execute(async (transaction) => {
    await insertCommand(transaction, { ...place, ...request, ...command, isSent: false });
    expect(await takeUnsent(transaction, [former])).toEqual([]);
    expect(await takeUnsent(transaction, [await sessionId()])).toHaveLength(1);
  });
  await other.close();
});

test('a request hears of its door at once, also at an instance with a wall of its own that has heard of none before', {
  tags: 'long',
}, async () => {
  const other = await service.anotherInstance();
  await connect(await newWall(service.url, 'demo', 'pup-station'));
  await connect({}, other);
  const isListening = sql<{ listens: boolean }>`
    select count(*) > 1 as listens from pg_stat_activity
    where application_name = 'lockerflow-walls' and datname = current_database() and query like 'LISTEN%'
  `;
  // Both instances hear of doors before the first request waits for one.
  await expect.poll(async () => (await isListening.execute(service.database)).rows[0]?.listens).toBe(true);
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  // Nobody who looks by himself would find it: an answer comes by a notification, or not at all.
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setInterval'] });
  await tenant.drop(shipmentUid);
  await other.close();
});

test('a request with an Idempotency-Key opens a wall’s door once, and its answer is kept', async () => {
  const wall = await connect();
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const request = { shipmentUid, unlockGoal: 'DropOff' };
  const key = { 'idempotency-key': 'once' };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => tenant.call('UnlockShipmentLocker', request, key)),
  );
  expect(answers.map(({ body }) => body.success)).toEqual([true, true, true, true]);
  expect(wall.openings).toHaveLength(1);
});

// assumptions: Walls, A pick up point whose wall is not connected
test('a pick up point whose wall is not connected answers UnlockFailed and says so', async () => {
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  expect(await tenant.refused('UnlockShipmentLocker', { shipmentUid })).toEqual({
    status: 502,
    error: 'UnlockFailed',
    message: expect.stringContaining('the wall of pup-central is not connected'),
  });
  const wall = await connect();
  await tenant.ok('UnlockShipmentLocker', { shipmentUid });
  wall.cut();
  const session = service.database.selectFrom('walls').select('session_id');
  await expect.poll(async () => (await session.executeTakeFirst())?.session_id).toBeNull();
  expect(await tenant.ok('GetLockers', { pageNo: 1, pageSize: 1, doorStayedShut: true })).toMatchObject({
    totalItems: 24,
    items: [
      {
        door: 'Unknown',
        doorFailure: { reason: 'the wall of pup-central is not connected', wallOffline: true },
      },
    ],
  });
  expect(await tenant.refused('UnlockShipmentLocker', { shipmentUid })).toMatchObject({
    message: expect.stringContaining('is not connected'),
  });
});

test('a door that stays shut changes nothing, and the answer says why', async () => {
  const wall = await connect();
  wall.setFault('Stuck');
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  expect(await tenant.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })).toMatchObject({
    error: 'UnlockFailed',
    message: expect.stringContaining('the door is stuck'),
  });
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
  expect(await notifiedStates(service.database, shipmentUid)).toEqual([]);
  // assumptions: Operating, GetLockers: until it opens
  const { pupUid } = await tenant.shipment(shipmentUid);
  const shown = async () => {
    const { items } = await tenant.ok('GetLockers', { pageNo: 1, pageSize: 100, pupUid });
    return (items as { door: string; doorFailure: object | null }[])
      .map(({ door, doorFailure }) => ({ door, doorFailure }))
      .filter(({ door, doorFailure }) => door !== 'Closed' || doorFailure);
  };
  const doorFailure = {
    occurredAt: expect.any(String),
    failingSince: expect.any(String),
    reason: expect.stringContaining('the door is stuck'),
    wallOffline: false,
  };
  expect(await shown()).toEqual([{ door: 'Closed', doorFailure }]);
  wall.setFault('None');
  await tenant.drop(shipmentUid);
  expect(await shown()).toEqual([{ door: 'Open', doorFailure: null }]);
});

// assumptions: Operating, GetLockers
test('a door that stays shut says since when it has, however often it is tried, until it opens', async () => {
  const wall = await connect();
  wall.setFault('Stuck');
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const { pupUid } = await tenant.shipment(shipmentUid);
  const isRefused = () => tenant.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  const failure = async () => {
    const { items } = await tenant.ok('GetLockers', { pageNo: 1, pageSize: 1, pupUid, doorStayedShut: true });
    type Locker = { lockerUid: string; doorFailure: { occurredAt: string; failingSince: string } };
    const [{ lockerUid, doorFailure }] = items as [Locker];
    return { lockerUid, ...doorFailure };
  };
  await isRefused();
  const first = await failure();
  expect(first.failingSince).toBe(first.occurredAt);
  await isRefused();
  await isRefused();
  const last = await failure();
  expect(last.failingSince).toBe(first.occurredAt);
  expect(last.occurredAt > first.occurredAt).toBe(true);
  wall.setFault('None');
  await tenant.drop(shipmentUid);
  wall.shut(first.lockerUid);
  wall.setFault('Stuck');
  await tenant.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  const again = await failure();
  expect(again.failingSince).toBe(again.occurredAt);
  expect(again.failingSince > last.occurredAt).toBe(true);
});

// assumptions: Operating, GetLockers
test('a door says since when it stands open, until it is shut; nobody knows it of a wall that is cut off', async () => {
  const wall = await connect();
  const lockerUid = 'pup-central-5';
  const agoMs = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const openFor = async (doorOpenForSeconds: number) => {
    const { items } = await tenant.ok('GetLockers', { pageNo: 1, pageSize: 9, doorOpenForSeconds });
    return (items as { lockerUid: string; door: string; doorOpenSince: string | null }[]).map(
      ({ doorOpenSince, ...locker }) => ({
        lockerUid: locker.lockerUid,
        door: locker.door,
        minutes: Math.round((Date.now() - Date.parse(`${doorOpenSince}Z`)) / 60_000),
      }),
    );
  };
  expect(await openFor(0)).toEqual([]);
  wall.write({ type: 'doorOpened', lockerUid }, agoMs(20));
  // Opened again while it is open: it has stood open since the first time.
  wall.write({ type: 'doorOpened', lockerUid }, agoMs(3));
  await wall.settled();
  const found = [{ lockerUid, door: 'Open', minutes: 20 }];
  expect(await openFor(300)).toEqual(found);
  // It was opened in real time: the clock of the tenant does not move that.
  await tenant.sandbox('POST', 'clock', { advance: 'P6D' });
  expect(await openFor(300)).toEqual(found);
  expect(await openFor(1_800)).toEqual([]);
  // Its hello says that it is open, and not since when.
  const open = { door: 'open', contact: 'open' } as const;
  wall.forge(({ lockers }) => ({
    lockers: lockers.map((each) => (each.lockerUid === lockerUid ? { ...each, ...open } : each)),
  }));
  wall.cut();
  await expect.poll(() => openFor(300), { timeout: 15_000 }).toEqual([]);
  await wall.connect();
  await expect.poll(() => openFor(300)).toEqual(found);
  wall.write({ type: 'doorClosed', lockerUid });
  await wall.settled();
  expect(await openFor(0)).toEqual([]);
  const { items } = await tenant.ok('GetLockers', { pageNo: 1, pageSize: 1, lockerUid });
  expect(items).toMatchObject([{ door: 'Closed', doorOpenSince: null }]);
});

/** What is over by itself, the latest first, with how many minutes it had lasted. */
async function isOver(): Promise<object[]> {
  const { items } = await tenant.ok('GetAuditLog', { pageSize: 200 });
  return (
    items as (Readonly<Record<'operation' | 'occurredAt' | 'lastedSince', string>> & { uids: string[] })[]
  )
    .filter(({ lastedSince }) => lastedSince !== null)
    .map(({ occurredAt, lastedSince, operation, uids }) => ({
      operation,
      uids,
      minutes: Math.round((Date.parse(occurredAt) - Date.parse(lastedSince)) / 60_000),
    }));
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

// assumptions: Reading, GetAuditLog
test('the audit log says since when a door had stood open that is shut, unless that was for moments', async () => {
  const wall = await connect();
  const lockerUid = 'pup-central-5';
  const openedAndShut = async (from: Date, until: Date) => {
    wall.write({ type: 'doorOpened', lockerUid }, from);
    wall.write({ type: 'doorClosed', lockerUid }, until);
    await wall.settled();
  };
  await openedAndShut(minutesAgo(30), minutesAgo(29));
  expect(await isOver()).toEqual([]);
  await openedAndShut(minutesAgo(20), minutesAgo(8));
  const shut = { operation: 'DoorShut', uids: [lockerUid, 'pup-central'], minutes: 12 };
  expect(await isOver()).toEqual([shut]);
  // Its hello says that the door is shut; its journal says when that was.
  wall.write({ type: 'doorOpened', lockerUid }, minutesAgo(7));
  await wall.settled();
  wall.cut();
  wall.write({ type: 'doorClosed', lockerUid }, minutesAgo(3));
  await wall.connect();
  await wall.settled();
  await expect.poll(isOver, { timeout: 15_000 }).toEqual([{ ...shut, minutes: 4 }, shut]);
});

// assumptions: Reading, GetAuditLog
test('the audit log says since when a wall was offline that is online again, unless that was for moments', async () => {
  const wall = await connect();
  const isCut = async () => {
    wall.cut();
    const door = async () =>
      (await tenant.ok('GetLockers', { pageNo: 1, pageSize: 1, pupUid: 'pup-central' })).items;
    await expect.poll(door, { timeout: 15_000 }).toMatchObject([{ door: 'Unknown' }]);
  };
  await isCut();
  await wall.connect();
  expect(await isOver()).toEqual([]);
  await isCut();
  await sql`update walls set seen_at = ${minutesAgo(35)}`.execute(service.database);
  await wall.connect();
  expect(await isOver()).toEqual([{ operation: 'WallOnline', uids: ['pup-central'], minutes: 35 }]);
});

// assumptions: Walls, What happens to a chain meanwhile
test('while a wall opens a door a cancellation waits, and no database transaction does', {
  tags: 'long',
}, async () => {
  const wall = await connect();
  wall.setFault('Slow');
  const [shipmentUid] = await tenant.book('CreateCollectOnlyShipment');
  const opening = tenant.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  const { commandId, lockerUid } = await wall.answer('openDoor');
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => void statements.mockRestore());
  const looks = () =>
    statements.mock.calls.filter(([sent]) => (sent as { text?: string }).text?.includes('lock_chain')).length;
  const cancellation = tenant.call('CancelShipment', { shipmentUid });
  // The cancellation looks once, and then waits until it hears of the door. The service gives it 5 seconds.
  await expect.poll(looks).toBe(1);
  await expect.poll(async () => (await openTransactions()).rows).toEqual([]);
  await tenant.book('CreateLocalShipment');
  expect(looks()).toBe(1);
  wall.write({ type: 'doorOpened', lockerUid, commandId });
  expect((await opening).body).toMatchObject({ success: true });
  expect((await cancellation).body).toMatchObject({ error: 'InvalidShipmentState' });
  expect(await tenant.states(shipmentUid)).toEqual(['Completed']);
});

// assumptions: Walls, A door whose answer was lost
test('a door whose answer was lost is asked about: the shipment advances when the wall says that it opened', {
  tags: 'long',
}, async () => {
  const wall = await connect({ loses: 'doorOpened' });
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const unlocking = tenant.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  await wall.until(() => !wall.isPluggedIn);
  await wall.connect();
  expect((await unlocking).body).toMatchObject({ success: true });
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  await wall.settled();
  expect(wall.openings).toHaveLength(1);
});

test('a command that the wall never took opens nothing later: the wall is asked, and says that it does not know it', {
  tags: 'long',
}, async () => {
  // The connection breaks with the command on its way.
  const wall = await connect({ loses: 'taken' });
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const unlocking = tenant.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  await wall.answer('openDoor');
  const again = await connect();
  expect((await unlocking).body).toMatchObject({
    error: 'UnlockFailed',
    message: expect.stringContaining('not reached'),
  });
  expect(again.heard.map(({ type }) => type)).not.toContain('openDoor');
  await tenant.drop(shipmentUid);
  expect(again.openings).toHaveLength(1);
});

/** Of this database, without the one that asks. */
const openTransactions = () =>
  sql`
    select query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()
  `.execute(service.database);

// assumptions: Walls, A door that opened, and the shipment has changed
test('a door that opened for a shipment that was cancelled meanwhile changes nothing, and is shown', {
  tags: 'long',
}, async () => {
  const wall = await connect();
  wall.setFault('Slow');
  const [shipmentUid] = await tenant.book('CreateCollectOnlyShipment');
  const request = { shipmentUid, unlockGoal: 'PickUp' };
  expect(await tenant.refused('UnlockShipmentLocker', request)).toMatchObject({ error: 'UnlockFailed' });
  const { commandId, lockerUid } = await wall.answer('openDoor');
  // In doubt: the wall says that it still waits, and nothing is guessed. The booking can be cancelled all the same.
  expect(await tenant.refused('UnlockShipmentLocker', request)).toMatchObject({
    error: 'UnlockFailed',
    message: expect.stringContaining('not known yet'),
  });
  await tenant.cancel(shipmentUid);
  wall.write({ type: 'doorOpened', lockerUid, commandId });
  await wall.settled();
  expect(await tenant.states(shipmentUid)).toEqual(['Cancelled']);
  const { items } = await tenant.ok('GetAuditLog', { pageSize: 10 });
  expect(items).toContainEqual(
    expect.objectContaining({
      operation: 'UnlockShipmentLocker',
      outcome: 'Contradictory',
      uids: [shipmentUid],
    }),
  );
});

test('a wall that comes again while its service finishes its work is sent away, and the service ends', async () => {
  const other = await service.anotherInstance();
  let ended: Promise<void> | undefined;
  await service.database.transaction().execute(async (transaction) => {
    // After its welcome the wall's commands are read: work that waits.
    await sql`lock table door_commands in access exclusive mode`.execute(transaction);
    const wall = await connect({}, other);
    ended = other.close();
    const goingAway = () => wall.ends.filter((reason) => reason.startsWith('closed with 1001')).length;
    await expect.poll(goingAway, { timeout: 30_000 }).toBeGreaterThan(1);
    wall.cut();
  });
  await ended;
});

// assumptions: Walls, Which doors are simulated
test('production simulates no door: a pick up point without a wall answers UnlockFailed and says so', async () => {
  await using production = await createTestService({ mode: 'production' });
  const operator = await wallOf(production.address);
  const [shipmentUid] = await operator.book('CreateLocalShipment');
  expect(
    await operator.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }),
  ).toMatchObject({ error: 'UnlockFailed', message: expect.stringContaining('has no wall') });
  expect(await operator.states(shipmentUid)).toEqual(['ReadyForDropoff']);
});

test('a wall has a connection while its instance has said so in the last 6 s', async () => {
  const { rows } = await sql<{ connected: boolean }>`
    select is_wall_connected(session_id, clock_timestamp() - seconds * interval '1 second') as connected
    from (values (1, gen_random_uuid(), 3), (2, gen_random_uuid(), 7), (3, null, 0), (4, gen_random_uuid(), null))
      as wall (number, session_id, seconds)
    order by number
  `.execute(service.database);
  expect(rows.map(({ connected }) => connected)).toEqual([true, false, false, false]);
});
