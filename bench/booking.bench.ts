// Durable CreateLocalShipment per second over HTTP against a floor, and the same with 200 times the lockers and 1,000,000
// old shipments. The floor is the same booking as one bare statement through pg, over as many connections: book_chain
// with the arguments that the service gives it, so the same locks, rows, codes and synced commit. It lacks what is not
// SQL: HTTP, token, parsing, log. Goals: at least 0.85 of the floor; at most 1.3 times slower.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../local/postgres/postgres.ts';
import { plannedShipment, roomOf, shipmentRow } from '../service/shipments/planned-shipment.ts';
import { useFunctions } from '../service/storage/functions.ts';
import { type Amount, fill, freeAll } from './booking-data.ts';
import {
  CONNECTIONS,
  clientOf,
  type Measured,
  measured,
  newDatabase,
  startService,
} from './loaded-service.ts';
import { percentile, printTable } from './table.ts';

/** Fewer than the lockers of the smaller installation. */
const BOOKINGS = 800;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Left out: until then Node has not compiled what it runs, in the service as in the floor. */
const WARM_UP_ROUNDS = 12;

const amounts = {
  small: { pickUpPoints: 2, lockersEach: 500, oldShipments: 0 },
  large: { pickUpPoints: 400, lockersEach: 500, oldShipments: 1_000_000 },
} satisfies Record<string, Amount>;

interface Way {
  /** One booking; throws unless it booked. */
  readonly book: (pupUid: string) => Promise<void>;
  close(): Promise<void>;
}

interface Installation {
  readonly url: string;
  readonly amount: Amount;
  readonly http: Way;
  readonly floor: Way;
}

const dimension = { width: 10, height: 10, length: 10 };
const permissions = { allowLargerLockers: true, allowOverflowLockers: false };
const users = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };

async function measure({ amount, url }: Installation, { book }: Way): Promise<Measured> {
  await freeAll(url);
  const places = Array.from({ length: BOOKINGS }, (_, index) => `bench-${1 + (index % amount.pickUpPoints)}`);
  return measured(places, book);
}

/** The floor: book_chain with the values that the service gives it for this booking. */
async function bareSqlOf(url: string): Promise<Way> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, idleTimeoutMillis: 0 });
  pool.on('connect', (client) => void client.query(useFunctions));
  const { rows } = await pool.query("select tenant_id from tenants where tenant_uid = 'demo'");
  const tenantId = Number(rows[0].tenant_id);
  const room = roomOf({ dimension, ...permissions });
  const { smallSide, middleSide, largeSide } = room.sides;
  const book = async (pupUid: string) => {
    const shipment = plannedShipment({ ...users, room });
    const state = { to: 'ReadyForDropoff', pickUpCode: 'new', deliveryCode: 'new' } as const;
    const { rows: outcomes } = await pool.query(
      'select * from book_chain($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)',
      [
        ...[tenantId, pupUid, null, smallSide, middleSide, largeSide, true, false, false],
        [users.fromUserUid, users.toUserUid],
        JSON.stringify([shipmentRow(shipment, state)]),
        JSON.stringify({ shipmentUid: shipment.shipmentUid }),
        ...[false, 'CreateLocalShipment', null, null, 'demo', null, 'bench', [shipment.shipmentUid]],
      ],
    );
    if (outcomes[0]?.outcome !== 'booked') throw new Error(`The floor was refused: ${outcomes[0]?.outcome}`);
  };
  return { book, close: () => pool.end() };
}

async function overHttpOf(address: string): Promise<Way> {
  const { call, close } = await clientOf(address);
  const book = async (pupUid: string) => {
    await call('CreateLocalShipment', { pupUid, dimension, ...permissions, ...users });
  };
  return { book, close };
}

const median = (values: readonly number[]) => percentile(values, 0.5);

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const postgres = await startPostgres({ folder, port: 0 });
const children: ChildProcess[] = [];
const closing: Way[] = [];
try {
  const installations: Record<string, Installation> = {};
  for (const [name, amount] of Object.entries(amounts)) {
    const url = await newDatabase(postgres.url);
    await fill(url, amount);
    const { address, child } = await startService(url, folder);
    children.push(child);
    installations[name] = { url, amount, http: await overHttpOf(address), floor: await bareSqlOf(url) };
  }
  for (const { http, floor } of Object.values(installations)) closing.push(http, floor);
  await report(installations as Record<keyof typeof amounts, Installation>);
} finally {
  for (const way of closing) await way.close();
  for (const child of children) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Each goes first in turn: what the first leaves to be done, like a checkpoint, falls to the second. */
async function measureBoth(
  installation: Installation,
  round: number,
): Promise<Record<'http' | 'floor', Measured>> {
  if (round % 2 === 0) {
    const http = await measure(installation, installation.http);
    return { http, floor: await measure(installation, installation.floor) };
  }
  const floor = await measure(installation, installation.floor);
  return { http: await measure(installation, installation.http), floor };
}

async function report({ small, large }: Record<keyof typeof amounts, Installation>): Promise<void> {
  const rounds: Record<keyof typeof amounts, { http: Measured; floor: Measured }>[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const figures = { small: await measureBoth(small, round), large: await measureBoth(large, round) };
    if (round >= WARM_UP_ROUNDS) rounds.push(figures);
  }
  printTable(
    (['small', 'large'] as const).map((name) => {
      const own = rounds.map((round) => round[name]);
      const { pickUpPoints, lockersEach, oldShipments } = amounts[name];
      return {
        lockers: pickUpPoints * lockersEach,
        'old shipments': oldShipments,
        'service /s': median(own.map(({ http }) => http.perSecond)).toFixed(0),
        'floor /s': median(own.map(({ floor }) => floor.perSecond)).toFixed(0),
        'of the floor': median(own.map(({ http, floor }) => http.perSecond / floor.perSecond)).toFixed(2),
        'service p50 ms': median(own.flatMap(({ http }) => http.waits)).toFixed(1),
        'service p99 ms': percentile(
          own.flatMap(({ http }) => http.waits),
          0.99,
        ).toFixed(1),
        'floor p99 ms': percentile(
          own.flatMap(({ floor }) => floor.waits),
          0.99,
        ).toFixed(1),
      };
    }),
  );
  const slower = rounds.map(({ small: few, large: many }) => few.http.perSecond / many.http.perSecond);
  const shares = rounds.map(({ small: few }) => few.http.perSecond / few.floor.perSecond);
  process.stdout.write(`${median(shares).toFixed(2)} of the floor (goal: at least 0.85)\n`);
  process.stdout.write(`large is ${median(slower).toFixed(2)} times slower (goal: at most 1.3)\n`);
}
