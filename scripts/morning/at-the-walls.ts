// People at the walls: who has a code opens a door with it, and shuts it again.
import type { LockerApi } from '../../shared/locker-api/index.ts';

type Code = 'deliveryCode' | 'pickUpCode';

export class AtTheWalls {
  readonly #api: LockerApi;
  /** The address of the program that simulates the walls. */
  readonly #walls: string;
  /** The pick up points that have such a wall; all other doors are the service's own, and never stay open. */
  readonly #simulated: ReadonlySet<string>;

  constructor(api: LockerApi, walls: string, simulated: readonly string[]) {
    this.#api = api;
    this.#walls = walls;
    this.#simulated = new Set(simulated);
  }

  /** @param leavesOpen the person goes away from an open door */
  async putIn(shipmentUid: string, { leavesOpen = false } = {}): Promise<void> {
    await this.#open(shipmentUid, 'deliveryCode', leavesOpen);
  }

  async takeOut(shipmentUid: string): Promise<void> {
    await this.#open(shipmentUid, 'pickUpCode', false);
  }

  /** Whether or not the door opens. */
  async tryToTakeOut(shipmentUid: string): Promise<void> {
    const { pupUid, code } = await this.#seen(shipmentUid, 'pickUpCode');
    await this.#do(pupUid, 'code', { code });
  }

  async jam(shipmentUid: string): Promise<void> {
    const { pupUid, lockerUid } = await this.#seen(shipmentUid, 'pickUpCode');
    await this.#do(pupUid, 'fault', { lockerUid, fault: 'Stuck' });
  }

  async unplug(pupUid: string): Promise<void> {
    await this.#do(pupUid, 'cable', { pluggedIn: false });
  }

  async #open(shipmentUid: string, which: Code, leavesOpen: boolean): Promise<void> {
    const { pupUid, lockerUid, lockerName, code } = await this.#seen(shipmentUid, which);
    await this.#api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode: code });
    if (!this.#simulated.has(pupUid)) return;
    await this.#do(pupUid, 'item', { lockerUid, present: which === 'deliveryCode' });
    if (!leavesOpen) await this.#do(pupUid, 'close', { lockerUid });
  }

  async #seen(shipmentUid: string, which: Code) {
    const { pupUid, lockerUid, lockerName } = await this.#api.call('GetShipment', { shipmentUid });
    const { [which]: code } = await this.#api.call('GetShipmentAccessCode', { shipmentUid });
    if (!pupUid || !lockerUid || !lockerName || !code)
      throw new Error(`shipment ${shipmentUid} has no locker or no ${which}; expected both`);
    return { pupUid, lockerUid, lockerName, code };
  }

  async #do(pupUid: string, what: string, body: object): Promise<unknown> {
    const answer = await fetch(`${this.#walls}/walls/${pupUid}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const told: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the wall ${pupUid} refused ${what}: ${JSON.stringify(told)}`);
    return told;
  }
}
