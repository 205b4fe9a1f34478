// People at the lockers: they have their codes and type them in. What they look at to know what to do is the database,
// so that no answer of the service, and nothing that a flow believes, is taken for the truth.
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { OperationName } from '../../contract/index.ts';
import type { Database } from '../../service/storage/database.ts';
import type { Caller } from '../support/caller.ts';
import { type StoredShipment, storedShipments } from '../support/chains/stored-shipments.ts';
import { lockersSeen, type SeenLocker } from '../support/chains/wall-seen.ts';
import { addPickUpPoint, type NewLocker } from '../support/new-pick-up-point.ts';

type Body = Readonly<Record<string, unknown>>;

export class People {
  readonly database: Kysely<Database>;
  readonly #call: Caller;
  readonly #haveLetters: boolean;

  /** @param haveLetters they know their codes from what the service has written to them: nobody can ask it for them */
  constructor(call: Caller, database: Kysely<Database>, haveLetters: boolean) {
    this.#call = call;
    this.database = database;
    this.#haveLetters = haveLetters;
  }

  /** As the dispatcher. */
  async call(name: OperationName, request: Body): Promise<Body> {
    const { body } = await this.#call(name, request);
    if (body.success !== true) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    return body;
  }

  /** Its lockers are nobody else's. */
  async newPickUpPoint(pupUid: string, lockers = 3, name = pupUid): Promise<NewLocker[]> {
    return await addPickUpPoint(this.database, 'demo', pupUid, { M: lockers }, name);
  }

  /** An item that lies as stock in a locker of a pick up point of its own. Gives its shipment. */
  async newStock(details: object = {}, name?: string): Promise<string> {
    const pupUid = `pup-${randomUUID()}`;
    await this.newPickUpPoint(pupUid, 3, name);
    const { shipmentUids } = await this.call('CreateLocalShipmentAsStock', {
      pupUid,
      allowLargerLockers: true,
      allowOverflowLockers: false,
      dimension: { width: 10, height: 10, length: 10 },
      details,
    });
    const [item = ''] = shipmentUids as readonly string[];
    await this.dropOff(item);
    return item;
  }

  async shipment(shipmentUid: string): Promise<StoredShipment> {
    const [shipment] = await storedShipments(this.database, [shipmentUid]);
    if (!shipment) throw new Error(`there is no shipment ${shipmentUid}`);
    return shipment;
  }

  async shipmentsAt(pupUid: string): Promise<StoredShipment[]> {
    const { rows } = await sql<{ uid: string }>`
      select shipment_uid as uid from shipments join pick_up_points using (pick_up_point_id)
      where pup_uid = ${pupUid} order by shipment_id
    `.execute(this.database);
    return await storedShipments(
      this.database,
      rows.map(({ uid }) => uid),
    );
  }

  /** Its lockers as somebody standing before them sees them. */
  async wall(pupUid: string): Promise<SeenLocker[]> {
    return await lockersSeen(this.database, pupUid);
  }

  async dropOff(shipmentUid: string): Promise<void> {
    await this.#open(shipmentUid, 'deliveryCode');
  }

  async pickUp(shipmentUid: string): Promise<void> {
    await this.#open(shipmentUid, 'pickUpCode');
  }

  async cancel(shipmentUid: string): Promise<void> {
    await this.call('CancelShipment', { shipmentUid });
  }

  async #open(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    const shipment = await this.shipment(shipmentUid);
    const { pupUid, lockerName } = shipment;
    const codes = this.#haveLetters ? shipment : await this.call('GetShipmentAccessCode', { shipmentUid });
    await this.call('SimulateLockerAccess', { pupUid, lockerName, pinCode: codes[code] });
  }
}
