// Offline lists: what a wall is given, signed and hashed, and what becomes of openings that it tells later.
import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LONGEST_WALL_FRAME, type OfflineList } from '../../../contract/index.ts';
import { momentOfUid } from '../../../service/uid.ts';
import { fitting } from '../../../service/walls/offline-lists.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { isLongSuite } from '../../support/suite.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall, type TestWallOptions } from '../../support/walls/test-wall.ts';

let service: TestService;
let tenant: Wall;

beforeEach(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
});
afterEach(() => service[Symbol.asyncDispose]());

async function connect(pupUid: string, changes: Partial<TestWallOptions> = {}): Promise<TestWall> {
  const credentials = await newWall(service.url, 'demo', pupUid);
  return await TestWall.connected({ ...credentials, address: service.address, ...changes });
}

/** The first list that the test likes. */
async function listOf(wall: TestWall, isIt: (list: OfflineList) => boolean): Promise<OfflineList> {
  await wall.until(() => wall.lists.some(isIt));
  return wall.lists.find(isIt) as OfflineList;
}

const hashOf = ({ salt, scrypt: { N, r, p, bytes } }: OfflineList, code: string | null) =>
  scryptSync(`${code}`, salt, bytes, { N, r, p, maxmem: 256 * N * r }).toString('base64url');

/** A wall with one shipment to be dropped off, its list, and the entry. */
async function withEntry() {
  const wall = await connect('pup-central');
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const list = await listOf(wall, ({ entries }) => entries.length === 1);
  const [entry] = list.entries;
  if (!entry) throw new TypeError('expected an entry');
  const { lockerUid, entryId } = entry;
  const opened = (at = new Date(), listId = list.listId) => {
    // The journal gives the present as its time; one that is told later has an earlier one.
    wall.write({ type: 'openedOffline', lockerUid, listId, entryId }, at);
  };
  return { wall, shipmentUid, list, entry, opened };
}

interface Opening {
  readonly shipmentUid: string | null;
  readonly meaning: string;
  readonly reason: string;
}

async function doubtful(tenantUid = 'demo'): Promise<Opening[]> {
  const written = await writtenByService(['wall', 'openings', tenantUid, '--json'], {
    DATABASE_URL: service.url,
    SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
  });
  return (JSON.parse(written) as { openings: Opening[] }).openings;
}

// assumptions: Walls, Offline lists
test('a wall that wants lists is told what each code opens now, and again when that has changed', async () => {
  const { wall, shipmentUid, list, entry } = await withEntry();
  const { deliveryCode, pickUpCode } = await tenant.codes(shipmentUid);
  const { lockerName } = await tenant.shipment(shipmentUid);
  expect(list).toMatchObject({ pupUid: 'pup-central' });
  expect(Date.parse(list.expiresAt) - Date.parse(list.issuedAt)).toBe(12 * 3_600_000);
  expect(entry).toMatchObject({ lockerUid: `pup-central-${lockerName}`, goal: 'DropOff', once: true });
  expect(entry.codeHash).toBe(hashOf(list, deliveryCode));
  expect(JSON.stringify(wall.lists)).not.toContain(`${deliveryCode}`);
  await tenant.drop(shipmentUid);
  const next = await listOf(wall, ({ entries }) => entries[0]?.goal === 'PickUp');
  expect(next.entries).toHaveLength(1);
  expect(next.entries[0]?.codeHash).toBe(hashOf(next, pickUpCode));
  await tenant.pick(shipmentUid);
  expect(
    (await listOf(wall, ({ listId, entries }) => listId !== list.listId && entries.length === 0)).entries,
  ).toEqual([]);
});

test.runIf(isLongSuite)('a wall that does not ask for lists gets none', async () => {
  const [quiet, asking] = [
    await connect('pup-station', { hello: { offlineLists: false } }),
    await connect('pup-central'),
  ];
  await tenant.book('CreateLocalShipment', { pupUid: 'pup-station' });
  await tenant.book('CreateLocalShipment');
  await listOf(asking, ({ entries }) => entries.length === 1);
  expect(quiet.lists).toEqual([]);
});

test('a list fits into a frame, however long the uids are', () => {
  const entries = Array.from({ length: 700 }, (_, index) => ({
    entryId: `entry-${index}`,
    lockerUid: `${index}-${'é'.repeat(195)}`,
    goal: 'DropOff' as const,
    codeHash: 'x'.repeat(22),
    once: true,
  }));
  const listed = fitting(entries);
  const bytes = Buffer.from(JSON.stringify(listed)).toString('base64url').length;
  expect(bytes).toBeLessThan(LONGEST_WALL_FRAME - 2_000);
  expect(listed.length).toBeGreaterThan(300);
  expect(listed.at(-1)).toBe(entries.at(-1));
  expect(fitting(entries.slice(0, 10))).toHaveLength(10);
});

// assumptions: Walls, Openings by an offline list
test.runIf(isLongSuite)(
  'an opening that is told later advances its shipment, has its own time, and counts once',
  async () => {
    const { wall, shipmentUid, opened } = await withEntry();
    wall.cut();
    const at = new Date(Date.now() - 60_000);
    opened(at);
    opened(at);
    await wall.connect();
    await wall.settled();
    expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
    expect(await tenant.told(shipmentUid)).toEqual([[0, 'ReadyForPickup']]);
    const { items } = await tenant.ok('GetShipmentEvents', { shipmentUid });
    const accesses = (items as { kind: string; occurredAt: string; operation: string }[]).filter(
      ({ kind }) => kind === 'LockerOpened',
    );
    expect(accesses).toMatchObject([{ operation: 'openedOffline', accessGoal: 'DropOff' }]);
    expect(Math.abs(Date.parse(`${accesses[0]?.occurredAt}Z`) - at.getTime())).toBeLessThan(5_000);
    expect(await doubtful()).toEqual([]);
  },
);

// assumptions: Walls, A door that opened, and the shipment has changed
test.runIf(isLongSuite)(
  'what cannot be any more is kept and listed: of a shipment that went on, of one that was cancelled',
  async () => {
    const { wall, shipmentUid, opened, entry: former } = await withEntry();
    const dropOffIn = ({ entries }: OfflineList) =>
      entries.find(({ goal, entryId }) => goal === 'DropOff' && entryId !== former.entryId);
    await tenant.drop(shipmentUid);
    opened(new Date(Date.now() - 2_000));
    await wall.settled();
    expect(await doubtful()).toMatchObject([{ shipmentUid, meaning: 'Stale', goal: 'DropOff' }]);
    const [cancelled] = await tenant.book('CreateLocalShipment');
    const list = await listOf(wall, (each) => dropOffIn(each) !== undefined);
    const entry = dropOffIn(list);
    if (!entry) throw new TypeError('expected an entry');
    await tenant.cancel(cancelled);
    const { lockerUid, entryId } = entry;
    wall.write({ type: 'openedOffline', lockerUid, listId: list.listId, entryId });
    await wall.settled();
    expect(await doubtful()).toMatchObject([
      { shipmentUid: cancelled, meaning: 'Contradictory' },
      { shipmentUid, meaning: 'Stale' },
    ]);
    expect(await tenant.states(shipmentUid, cancelled)).toEqual(['ReadyForPickup', 'Cancelled']);
  },
);

// A wall's clock may have lost some seconds: 60 are allowed, and not more.
test('an opening from up to a minute before its list was given counts; an earlier one changes nothing, and is listed', async () => {
  const { wall, shipmentUid, entry, opened } = await withEntry();
  const listedAt = momentOfUid(entry.entryId);
  opened(new Date(listedAt - 61_000));
  await wall.settled();
  expect(await doubtful()).toMatchObject([
    { meaning: 'Contradictory', reason: expect.stringContaining('before the list') },
  ]);
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
  opened(new Date(listedAt - 59_000));
  await wall.settled();
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect(await doubtful()).toHaveLength(1);
});

test("an opening by another pick up point's entry, or by an invented one, changes nothing and is listed", async () => {
  const { shipmentUid, entry, list } = await withEntry();
  const other = await connect('pup-station');
  const [lockerUid = ''] = (await tenant.lockers('pup-station')).map((locker) => locker.lockerUid);
  other.write({ type: 'openedOffline', lockerUid, listId: list.listId, entryId: entry.entryId });
  other.write({ type: 'openedOffline', lockerUid, listId: 'a-list', entryId: 'an-entry' });
  await other.settled();
  expect(await doubtful()).toMatchObject([
    { shipmentUid: null, meaning: 'Contradictory', pupUid: 'pup-station' },
    { shipmentUid: null, meaning: 'Contradictory', reason: expect.stringContaining('no list') },
  ]);
  expect(await doubtful('other')).toEqual([]);
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
});
