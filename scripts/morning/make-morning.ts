// Makes the morning: the cases, with people at the walls, the night shift at the console, and what goes wrong. Each pick up
// point is filled at the same time, each in an order of its own, so that everything lies in the same locker each time.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockerFlows } from '../../client/locker-flows.ts';
import type { StateCode } from '../../contract/index.ts';
import type { LockerApi } from '../../shared/locker-api/index.ts';
import { untilDone } from '../cluster/temporal/until-it-works.ts';
import type { AtTheWalls } from './at-the-walls.ts';
import {
  deliveriesAtCentral,
  deliveriesAtHarbour,
  deliveriesAtStation,
  failedStarts,
  type Given,
  laptops,
  loans,
  parcels,
  recalled,
  returns,
  sizes,
} from './cases.ts';
import type { ConsoleUser } from './console-user.ts';
import type { LossyWay } from './lossy-way.ts';
import { type FirstName, makePeople } from './people.ts';

const CENTRAL = 'pup-central';
const STATION = 'pup-station';
const HARBOUR = 'pup-harbour';
/** So short that it has passed when somebody looks. */
const SOON_OVER = 'PT2S';

interface MorningParts {
  readonly api: LockerApi;
  readonly flows: LockerFlows;
  readonly walls: AtTheWalls;
  readonly way: LossyWay;
  readonly noor: ConsoleUser;
  /** Switches what the service offers: POST /sandbox/switches. */
  readonly offer: (switches: object) => Promise<void>;
}

export async function makeMorning(parts: MorningParts): Promise<void> {
  const morning = new Morning(parts, await makePeople(parts.api));
  await morning.publish();
  await Promise.all([morning.fillCentral(), morning.fillStation(), morning.fillHarbour()]);
  await morning.night();
  await morning.loseTwoAnswers();
  await parts.walls.unplug(STATION);
}

class Morning {
  readonly #parts: MorningParts;
  readonly #people: ReadonlyMap<FirstName, string>;

  constructor(parts: MorningParts, people: ReadonlyMap<FirstName, string>) {
    this.#parts = parts;
    this.#people = people;
  }

  async publish(): Promise<void> {
    const names = ['cost-approval', 'battery-recall', 'stock-count'];
    const files = names.map(async (name) => {
      const path = join(import.meta.dirname, `${name}.flow.yaml`);
      return { path, text: await readFile(path, 'utf8') };
    });
    await this.#parts.flows.publish(await Promise.all(files));
  }

  async fillCentral(): Promise<void> {
    for (const given of returns) await this.#bringsBack(given);
    for (const given of deliveriesAtCentral) await this.#delivers(CENTRAL, given);
    await this.#lends();
    await this.#recalls();
    await this.#asks();
  }

  async fillStation(): Promise<void> {
    for (const given of deliveriesAtStation) await this.#delivers(STATION, given);
    await this.#nobodyWaits(STATION, 'Vera', ['3SLOCK000000901', 'Parcel without an order'], 'S');
    for (const [key, who, number, what, size] of failedStarts) {
      const handle = await this.#issue(STATION, [key, who, number, what, size, 'expected']);
      await handle.result().catch(() => undefined);
    }
  }

  async fillHarbour(): Promise<void> {
    const { flows, walls } = this.#parts;
    for (const [key, who, number] of parcels)
      await flows.startPublished('ParcelAtTheDesk', key, {
        request: { receiver: this.#uid(who), pickUpPoint: HARBOUR, parcel: number, dimension: sizes.M },
      });
    const [first] = parcels;
    await walls.putIn(await this.#shipmentNumbered(`${first?.[2]}`, 'ReadyForDropoff'));
    for (const given of deliveriesAtHarbour) await this.#delivers(HARBOUR, given);
  }

  /** What noor has done, and the notes that she left. */
  async night(): Promise<void> {
    const { noor, flows, walls } = this.#parts;
    const monitor = await this.#shipment('DL-117', 'ReadyForPickup');
    await walls.jam(monitor);
    await walls.tryToTakeOut(monitor);
    await walls.tryToTakeOut(monitor);
    const pickUp = { role: 'issue', stage: 'pickUp' };
    await noor.command('LN-2047', 'extend', { ...pickUp, extendBy: 'P2D', why: 'he is ill' });
    await noor.command('LN-2042', 'cancel', { why: 'he works at another site now' });
    await noor.command('DL-118', 'cancel', { why: 'the guest has left' });
    await noor.command('DL-120', 'cancel', { why: 'the shop withdrew the order' });
    await noor.command('DL-117', 'note', { text: 'The key of her locker is at reception.' });
    await noor.command('LN-2041', 'note', { text: 'The charger is missing: ask her when she comes.' });
    await noor.answer('APP-120', 'judge', { fault: false, remark: 'The hinge broke by itself.' });
    await noor.event('COUNT-12', 'shelf.counted', { found: 'about forty' });
    for (const key of ['DL-118', 'DL-120', 'LN-2042'])
      await flows
        .handle(key)
        .result()
        .catch(() => undefined);
  }

  /** One loses the request, the other the answer; and the service cannot be asked which. */
  async loseTwoAnswers(): Promise<void> {
    const { way, offer } = this.#parts;
    await offer({ getShipments: false });
    try {
      way.lose('"3SLOCK000000191"', 'before');
      way.lose('"3SLOCK000000192"', 'after');
      await this.#inDoubt(['DL-191', 'Daan', '3SLOCK000000191', 'Tablet', 'S', 'expected']);
      await this.#inDoubt(['DL-192', 'Gijs', '3SLOCK000000192', 'E-reader', 'S', 'expected']);
    } finally {
      await offer({ getShipments: true });
    }
  }

  async #inDoubt(given: Given): Promise<void> {
    const handle = await this.#issue(CENTRAL, given);
    await untilDone(async () => {
      const { activity } = await handle.progress();
      if (activity !== 'NeedsPerson') throw new Error(`${given[0]} is ${activity}; expected NeedsPerson`);
    });
  }

  async #bringsBack([key, who, number, what, size, stands]: Given): Promise<void> {
    const { flows, walls } = this.#parts;
    await flows.start('Intake', key, {
      request: {
        ...here(CENTRAL, size),
        fromUserUid: this.#uid(who),
        details: { referenceNo: number, description: what },
      },
      deadlines: { intake: { dropOff: stands === 'forgotten' ? SOON_OVER : 'P7D', pickUp: 'P2D' } },
    });
    const shipment = await this.#shipment(key, 'ReadyForDropoff');
    if (stands === 'forgotten') return;
    await walls.putIn(shipment, { leavesOpen: stands === 'leftOpen' });
    await this.#shipment(key, 'ReadyForPickup');
    if (stands !== 'collected') return;
    await walls.takeOut(shipment);
    await flows.handle(key).result();
  }

  async #delivers(pupUid: string, given: Given): Promise<void> {
    const [key, , , , , stands] = given;
    const { walls } = this.#parts;
    const handle = await this.#issue(pupUid, given);
    const shipment = await this.#shipment(key, 'ReadyForDropoff');
    if (stands === 'expected' || stands === 'forgotten') return;
    await walls.putIn(shipment);
    await this.#shipment(key, 'ReadyForPickup');
    if (stands !== 'collected') return;
    await walls.takeOut(shipment);
    await handle.result();
  }

  #issue(pupUid: string, [key, who, number, what, size, stands]: Given) {
    return this.#parts.flows.start('Issue', key, {
      request: {
        ...here(pupUid, size),
        toUserUid: this.#uid(who),
        details: { referenceNo: number, description: what },
      },
      deadlines: {
        issue: {
          dropOff: stands === 'forgotten' ? SOON_OVER : 'P1D',
          pickUp: stands === 'late' ? SOON_OVER : 'P5D',
        },
      },
    });
  }

  async #lends(): Promise<void> {
    const { flows, walls } = this.#parts;
    const inStock = new Map<string, string>();
    for (const [number, what] of laptops) {
      const handle = await flows.start('Stock', `stock-${number}`, {
        request: { ...here(CENTRAL, 'S'), details: { referenceNo: number, description: what } },
      });
      await walls.putIn(await this.#shipment(`stock-${number}`, 'ReadyForDropoff'));
      const { stock } = (await handle.result()).shipments;
      inStock.set(number, `${stock?.shipmentUid}`);
    }
    for (const [key, who, number, stands] of loans) {
      const flow = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
      const handle = await flows.start(flow, key, {
        request: { priorShipmentUid: `${inStock.get(number)}`, toUserUid: this.#uid(who) },
        deadlines: {
          issue: { pickUp: stands === 'notCollected' ? SOON_OVER : 'P3D' },
          intake: { dropOff: stands === 'overdue' ? SOON_OVER : 'P14D' },
        },
      });
      const lent = await this.#shipment(key, 'ReadyForPickup');
      if (stands === 'toCollect' || stands === 'notCollected') continue;
      await walls.takeOut(lent);
      const back = await this.#shipment(key, 'ReadyForDropoff');
      if (stands !== 'returned') continue;
      await walls.putIn(back);
      const { circularStock } = (await handle.result()).shipments;
      inStock.set(number, `${circularStock?.shipmentUid}`);
    }
    await this.#lendsWithACheck(`${inStock.get('laptop-8')}`);
  }

  /** By the flow file of the examples, which asks the desk whether it is whole. */
  async #lendsWithACheck(item: string): Promise<void> {
    const { flows, walls } = this.#parts;
    await flows.startPublished('DeviceLoan', 'LN-2048', { request: { item, user: this.#uid('Gijs') } });
    await walls.takeOut(await this.#shipment('LN-2048', 'ReadyForPickup'));
    await walls.putIn(await this.#shipment('LN-2048', 'ReadyForDropoff'));
  }

  async #recalls(): Promise<void> {
    const { flows, walls } = this.#parts;
    const devices = recalled.map(([number, who]) => ({ number, user: this.#uid(who) }));
    await flows.startPublished('BatteryRecall', 'RECALL-7', { request: { pickUpPoint: CENTRAL, devices } });
    const [first] = recalled;
    await walls.putIn(await this.#shipmentNumbered(`${first?.[0]}`, 'ReadyForDropoff'));
  }

  async #asks(): Promise<void> {
    const { flows } = this.#parts;
    const approval = { item: 'laptop-3', user: this.#uid('Lotte'), cost: 120 };
    await flows.startPublished('CostApproval', 'APP-120', { request: approval });
    await flows.startPublished('WorkshopRepair', 'WR-812', { request: { device: 'laptop-9', desk: 'desk' } });
    await flows.startPublished('StockCount', 'COUNT-12', { request: { shelf: 'shelf-12', expected: 40 } });
    await this.#nobodyWaits(CENTRAL, 'Zoë', ['3SLOCK000000902', 'Parcel of another shop'], 'M');
  }

  /** Booked at the service itself: what becomes of it no process waits for. */
  async #nobodyWaits(
    pupUid: string,
    who: FirstName,
    [number, what]: readonly [string, string],
    size: keyof typeof sizes,
  ): Promise<void> {
    const { api, walls } = this.#parts;
    const { shipmentUids } = await api.call('CreateLocalShipmentAsIssue', {
      ...here(pupUid, size),
      toUserUid: this.#uid(who),
      details: { referenceNo: number, description: what, referenceCaseNo: `shop-${number.slice(-3)}` },
    });
    await walls.putIn(`${shipmentUids[0]}`);
  }

  #shipment = (key: string, stateCode: StateCode) => this.#found({ referenceCaseNo: key }, stateCode);

  #shipmentNumbered = (number: string, stateCode: StateCode) =>
    this.#found({ referenceNo: number }, stateCode);

  /** Waits until the service has it in this state. */
  #found(by: { referenceCaseNo?: string; referenceNo?: string }, stateCode: StateCode): Promise<string> {
    return untilDone(async () => {
      const query = { ...by, shipmentState: [stateCode], pageNo: 1, pageSize: 10 };
      const { items } = await this.#parts.api.call('GetShipments', query);
      const [found] = items;
      if (!found?.shipmentUid) throw new Error(`no shipment of ${JSON.stringify(by)} is ${stateCode}`);
      return found.shipmentUid;
    });
  }

  #uid(who: FirstName): string {
    const uid = this.#people.get(who);
    if (uid === undefined) throw new TypeError(`${who} has no account`);
    return uid;
  }
}

const here = (pupUid: string, size: keyof typeof sizes) => ({
  pupUid,
  dimension: sizes[size],
  allowLargerLockers: true,
  allowOverflowLockers: false,
});
