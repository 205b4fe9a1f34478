// Changes of chains per second over HTTP against a floor: drop-off, pick-up, cancellation, and a receiver set and removed.
// The floor is the same change as the statements that the service sends, by pg alone, over as many connections: the same
// locks, rows, codes and synced commits. It lacks what is not SQL: HTTP, token, parsing, rules, log. Goal: at least 0.85
// of the floor for each.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationName } from '../../contract/index.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { dimension, permissions, users } from './booking/bare-booking.ts';
import { fill, freeAll } from './booking-data.ts';
import {
  clientOf,
  type LoadedService,
  type Measured,
  measured,
  newDatabase,
  type ServiceClient,
  startService,
} from './loaded-service.ts';
import { floorOn, type Recorded, recorderOn } from './recorded-statements.ts';
import { median, percentile, printTable } from './table.ts';

/** For each way and round: together fewer than the lockers. */
const CHANGES = 200;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Left out: until then Node has not compiled what it runs. */
const WARM_UP_ROUNDS = 5;
const GOAL = 0.85;

interface Change {
  /** Books one that can be changed so, and gives its uid. */
  readonly ready: (service: ServiceClient, pupUid: string) => Promise<string>;
  readonly operation: OperationName;
  readonly request: object;
}

async function booked({ call }: ServiceClient, pupUid: string): Promise<string> {
  return String(
    (await call('CreateLocalShipment', { pupUid, dimension, ...permissions, ...users })).shipmentUid,
  );
}

async function stocked({ call }: ServiceClient, pupUid: string): Promise<string> {
  const { shipmentUids } = await call('CreateLocalShipmentAsStock', { pupUid, dimension, ...permissions });
  return String((shipmentUids as string[])[0]);
}

const goal = (unlockGoal: 'DropOff' | 'PickUp') => ({ unlockGoal, pinCode: null });

async function dropped(service: ServiceClient, pupUid: string): Promise<string> {
  const shipmentUid = await booked(service, pupUid);
  await service.call('UnlockShipmentLocker', { shipmentUid, ...goal('DropOff') });
  return shipmentUid;
}

const changes: Readonly<Record<string, Change>> = {
  'drop-off': { ready: booked, operation: 'UnlockShipmentLocker', request: goal('DropOff') },
  'pick-up': { ready: dropped, operation: 'UnlockShipmentLocker', request: goal('PickUp') },
  cancel: { ready: booked, operation: 'CancelShipment', request: {} },
  'set receiver': { ready: stocked, operation: 'SetShipmentReceiver', request: { toUserUid: 'user-anna' } },
  'remove receiver': {
    ready: booked,
    operation: 'SetShipmentReceiver',
    request: { toUserUid: 'user-anna', removeReceiver: true },
  },
};

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const postgres = await startPostgres({ folder, port: 0 });
const closing: { close(): Promise<void> }[] = [];
let started: LoadedService | undefined;
try {
  const url = await newDatabase(postgres.url);
  await fill(url, { pickUpPoints: 2, lockersEach: 500, oldShipments: 0 });
  started = await startService(url, folder);
  const service = await clientOf(started.address);
  closing.push(service);
  const recorder = await recorderOn(url);
  closing.push(recorder);
  const floor = floorOn(url);
  closing.push(floor);

  async function round({ ready, operation, request }: Change, floorFirst: boolean) {
    await freeAll(url);
    const uids: string[] = [];
    await measured(
      Array.from({ length: 2 * CHANGES }, (_, index) => `bench-${1 + (index % 2)}`),
      async (pupUid) => {
        uids.push(await ready(service, pupUid));
      },
    );
    const [own, others] = [uids.slice(0, CHANGES), uids.slice(CHANGES)];
    const recorded: Recorded[] = [];
    for (const shipmentUid of others)
      recorded.push(await recorder.record(({ call }) => call(operation, { ...request, shipmentUid })));
    const byHttp = () => measured(own, (shipmentUid) => service.call(operation, { ...request, shipmentUid }));
    const bySql = () => measured(recorded, floor.send);
    // Each goes first in turn: what the first leaves to be done, like a checkpoint, falls to the second.
    if (floorFirst) {
      const sql = await bySql();
      return { sql, http: await byHttp() };
    }
    const http = await byHttp();
    return { http, sql: await bySql() };
  }

  const figures: Record<string, { http: Measured; sql: Measured }[]> = Object.fromEntries(
    Object.keys(changes).map((name) => [name, []]),
  );
  for (let index = 0; index < WARM_UP_ROUNDS + ROUNDS; index++)
    for (const [name, change] of Object.entries(changes)) {
      const figure = await round(change, index % 2 === 0);
      if (index >= WARM_UP_ROUNDS) figures[name]?.push(figure);
    }
  printTable(
    Object.entries(figures).map(([change, rounds]) => {
      const share = median(rounds.map(({ http, sql }) => http.perSecond / sql.perSecond));
      return {
        change,
        'service /s': median(rounds.map(({ http }) => http.perSecond)).toFixed(0),
        'floor /s': median(rounds.map(({ sql }) => sql.perSecond)).toFixed(0),
        'of the floor': share.toFixed(2),
        goal: share >= GOAL ? 'reached' : `missed: ${GOAL}`,
        'service p99 ms': percentile(
          rounds.flatMap(({ http }) => http.waits),
          0.99,
        ).toFixed(1),
        'floor p99 ms': percentile(
          rounds.flatMap(({ sql }) => sql.waits),
          0.99,
        ).toFixed(1),
      };
    }),
  );
} finally {
  for (const each of closing) await each.close();
  await started?.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
