// People at the doors of two pick up points, three instances of the service, walls that lose their connection at any moment
// and come back at another instance. The walls' own record of what opened is the model: nothing opens twice, no opening is
// lost, and each shipment is where its opened doors say. ACCESSES sets how many shipments are dropped off and picked up.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inForm } from '../support/form.ts';
import { createTestService, type ServiceInstance } from '../support/service.ts';
import { wallOf } from '../support/wall.ts';
import { newWall } from '../support/walls/new-wall.ts';
import { newMemory, WallController, type WallCredentials } from '../support/walls/wall-controller.ts';

const SHIPMENTS = Number(process.env.ACCESSES ?? inForm({ short: 60, long: 5_000 })) / 2;
const PEOPLE = 6;
const CUT_EVERY_MS = 400;
const GIVE_UP_MS = 3_000;

class CutWall {
  readonly memory = newMemory();
  readonly #credentials: WallCredentials;
  readonly #lockerUids: readonly string[];
  #controller: WallController | undefined;

  constructor(credentials: WallCredentials, lockerUids: readonly string[]) {
    this.#credentials = credentials;
    this.#lockerUids = lockerUids;
  }

  async connect({ address }: ServiceInstance): Promise<void> {
    const controller = new WallController({
      ...this.#credentials,
      address,
      lockerUids: this.#lockerUids,
      memory: this.memory,
      // Now and then the connection breaks with a message on its way.
      beforeSend: ({ type }) => type === 'hello' || Math.random() > 0.05,
    });
    this.#controller?.cut();
    this.#controller = controller;
    await Promise.race([controller.connect(), delay(GIVE_UP_MS)]);
  }

  cut(): void {
    this.#controller?.cut();
  }

  async type(code: string): Promise<void> {
    await Promise.race([this.#controller?.type(code), delay(GIVE_UP_MS)]);
  }
}

test('no opening is lost and none is made twice, however often walls lose their connection', async () => {
  await using service = await createTestService();
  const instances = [service, await service.anotherInstance(), await service.anotherInstance()];
  const tenants = await Promise.all(instances.map(({ address }) => wallOf(address)));
  const anyOf = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(Math.random() * items.length)] as Item;
  const walls = new Map<string, CutWall>();
  for (const pupUid of ['pup-central', 'pup-station']) {
    const lockerUids = (await anyOf(tenants).lockers(pupUid)).map(({ lockerUid }) => lockerUid);
    const wall = new CutWall(await newWall(service.url, 'demo', pupUid), lockerUids);
    await wall.connect(anyOf(instances));
    walls.set(pupUid, wall);
  }
  let isOver = false;
  const cutting = (async () => {
    while (!isOver) {
      await delay(CUT_EVERY_MS);
      await anyOf([...walls.values()]).connect(anyOf(instances));
    }
  })();

  const shipmentUids: string[] = [];
  const person = async () => {
    while (shipmentUids.length < SHIPMENTS) {
      const pupUid = anyOf([...walls.keys()]);
      const tenant = anyOf(tenants);
      const [shipmentUid] = await tenant.book('CreateLocalShipment', { pupUid });
      shipmentUids.push(shipmentUid);
      for (;;) {
        const { stateCode } = await tenant.shipment(shipmentUid);
        if (stateCode === 'Completed') break;
        const unlockGoal = stateCode === 'ReadyForPickup' ? 'PickUp' : 'DropOff';
        const { pickUpCode, deliveryCode } = await tenant.codes(shipmentUid);
        if (Math.random() < 0.5)
          await walls.get(pupUid)?.type(`${unlockGoal === 'PickUp' ? pickUpCode : deliveryCode}`);
        else await tenant.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
      }
    }
  };
  await Promise.all(Array.from({ length: PEOPLE }, person));
  isOver = true;
  await cutting;
  for (const wall of walls.values()) wall.cut();

  const opened = [...walls.values()].flatMap(({ memory }) =>
    memory.openings.map(({ commandId }) => commandId),
  );
  expect(new Set(opened).size).toBe(opened.length);
  const { rows } = await sql<{ commandId: string; meaning: string }>`
      select command_id as "commandId", meaning from door_commands where outcome = 'Opened'
    `.execute(service.database);
  expect(rows.map(({ commandId }) => commandId).sort()).toEqual(opened.sort());
  expect(new Set(rows.map(({ meaning }) => meaning))).toEqual(new Set(['Next']));
  // Each shipment was dropped off once and picked up once.
  expect(opened).toHaveLength(2 * shipmentUids.length);
  for (const shipmentUid of shipmentUids)
    expect(await anyOf(tenants).told(shipmentUid)).toEqual([
      [0, 'ReadyForPickup'],
      [0, 'Completed'],
    ]);
  for (const instance of instances.slice(1)) await instance.close();
}, 600_000);
