// What docs/operate.md says under "Backup and restore": one of the two stores is set back to an earlier point than the
// other, and with what is written there everything comes to its right end. By the programs that an operator has.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { FlowCancelled, FlowNotFound } from '../../client/flow-errors.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { told } from '../client/command-line/lockerflow-program.ts';
import { dimension } from '../end-to-end/story-legs.ts';
import { PatientPeople, untilDone, untilThere } from './patience.ts';
import { startWorld, type World } from './world.ts';

const run = promisify(execFile);
const PICK_UP_POINT = 'pup-restored';

/** The files of each store. */
const stores = { temporal: 'temporal.sqlite*', postgres: 'postgres' } as const;
type Store = keyof typeof stores;

/** With a flow that was begun before the store was backed up. */
async function restorable(store: Store) {
  const world = await startWorld({ repeats: [null] });
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

function issues({ client }: World, people: PatientPeople) {
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

function operatorOf({ folder, parts, databaseUrl, temporalAddress }: World) {
  const shell = (command: string) => async () => void (await run('sh', ['-c', command], { cwd: folder }));
  const service = join(import.meta.dirname, '../../service/main.ts');
  return {
    /** While its server is down: as a backup of that point in time would be. */
    async backUp(store: Store): Promise<Date> {
      await parts[store].kill(shell(`mkdir backup && cp -a ${stores[store]} backup/`));
      return new Date();
    },
    async restore(store: Store): Promise<void> {
      await parts[store].kill(shell(`rm -r ${stores[store]} && cp -a backup/* .`));
    },
    async service<Value>(...words: string[]): Promise<Value> {
      const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
      const { stdout } = await run(process.execPath, [service, '--json', ...words], { env });
      return JSON.parse(stdout) as Value;
    },
    lockerflow<Value>(...words: string[]): Promise<Value> {
      return told<Value>(words, { variables: { TEMPORAL_ADDRESS: temporalAddress } });
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

  await untilThere('the parked callback', async () => {
    const parked = await operator.lockerflow<{ id: string }[]>('parked', 'list');
    return JSON.stringify(parked).includes(since) || undefined;
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

test('the database is restored: flows with lost bookings are given up, the others continue', async () => {
  const { people, flow, issue, knows, operator, before, point } = await restorable('postgres');

  await people.dropOff(before);
  await knows('begun before', 'ReadyForPickup');
  await issue('begun since');
  await knows('begun since', 'ReadyForDropoff');
  await operator.restore('postgres');

  const open = await operator.lockerflow<unknown>('list', '--open', '--started-after', point.toISOString());
  expect(JSON.stringify(open)).toContain('begun since');
  expect(JSON.stringify(open)).not.toContain('begun before');
  await operator.lockerflow('cancel', 'begun since');
  await untilThere('the question for a person', async () => {
    const { phase } = await flow('begun since').progress();
    return phase === 'NeedsPerson' || undefined;
  });
  await operator.lockerflow(
    'resolve',
    'begun since',
    'giveUp',
    '--by',
    'anna',
    '--why',
    'the booking is gone',
  );
  await expect(flow('begun since').result()).rejects.toThrow(FlowCancelled);

  const again = await issue('begun again');
  for (const shipmentUid of [again, before]) {
    await people.dropOff(shipmentUid);
    await people.pickUp(shipmentUid);
  }
  for (const [key, shipmentUid] of [
    ['begun again', again],
    ['begun before', before],
  ] as const)
    expect(await untilDone(() => flow(key).result())).toMatchObject({
      outcome: 'Done',
      shipments: { issue: { shipmentUid, stateCode: 'Completed' } },
    });
});
