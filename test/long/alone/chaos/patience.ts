// People, and whoever starts flows, do not give up because something is away for a while: they try again, in a way that
// does nothing twice.
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { untilDone as tryAgain } from '../../../../scripts/cluster/temporal/until-it-works.ts';
import type { Database } from '../../../../service/storage/database.ts';
import { People } from '../../../end-to-end/people.ts';
import { type Caller, callerAs } from '../../../support/caller.ts';
import type { StoredShipment } from '../../../support/chains/stored-shipments.ts';
import type { SeenLocker } from '../../../support/chains/wall-seen.ts';
import type { NewLocker } from '../../../support/new-pick-up-point.ts';

/** Far beyond what anything takes: only what never comes ends it. */
export const PATIENCE_MS = 300_000;

export const untilDone = <Result>(work: () => Promise<Result>, giveUp?: AbortSignal): Promise<Result> =>
  tryAgain(work, { withinMs: PATIENCE_MS, giveUp });

/** Gives what is not undefined; `what` is for who reads that it never came. */
export async function untilThere<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
  giveUp?: AbortSignal,
): Promise<Value> {
  return await untilDone(async () => {
    const found = await look();
    if (found === undefined) throw new Error(`never came: ${what}`);
    return found;
  }, giveUp);
}

/** Each call has one key for all its tries: what was done and not heard of is not done twice. */
async function patientCaller(serviceAddress: string): Promise<Caller> {
  const call = await callerAs(serviceAddress);
  return async (name, body, headers) => {
    const key = { 'idempotency-key': randomUUID() };
    return await untilDone(async () => {
      const reply = await call(name, body, { ...headers, ...key });
      if (reply.status >= 500) throw new Error(`${name}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply;
    });
  };
}

export class PatientPeople extends People {
  static async at(serviceAddress: string, database: Kysely<Database>): Promise<PatientPeople> {
    return new PatientPeople(await patientCaller(serviceAddress), database, false);
  }

  override newPickUpPoint(pupUid: string, lockers?: number): Promise<NewLocker[]> {
    return untilDone(() => super.newPickUpPoint(pupUid, lockers));
  }

  override shipment(shipmentUid: string): Promise<StoredShipment> {
    return untilDone(() => super.shipment(shipmentUid));
  }

  override shipmentsAt(pupUid: string): Promise<StoredShipment[]> {
    return untilDone(() => super.shipmentsAt(pupUid));
  }

  override wall(pupUid: string): Promise<SeenLocker[]> {
    return untilDone(() => super.wall(pupUid));
  }

  async lockersToBeEmptied(pupUid: string): Promise<SeenLocker[]> {
    return (await this.wall(pupUid)).filter(({ toBeEmptied }) => toBeEmptied);
  }

  /** What was left behind in lockers of the pick up point. */
  async takeOut(pupUid: string): Promise<void> {
    for (const { lockerUid } of await this.lockersToBeEmptied(pupUid))
      await this.call('SetLockerEmptied', { lockerUid });
  }
}
