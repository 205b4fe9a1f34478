// Issues that are begun at certain moments of an upgrade and go on when the proof says so: which definition each has, and
// when it is done by it.

import { LockerFlows } from '../../client/locker-flows.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { FollowedFlow } from '../chaos/ended-right.ts';
import { PatientPeople, untilDone, untilThere } from '../chaos/patience.ts';
import type { Progress } from '../chaos/progress.ts';
import { whileItMoves } from '../chaos/stands-still.ts';
import type { World } from '../chaos/world.ts';
import { stories } from '../end-to-end/stories.ts';
import { dimension } from '../end-to-end/story-legs.ts';

export interface Probe {
  readonly key: string;
  readonly shipmentUid: string;
  readonly pupUid: string;
}

export class Probes {
  readonly #world: World;
  readonly #progress: Progress;
  readonly #people: PatientPeople;
  readonly #flows: LockerFlows;
  readonly #all: Probe[] = [];

  private constructor(world: World, progress: Progress, people: PatientPeople) {
    this.#world = world;
    this.#progress = progress;
    this.#people = people;
    this.#flows = new LockerFlows(world.client);
  }

  static async of(world: World, progress: Progress): Promise<Probes> {
    return new Probes(world, progress, await PatientPeople.at(world.serviceAddress, world.database));
  }

  async begin(key: string): Promise<Probe> {
    const pupUid = `pup-${key}`;
    await this.#people.newPickUpPoint(pupUid, 1);
    const request = { pupUid, dimension, allowLargerLockers: false, allowOverflowLockers: false };
    await untilDone(() =>
      this.#flows.start('Issue', key, { request: { ...request, toUserUid: 'user-anna' } }),
    );
    const { shipmentUid } = await untilThere(`the booking of ${key}`, async () =>
      (await this.#people.shipmentsAt(pupUid)).at(0),
    );
    const probe = { key, shipmentUid, pupUid };
    this.#all.push(probe);
    return probe;
  }

  /** Which definition it runs on, like Issue@1. */
  definition({ key }: Probe): Promise<unknown> {
    return untilThere(`the definition of ${key}`, async () => {
      const { searchAttributes } = await this.#world.client.workflow.getHandle(key).describe();
      return searchAttributes.LockerFlowVersion?.[0];
    });
  }

  dropOff({ shipmentUid }: Probe): Promise<void> {
    return this.#people.dropOff(shipmentUid);
  }

  pickUp({ shipmentUid }: Probe): Promise<void> {
    return this.#people.pickUp(shipmentUid);
  }

  /** The flow has heard of the state; gives whether it goes on waiting. */
  async isOpenIn({ key }: Probe, stateCode: StateCode): Promise<boolean> {
    const handle = this.#flows.handle<'Issue'>(key);
    await untilThere(`${stateCode} of ${key}`, async () => {
      const { shipments } = await handle.progress();
      return shipments.issue?.stateCode === stateCode || undefined;
    });
    const { status } = await this.#world.client.workflow.getHandle(key).describe();
    return status.name === 'RUNNING';
  }

  result({ key, pupUid }: Probe): Promise<FlowResult> {
    const { client, twice } = this.#world;
    const watched = {
      client,
      twice,
      people: this.#people,
      progress: this.#progress,
      pupUid,
      workflowId: key,
    };
    return whileItMoves(watched, (attempt) => {
      attempt.peopleWaitFor = `the end of ${key}`;
      return untilDone(() => this.#flows.handle<'Issue'>(key).result(), attempt.giveUp);
    });
  }

  /** For what is asked of every flow, of those that run on this definition. */
  async followed(definition: string): Promise<FollowedFlow[]> {
    const story = stories.find(({ flow }) => flow === 'Issue');
    if (!story) throw new TypeError('there is no story of Issue');
    const planned = { story, cancelledAfter: null };
    const definitions = await Promise.all(this.#all.map((probe) => this.definition(probe)));
    const onIt = this.#all.filter((_, index) => definitions[index] === definition);
    return await Promise.all(
      onIt.map(async ({ key, shipmentUid }) => ({
        ...{ workflowId: key, planned },
        legs: new Map([['issue' as const, await this.#people.shipment(shipmentUid)]]),
      })),
    );
  }
}
