// People at the doors of two pick up points, three processes of the service, two walls as processes. Instances and walls are
// killed, lines are cut and slowed and lead to other instances. Each wall's own
// record of what opened is the truth. A model beside it says what each opening meant: nothing is lost, nothing opened
// twice, each shipment is where its last opened door says. ACCESSES sets how many shipments are dropped off and picked up.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { examples } from '../../../../contract/operations/examples.ts';
import { freePort } from '../../../../local/ports.ts';
import { untilDone } from '../../../../scripts/cluster/temporal/until-it-works.ts';
import type { Database } from '../../../../service/storage/database.ts';
import { WallProcess } from '../../../proofs/walls/wall-process.ts';
import { type Caller, callerAs } from '../../../support/caller.ts';
import { createDatabase } from '../../../support/database.ts';
import { fractions } from '../../../support/random.ts';
import { type ServiceProcess, startServiceProcess } from '../../../support/service-process.ts';
import { freshSeed } from '../../../support/suite.ts';
import { newWall } from '../../../support/walls/new-wall.ts';
import { Link } from '../chaos/link.ts';

const SHIPMENTS = Number(process.env.ACCESSES ?? 600) / 2;
const PEOPLE = 6;
/** So many accesses at doors of which each fault takes several seconds away. */
const TIMEOUT_MS = 900_000;
/** Longer than any fault keeps all lockers. */
const FREE_WITHIN_MS = 120_000;
const SLOW_MS = 150;
/** Between two faults, so that work is done meanwhile. */
const QUIET_MS = 400;
const SETTLED_WITHIN_MS = 60_000;
const PLAYED_WITHIN = { withinMs: 300_000 };

interface Instance {
  readonly variables: Readonly<Record<string, string>>;
  readonly port: number;
  process: ServiceProcess;
  call: Caller;
}

/** What is chosen comes from the seed; when it comes is the affair of six people and of the machine. */
const random = fractions(freshSeed);
const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

test(`no opening is lost and none is made twice, whatever is killed, cut or slow (TEST_SEED=${freshSeed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { url, database } = stack.use(await createDatabase());
  const instances = [await startInstance(url), await startInstance(url), await startInstance(url)];
  stack.defer(async () => void (await Promise.all(instances.map((each) => each.process.kill()))));
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-walls-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const walls: WallProcess[] = [];
  for (const pupUid of ['pup-central', 'pup-station']) {
    const credentials = await newWall(url, 'demo', pupUid);
    const way = await Link.to(anyOf(instances).port);
    const wall = stack.use(new WallProcess({ ...credentials, folder, way }));
    wall.start();
    walls.push(wall);
  }

  const faults = new Map<string, number>();
  let isOver = false;
  const breaking = breakThings(instances, walls, faults, () => isOver);
  const shipmentUids: string[] = [];
  const people = Array.from({ length: PEOPLE }, async () => {
    let lastBooked = performance.now();
    while (shipmentUids.length < SHIPMENTS) {
      const wall = anyOf(walls);
      const shipmentUid = await booked(instances, wall.pupUid);
      if (performance.now() - lastBooked > FREE_WITHIN_MS)
        throw new Error(
          `no locker has been free for ${FREE_WITHIN_MS} ms: one of them is lost to the service`,
        );
      if (shipmentUid === undefined) continue;
      lastBooked = performance.now();
      shipmentUids.push(shipmentUid);
      await playedThrough(database, instances, wall, shipmentUid);
    }
  });
  await Promise.all(people);
  isOver = true;
  await breaking;
  for (const { way } of walls) way.clear();
  await expect.poll(() => unsettled(database, walls), { timeout: SETTLED_WITHIN_MS, interval: 200 }).toBe(0);

  const opened = (await Promise.all(walls.map((wall) => wall.memory()))).flatMap(({ openings }) => openings);
  const differences = await comparedWithModel(database, shipmentUids, opened);
  process.stdout.write(`${opened.length} openings of ${shipmentUids.length} shipments; ${told(faults)}\n`);
  expect(differences).toEqual([]);
  expect([...faults.keys()].sort()).toEqual(['cut', 'instance killed', 'slow', 'wall killed']);
});

async function startInstance(url: string): Promise<Instance> {
  const port = await freePort();
  const variables = {
    DATABASE_URL: url,
    SERVICE_PORT: String(port),
    // One issuer, so that a token of one instance is good at the others.
    SERVICE_URL: 'http://service.test',
    SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
    SERVICE_LOG_LEVEL: 'info',
  };
  const process = await startServiceProcess(variables);
  return { variables, port, process, call: await callerAs(process.address) };
}

/** One fault after another; what was killed is started again. */
async function breakThings(
  instances: readonly Instance[],
  walls: readonly WallProcess[],
  faults: Map<string, number>,
  isOver: () => boolean,
): Promise<void> {
  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    cut: async () => anyOf(walls).way.befall({ kind: 'cut' }),
    slow: async () => {
      const forMs = 2 * QUIET_MS;
      anyOf(walls).way.befall({ kind: 'delay', byMs: random() * SLOW_MS, forMs });
      await delay(forMs);
    },
    'wall killed': async () => {
      const wall = anyOf(walls);
      await wall.kill();
      wall.start();
    },
    'instance killed': async () => {
      const instance = anyOf(instances);
      await instance.process.kill();
      for (const { way } of walls) way.target = anyOf(instances).port;
      instance.process = await startServiceProcess(instance.variables);
    },
  };
  const names = Object.keys(kinds);
  for (let count = 0; !isOver() || count < names.length; count += 1) {
    // Each at least once, then by chance.
    const name = count < names.length ? (names[count] as string) : anyOf(names);
    await kinds[name]?.();
    faults.set(name, (faults.get(name) ?? 0) + 1);
    await delay(QUIET_MS);
    anyOf(walls).way.target = anyOf(instances).port;
  }
}

/** With one Idempotency-Key at whatever instance is alive; undefined while no locker is free. */
async function booked(instances: readonly Instance[], pupUid: string): Promise<string | undefined> {
  const key = { 'idempotency-key': randomUUID() };
  const request = { ...examples.CreateLocalShipment.request, pupUid, allowOverflowLockers: false };
  return await untilDone(async () => {
    const { body } = await anyOf(instances).call('CreateLocalShipment', request, key);
    if (body.success === true) return String(body.shipmentUid);
    if (body.error === 'NoLockerAvailable') return void (await delay(50));
    throw new Error(`CreateLocalShipment was answered with ${JSON.stringify(body)}`);
  });
}

interface StoredShipment {
  readonly stateCode: string;
  readonly deliveryCode: string;
  readonly pickUpCode: string;
}

/** A person types the code, or an operator's system opens the door, until the item is dropped off and picked up. */
async function playedThrough(
  database: Kysely<Database>,
  instances: readonly Instance[],
  wall: WallProcess,
  shipmentUid: string,
): Promise<void> {
  await untilDone(async () => {
    const { rows } = await sql<StoredShipment>`
      select state_code as "stateCode", delivery_code as "deliveryCode", pick_up_code as "pickUpCode"
      from shipments where shipment_uid = ${shipmentUid}
    `.execute(database);
    const [shipment] = rows;
    if (!shipment) throw new Error(`the shipment ${shipmentUid} that was booked is not there`);
    const { stateCode, deliveryCode, pickUpCode } = shipment;
    if (stateCode === 'Completed') return;
    const isPickUp = stateCode === 'ReadyForPickup';
    if (random() < 0.6) await wall.type(isPickUp ? pickUpCode : deliveryCode);
    else
      await anyOf(instances).call('UnlockShipmentLocker', {
        shipmentUid,
        unlockGoal: isPickUp ? 'PickUp' : 'DropOff',
      });
    throw new Error(`the shipment ${shipmentUid} is still ${stateCode}`);
  }, PLAYED_WITHIN);
}

/** Openings whose outcome is not known, and messages of walls that the service does not have. */
async function unsettled(database: Kysely<Database>, walls: readonly WallProcess[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from door_commands where outcome is null
  `.execute(database);
  const untaken = await Promise.all(walls.map(async (wall) => (await wall.memory()).untaken));
  return untaken.reduce((sum, each) => sum + each, rows[0]?.count ?? 0);
}

interface Row {
  readonly opening: string;
  readonly shipmentUid: string;
  readonly eventType: 'ItemDroppedOff' | 'ItemPickedUp';
  readonly meaning: string;
}

const after: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ReadyForDropoff: { ItemDroppedOff: 'ReadyForPickup' },
  ReadyForPickup: { ItemPickedUp: 'Completed' },
};

/** The model knows the openings in their order and the three states of such a shipment, and nothing of the service. */
async function comparedWithModel(
  database: Kysely<Database>,
  shipmentUids: readonly string[],
  opened: readonly string[],
): Promise<string[]> {
  const differences: string[] = [];
  const twice = opened.filter((opening, index) => opened.indexOf(opening) < index);
  differences.push(...twice.map((opening) => `${opening} opened its door twice`));
  const { rows } = await sql<Row>`
    select command_id as opening, shipment_uid as "shipmentUid", event_type as "eventType", meaning
    from door_commands where outcome = 'Opened'
  `.execute(database);
  const known = new Map(rows.map((row) => [row.opening, row]));
  for (const opening of opened)
    if (!known.has(opening)) differences.push(`the wall opened ${opening}, and the service does not know`);
  for (const { opening } of rows)
    if (!opened.includes(opening)) differences.push(`the service knows ${opening}, and no door opened`);
  const states = new Map(shipmentUids.map((shipmentUid) => [shipmentUid, 'ReadyForDropoff']));
  const next = new Map<string, number>();
  for (const opening of opened) {
    const row = known.get(opening);
    if (!row) continue;
    const access = `${row.shipmentUid} ${row.eventType}`;
    const state = after[states.get(row.shipmentUid) ?? '']?.[row.eventType];
    if (state) states.set(row.shipmentUid, state);
    if (row.meaning === 'Next') next.set(access, (next.get(access) ?? 0) + 1);
  }
  const { rows: stored } = await sql<{ shipmentUid: string; stateCode: string; told: string[] }>`
    select shipment.shipment_uid as "shipmentUid", shipment.state_code as "stateCode",
      array_agg(event.state_code order by event.event_id) as told
    from shipments as shipment join shipment_events as event using (shipment_id)
    group by shipment.shipment_id
  `.execute(database);
  const shipments = new Map(stored.map((each) => [each.shipmentUid, each]));
  for (const [shipmentUid, state] of states) {
    const { stateCode, told: events = [] } = shipments.get(shipmentUid) ?? {};
    if (stateCode !== state) differences.push(`${shipmentUid} is ${stateCode}, its doors say ${state}`);
    if (events.join() !== 'ReadyForPickup,Completed')
      differences.push(`${shipmentUid} told ${events.join()}`);
    for (const event of ['ItemDroppedOff', 'ItemPickedUp']) {
      const count = next.get(`${shipmentUid} ${event}`) ?? 0;
      if (count !== 1) differences.push(`${shipmentUid} had ${event} ${count} times, expected once`);
    }
  }
  if (shipments.size !== shipmentUids.length)
    differences.push(`${shipments.size} shipments are stored, ${shipmentUids.length} were booked`);
  return differences;
}

const told = (faults: ReadonlyMap<string, number>): string =>
  [...faults].map(([name, count]) => `${name} ${count} times`).join(', ');
