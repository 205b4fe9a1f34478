// One story played on an installation, at a pick up point of its own: what was there before, the flow, what people do.
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { InputOf } from '../../client/flow-contract.ts';
import type { FlowHandle } from '../../client/flow-handle.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { ShipmentFlowType } from '../../contract/flows/flow-rules.ts';
import { isActive } from '../../contract/machines/chart.ts';
import { expectAsDescribed } from '../contract/flow-schemas/said-by-flows.ts';
import { type StoredShipment, storedEvents } from '../support/chains/stored-shipments.ts';
import type { SeenLocker } from '../support/chains/wall-seen.ts';
import { type Installation, ourService } from './installation.ts';
import type { Priors, Step } from './priors.ts';
import type { Story } from './stories.ts';
import { areBooked, dimension, type Legs, legsOf, requestOf } from './story-legs.ts';

// Far beyond what it takes: only what never comes ends it.
const PATIENCE_MS = 60_000;

export interface Beginning {
  readonly installation: Installation;
  readonly story: Story;
  /** Beside the request. */
  readonly input?: object;
  /** Start the flow instead of those of the installation. */
  readonly flows?: Installation['flows'];
  /** Just before the flow is started. */
  readonly before?: (workflowId: string) => void;
}

/** What there was at its pick up point before the flow. */
interface Before {
  readonly priors: Priors | undefined;
  readonly shipments: readonly StoredShipment[];
  readonly wall: readonly SeenLocker[];
}

export class Play {
  readonly #installation: Installation;
  readonly #story: Story;
  readonly #before: Before;
  readonly pupUid: string;
  readonly handle: FlowHandle<FlowResult>;

  private constructor(
    { installation, story }: Beginning,
    pupUid: string,
    before: Before,
    handle: FlowHandle<FlowResult>,
  ) {
    this.#installation = installation;
    this.#story = story;
    this.#before = before;
    this.pupUid = pupUid;
    this.handle = handle;
  }

  static async begin(beginning: Beginning): Promise<Play> {
    const { installation, story, input, flows = installation.flows } = beginning;
    const { people } = installation;
    const pupUid = `pup-${randomUUID()}`;
    await people.newPickUpPoint(pupUid);
    const booking = { pupUid, dimension, allowLargerLockers: false, allowOverflowLockers: false };
    const priors = await story.prior?.({ people, booking });
    const shipments = await people.shipmentsAt(pupUid);
    const before = { priors, shipments, wall: await people.wall(pupUid) };
    const workflowId = `${story.flow}-${randomUUID()}`;
    const whole = { request: requestOf(story, priors, booking), ...input };
    expectAsDescribed(`${story.flow}.input`, whole);
    beginning.before?.(workflowId);
    await flows.start(story.flow, workflowId, whole as InputOf<ShipmentFlowType>);
    return new Play(beginning, pupUid, before, flows.handle<ShipmentFlowType>(workflowId));
  }

  /** The uid of the shipment that was there before, and is a leg of the flow. */
  get prior(): string {
    return this.#before.priors?.prior ?? '';
  }

  /** The shipments of the legs, as far as there are any, as the service keeps them. */
  async stored(): Promise<Legs> {
    const all = await this.#installation.people.shipmentsAt(this.pupUid);
    return legsOf(this.#story, this.#before.priors, this.#before.shipments, all);
  }

  /** Undefined while they are not all booked. */
  async booked(): Promise<Legs | undefined> {
    const stored = await this.stored();
    return areBooked(this.#story, stored) ? stored : undefined;
  }

  async untilBooked(): Promise<Legs> {
    return await vi.waitUntil(() => this.booked(), { timeout: PATIENCE_MS, interval: 20 });
  }

  /** Of now; waits where no worker answers for a moment. */
  async progress(): Promise<Progress> {
    const { value } = await this.handle.follow({ everyMs: 30 }).next();
    if (!value) throw new Error(`${this.handle.workflowId} tells no progress`);
    expectAsDescribed(`${this.#story.flow}.progress`, value);
    return value;
  }

  /** Until the flow has the answer to its booking: callbacks may come before it. */
  async untilAnswered(): Promise<void> {
    const isAnswered = async () => (await this.progress()).activity !== 'Booking';
    await vi.waitUntil(isAnswered, { timeout: PATIENCE_MS, interval: 30 });
  }

  /** Until the flow has the answer to its booking, and is at rest. */
  async untilFollowed(): Promise<Progress> {
    const workflow = this.#installation.client.workflow.getHandle(this.handle.workflowId);
    return await vi.waitUntil(
      async () => {
        const progress = await this.progress();
        const { pendingWorkflowTask } = (await workflow.describe()).raw;
        return progress.activity === 'Following' && !pendingWorkflowTask && progress;
      },
      { timeout: PATIENCE_MS, interval: 30 },
    );
  }

  async uidOf(role: Role | 'former'): Promise<string> {
    if (role !== 'former') return (await this.untilBooked()).get(role)?.shipmentUid ?? '';
    return this.#before.priors?.former ?? '';
  }

  async does([role, step]: Step): Promise<void> {
    const { people } = this.#installation;
    const uid = await this.uidOf(role);
    if (step !== 'setReceiver') await people[step](uid);
    else if (role !== 'former') await this.#setReceiver(role, uid);
  }

  /** By the flow itself, once it knows that the item is there. */
  async #setReceiver(role: Role, uid: string): Promise<void> {
    await this.untilHeard(uid);
    const update = { role, toUserUid: 'user-bram' };
    expectAsDescribed(`${this.#story.flow}.update.setReceiver`, update);
    await this.handle.setReceiver(update);
  }

  /** As fast as people can, whatever the flow knows by then. */
  async doAll(steps: readonly Step[] = this.#story.steps): Promise<void> {
    // Where nobody does anything, what was booked may be undone again before anybody looks.
    if (steps.length > 0) await this.untilBooked();
    for (const step of steps) await this.does(step);
  }

  /** Until the flow knows of the state that the shipment is in, or all its shipments are in. */
  async untilHeard(...uids: readonly string[]): Promise<void> {
    const { people } = this.#installation;
    const all =
      uids.length > 0 ? uids : [...(await this.untilBooked()).values()].map((each) => each.shipmentUid);
    await vi.waitUntil(
      async () => {
        const { reportHistory } = await this.progress();
        const events = await storedEvents(people.database, all, 0);
        const isNew = (uid: string) => !this.#before.shipments.some(({ shipmentUid }) => shipmentUid === uid);
        return events
          .filter(({ shipmentUid }) => isNew(shipmentUid) || shipmentUid === this.#before.priors?.prior)
          .filter((event) => !this.#wasBefore(event))
          .every((event) => reportHistory.some((entry) => isOf(entry, event)));
      },
      { timeout: PATIENCE_MS, interval: 30 },
    );
  }

  #wasBefore({ shipmentUid, stateStart }: { shipmentUid: string; stateStart: Date }): boolean {
    const before = this.#before.shipments.find((each) => each.shipmentUid === shipmentUid);
    return before !== undefined && stateStart <= before.stateStart;
  }

  /** In each locker that has to be emptied, the cancelled shipment that had begun: those after it were registered. */
  async itemsLeft(): Promise<unknown[]> {
    const { people, vendor } = this.#installation;
    const wall = await people.wall(this.pupUid);
    const cancelled = [...(await this.stored())].filter(([, { stateCode }]) => stateCode === 'Cancelled');
    return wall.filter(isToBeEmptied).flatMap((locker) => {
      const [role, shipment] = cancelled.find(([, { lockerName }]) => lockerName === locker.lockerName) ?? [];
      if (!role || !shipment) return [];
      const { shipmentUid, pupUid, lockerName } = shipment;
      return [
        expect.objectContaining({ role, shipmentUid, ...(vendor === ourService && { pupUid, lockerName }) }),
      ];
    });
  }

  /** The wall is as it was before the flow, but for what people have picked up since and the items left, each told. */
  async expectUndone(told: FlowResult['itemsLeft']): Promise<void> {
    const { people } = this.#installation;
    const wall = await people.wall(this.pupUid);
    const left = wall.filter(isToBeEmptied).map(({ lockerName }) => lockerName);
    expect(told).toHaveLength(left.length);
    expect(told).toEqual(await this.itemsLeft());
    const now = await people.shipmentsAt(this.pupUid);
    const isOver = (uid: string) =>
      now.some(({ shipmentUid, stateCode }) => shipmentUid === uid && stateCode === 'Completed');
    const expected = this.#before.wall.map((locker) => {
      if (left.includes(locker.lockerName))
        return inShort({ ...locker, state: 'ToBeEmptied', shipments: [] });
      const shipments = locker.shipments.filter(({ shipmentUid }) => !isOver(shipmentUid));
      return inShort({ ...locker, state: shipments.length > 0 ? 'Booked' : 'Free', shipments });
    });
    expect(wall.map(inShort)).toEqual(expected);
    if (this.#installation.vendor === ourService) await this.expectStockAsItWas();
  }

  /** Stock that is given back has no receiver, and what its own booking said of it. */
  async expectStockAsItWas(): Promise<void> {
    const now = await this.#installation.people.shipmentsAt(this.pupUid);
    const kept = this.#before.shipments.filter(
      ({ shipmentUid, toUserUid }) =>
        toUserUid === null &&
        now.some((each) => each.shipmentUid === shipmentUid && isActive(each.stateCode)),
    );
    expect(
      now.filter(({ shipmentUid }) => kept.some((each) => each.shipmentUid === shipmentUid)).map(asStock),
    ).toEqual(kept.map(asStock));
  }

  /** The result is what truly happened, and nothing is booked twice. */
  async expectDone(): Promise<FlowResult> {
    const { people, vendor, probesInFull } = this.#installation;
    const { ends, legs: links } = this.#story;
    const result = await this.handle.result();
    expectAsDescribed(`${this.#story.flow}.result`, result);
    const truth = await this.stored();
    const states = Object.fromEntries([...truth].map(([role, { stateCode }]) => [role, stateCode]));
    expect(states).toEqual(ends);
    const legs = [...truth].map(([role, shipment]) => [
      role,
      expect.objectContaining({
        shipmentUid: shipment.shipmentUid,
        stateCode: shipment.stateCode,
        ...(vendor === ourService && { pupUid: shipment.pupUid }),
        ...(vendor === ourService && probesInFull && { lockerName: shipment.lockerName }),
      }),
    ]);
    expect(result).toEqual({
      outcome: 'Done',
      shipments: Object.fromEntries(legs),
      overdue: [],
      itemsLeft: await this.itemsLeft(),
      unassigned: [],
    });
    const made = Object.values(links).filter((link) => link !== 'prior').length;
    expect((await people.shipmentsAt(this.pupUid)).length - this.#before.shipments.length).toBe(made);
    return result;
  }
}

function isToBeEmptied({ state }: SeenLocker): boolean {
  return state === 'ToBeEmptied';
}

const asStock = ({ shipmentUid, toUserUid, referenceNo, referenceCaseNo, description }: StoredShipment) => ({
  shipmentUid,
  toUserUid,
  referenceNo,
  referenceCaseNo,
  description,
});

/** Its state, whose its item is, and who may take it out. */
function inShort({ lockerName, state, shipments }: SeenLocker): unknown {
  return [lockerName, state, shipments.map(({ shipmentUid, toUserUid }) => [shipmentUid, toUserUid])];
}

function isOf(
  entry: { readonly shipmentUid: string; readonly stateStart: string | null },
  event: { readonly shipmentUid: string; readonly stateStart: Date },
): boolean {
  if (entry.shipmentUid !== event.shipmentUid || entry.stateStart === null) return false;
  return Date.parse(entry.stateStart) === event.stateStart.getTime();
}
