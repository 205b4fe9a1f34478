// @module-tag invariant
// What docs/operate.md says under "Backup and restore": one of the two stores is set back to an earlier point than the
// other, and with what is written there everything comes to its right end. By the commands that an operator has.
// assumptions: Lockers and codes, Lockers after the database was restored to an earlier point

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { ShownComparison } from '../../../../cli/verbs/compare.ts';
import { FlowCancelled, FlowNotFound } from '../../../../client/flow-errors.ts';
import { LockerFlows } from '../../../../client/locker-flows.ts';
import type { StateCode } from '../../../../contract/wire/states.ts';
import { run as lockerflow, runJson } from '../../../cli/lockerflow-program.ts';
import { dimension } from '../../../end-to-end/story-legs.ts';
import { demoSettings } from '../../../support/caller.ts';
import { writtenByService } from '../../../support/service-command.ts';
import { PatientPeople, untilDone, untilThere } from './patience.ts';
import { type OneMachine, startWorld } from './world.ts';

const run = promisify(execFile);
const PICK_UP_POINT = 'pup-restored';

/** The files of each store. */
const stores = { temporal: 'temporal.sqlite*', postgres: 'postgres' } as const;
type Store = keyof typeof stores;

/** With a flow that was begun before the store was backed up. */
async function restorable(store: Store) {
  const world = await startWorld({ repeats: [null], seed: 0 });
  onTestFinished(async () => {
    await world[Symbol.asyncDispose]();
    await rm(world.folder, { recursive: true });
  });
  const people = await PatientPeople.at(world.serviceAddress, world.database);
  await people.newPickUpPoint(PICK_UP_POINT, 4);
  const flows = issues(world, people);
  const before = await flows.issue('begun before');
  await flows.knows('begun before', 'ReadyForDropoff');
  const operator = operatorOf(world);
  const point = await operator.backUp(store);
  return { people, ...flows, operator, before, point };
}

function issues({ client }: OneMachine, people: PatientPeople) {
  const flows = new LockerFlows(client);
  const flow = (key: string) => flows.handle<'Issue'>(key);
  return {
    flow,
    /** Gives the uid of what is booked, which the key has booked before so many times. */
    async issue(key: string, bookedBefore = 0): Promise<string> {
      const locker = { pupUid: PICK_UP_POINT, dimension };
      const request = { ...locker, allowLargerLockers: false, allowOverflowLockers: false };
      await untilDone(() => flows.start('Issue', key, { request: { ...request, toUserUid: 'user-anna' } }));
      const { shipmentUid } = await untilThere(`the booking of ${key}`, async () => {
        const all = await people.shipmentsAt(PICK_UP_POINT);
        return all.filter(({ referenceCaseNo }) => referenceCaseNo === key)[bookedBefore];
      });
      return shipmentUid;
    },
    async knows(key: string, stateCode: StateCode): Promise<void> {
      await untilThere(`${stateCode} of ${key}`, async () => {
        const { shipments } = await flow(key).progress();
        return shipments.issue?.stateCode === stateCode || undefined;
      });
    },
  };
}

function operatorOf({ folder, components, databaseUrl, temporalAddress, serviceAddress }: OneMachine) {
  const shell = (command: string) => async () => void (await run('sh', ['-c', command], { cwd: folder }));
  let heldLockers: readonly string[] = [];
  async function service<Value>(...words: string[]): Promise<Value> {
    return JSON.parse(await writtenByService(['--json', ...words], { DATABASE_URL: databaseUrl })) as Value;
  }
  const variables = {
    TEMPORAL_ADDRESS: temporalAddress,
    ...demoSettings(serviceAddress),
  };
  const restore = (store: Store) =>
    components[store].kill(shell(`rm -r ${stores[store]} && cp -a backup/* .`));
  return {
    service,
    restore,
    /** While its server is down: as a backup of that point in time would be. */
    async backUp(store: Store): Promise<Date> {
      await components[store].kill(shell(`mkdir backup && cp -a ${stores[store]} backup/`));
      return new Date();
    },
    /** The service starts only when no booking can get a locker any more. */
    async restoreService(): Promise<void> {
      await components.service.kill(async () => {
        await restore('postgres');
        const answer = await service<{ held: string[] }>('locker', 'hold', 'demo');
        heldLockers = answer.held;
      });
    },
    async release(except: readonly string[]): Promise<void> {
      const released = heldLockers.filter((lockerUid) => !except.includes(lockerUid));
      await service('locker', 'emptied', 'demo', ...released);
    },
    async compared(since: Date) {
      const words = ['compare', '--since', since.toISOString(), '--json'];
      const { code, out, err } = await lockerflow(words, { variables });
      expect([code, err]).toEqual([0, '']);
      return (JSON.parse(out) as ShownComparison).disagreements;
    },
    lockerflow<Value>(...words: string[]): Promise<Value> {
      return runJson<Value>(words, { variables });
    },
  };
}

test('Temporal is restored: later reports are sent again, and later flows are started again', async () => {
  const { people, flow, issue, knows, operator, before, point } = await restorable('temporal');

  await people.dropOff(before);
  await people.pickUp(before);
  const result = await untilDone(() => flow('begun before').result());
  const since = await issue('begun since');
  await people.dropOff(since);
  await knows('begun since', 'ReadyForPickup');
  await operator.restore('temporal');
  await knows('begun before', 'ReadyForDropoff');
  await expect(flow('begun since').progress()).rejects.toThrow(FlowNotFound);

  const { deliveries } = await operator.service<{ deliveries: { eventId: number; createdAt: string }[] }>(
    ...['callback', 'list', 'demo'],
  );
  const missed = deliveries.filter(({ createdAt }) => new Date(createdAt) > point);
  const first = Math.min(...missed.map(({ eventId }) => eventId));
  const { resent } = await operator.service<{ resent: number }>(
    'callback',
    'resend',
    'demo',
    '--from',
    `${first}`,
  );
  expect(resent).toBe(3);
  expect(await untilDone(() => flow('begun before').result())).toEqual(result);

  await untilThere('the unmatched callback', async () => {
    const unmatched = await operator.lockerflow<{ id: string }[]>('unmatched', 'list');
    return JSON.stringify(unmatched).includes(since) || undefined;
  });
  const again = await issue('begun since', 1);
  await people.cancel(since);
  await people.dropOff(again);
  await people.pickUp(again);
  expect(await untilDone(() => flow('begun since').result())).toMatchObject({
    outcome: 'Done',
    shipments: { issue: { shipmentUid: again, stateCode: 'Completed' } },
  });
});

async function issueNow(people: PatientPeople): Promise<void> {
  const locker = { pupUid: PICK_UP_POINT, dimension, allowLargerLockers: true, allowOverflowLockers: false };
  await people.call('CreateLocalShipmentAsIssue', { ...locker, toUserUid: 'user-anna' });
}

// It starts the world, and stops two components of it: on two busy cores that takes minutes.
const LONG_MS = 400_000;

test(
  'the database is restored: nobody gets a locker with an item, lost bookings are given up, the others continue',
  async () => {
    const { people, flow, issue, knows, operator, before, point } = await restorable('postgres');

    await people.dropOff(before);
    await knows('begun before', 'ReadyForPickup');
    await issue('begun since');
    const dropped = await issue('dropped since');
    await people.dropOff(dropped);
    await knows('begun since', 'ReadyForDropoff');
    await knows('dropped since', 'ReadyForPickup');
    await operator.restoreService();

    const open = await operator.lockerflow<unknown>('list', '--open', '--started-after', point.toISOString());
    expect(JSON.stringify(open)).toContain('begun since');
    expect(JSON.stringify(open)).not.toContain('begun before');

    await expect(issueNow(people)).rejects.toThrow('NoLockerAvailable');
    const found = await operator.compared(point);
    expect(found.map(({ kind, key, isItemIn }) => [kind, key, isItemIn]).sort()).toEqual([
      ['noShipment', 'begun since', false],
      ['noShipment', 'dropped since', true],
      ['serviceBehind', 'begun before', true],
    ]);
    const forgotten = found.filter(({ kind, isItemIn }) => kind === 'noShipment' && isItemIn);
    await operator.release(forgotten.map(({ lockerUid }) => lockerUid ?? ''));

    for (const key of ['begun since', 'dropped since']) {
      await operator.lockerflow('cancel', key);
      await untilThere('the question for a person', async () => {
        const { phase } = await flow(key).progress();
        return phase === 'NeedsPerson' || undefined;
      });
      const why = ['--by', 'anna', '--why', 'the booking is gone'];
      await operator.lockerflow('give-up', key, ...why);
      await expect(flow(key).result()).rejects.toThrow(FlowCancelled);
    }
    const again = await issue('begun again');
    const more = await issue('one more');
    const booked = await people.shipmentsAt(PICK_UP_POINT);
    expect(booked.map(({ lockerName }) => lockerName)).not.toContain(forgotten[0]?.lockerName);
    // Four lockers: three are booked, and in the fourth lies an item.
    await expect(issueNow(people)).rejects.toThrow('NoLockerAvailable');
    await operator.lockerflow('shipment', 'unlock', before, '--goal', 'DropOff', '--yes');
    for (const shipmentUid of [again, more]) await people.dropOff(shipmentUid);
    for (const shipmentUid of [again, more, before]) await people.pickUp(shipmentUid);
    for (const [key, shipmentUid] of [
      ['begun again', again],
      ['one more', more],
      ['begun before', before],
    ] as const)
      expect(await untilDone(() => flow(key).result())).toMatchObject({
        outcome: 'Done',
        shipments: { issue: { shipmentUid, stateCode: 'Completed' } },
      });
    // Until somebody has fetched the item.
    expect(await operator.compared(point)).toMatchObject([{ kind: 'noShipment', isItemIn: true }]);
    await operator.service('locker', 'emptied', 'demo', forgotten[0]?.lockerUid ?? '');
    expect(await operator.compared(point)).toEqual([]);
  },
  LONG_MS,
);
