// Durable CreateLocalShipment per second over HTTP against a floor, and the same with 200 times the lockers and 1,000,000
// old shipments. The floor is the same booking as one bare statement (bare-booking.ts), over as many connections. It lacks
// what is not SQL: HTTP, token, parsing, log. Between the two stands the smallest HTTP server that sends the bare statement
// (bare-server.ts): what HTTP by itself costs on this machine. The service alone sends bookings together that come together
// (gathered-bookings.ts): it can be faster than the floor. Goals: at least 0.85 of the floor; at most 1.3 times slower.
// `--small` leaves the larger installation out. The CPU of both servers for a booking is what other work on the machine changes
// least.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../../local/postgres/postgres.ts';
import { type Amount, fill, freeAll } from '../booking-data.ts';
import { leanClient } from '../lean-client.ts';
import {
  clientOf,
  type LoadedService,
  type Measured,
  measured,
  newDatabase,
  startService,
} from '../loaded-service.ts';
import { processorMs, startLocalProcess } from '../local-process.ts';
import { median, percentile, printTable } from '../table.ts';
import { bareBookings, dimension, permissions, users, type Way } from './bare-booking.ts';

/** Fewer than the lockers of the smaller installation. */
const BOOKINGS = 800;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Left out: until then Node has not compiled what it runs, in the service as in the floor. */
const WARM_UP_ROUNDS = 12;

const amounts = {
  small: { pickUpPoints: 2, lockersEach: 500, oldShipments: 0 },
  large: { pickUpPoints: 400, lockersEach: 500, oldShipments: 1_000_000 },
} satisfies Record<string, Amount>;

const { values: given } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const sizes: readonly (keyof typeof amounts)[] = given.small ? ['small'] : ['small', 'large'];

const ways = ['http', 'bareHttp', 'floor'] as const;

type Installation = Readonly<Record<(typeof ways)[number], Way>> & {
  readonly url: string;
  readonly amount: Amount;
};

interface Figure extends Measured {
  /** What the server used of the processors; NaN without one. It says more than the speed where others use the machine too. */
  readonly cpuMs: number;
}

type Figures = Readonly<Record<(typeof ways)[number], Figure>>;

async function measure({ amount, url }: Installation, { book, processId }: Way): Promise<Figure> {
  await freeAll(url);
  const places = Array.from({ length: BOOKINGS }, (_, index) => `bench-${1 + (index % amount.pickUpPoints)}`);
  const used = () => (processId === undefined ? Number.NaN : processorMs(processId));
  const before = await used();
  const speed = await measured(places, book);
  return { ...speed, cpuMs: ((await used()) - before) / places.length };
}

async function overHttpOf(address: string, processId: number | undefined): Promise<Way> {
  const { call, close } = await clientOf(address);
  const book = async (pupUid: string) => {
    await call('CreateLocalShipment', { pupUid, dimension, ...permissions, ...users });
  };
  return { book, processId, close };
}

/** The same requests to the smallest server. */
async function overBareHttpOf(url: string): Promise<Way> {
  const server = await startLocalProcess('tools/bench/booking/bare-server.ts', 'bare server started', {
    DATABASE_URL: url,
  });
  const client = leanClient(String(server.up.address));
  const headers = { 'content-type': 'application/json' };
  const book = async (pupUid: string) => {
    const body = JSON.stringify({ pupUid, dimension, ...permissions, ...users });
    JSON.parse(await client.post('/', headers, body));
  };
  return {
    book,
    processId: server.processId,
    async close() {
      client.close();
      await server.stop();
    },
  };
}

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const postgres = await startPostgres({ folder, port: 0 });
const services: LoadedService[] = [];
const closing: Way[] = [];
try {
  const installations: Record<string, Installation> = {};
  for (const name of sizes) {
    const amount = amounts[name];
    const url = await newDatabase(postgres.url);
    await fill(url, amount);
    const service = await startService(url, folder);
    services.push(service);
    const http = await overHttpOf(service.address, service.processId);
    installations[name] = {
      url,
      amount,
      http,
      bareHttp: await overBareHttpOf(url),
      floor: await bareBookings(url),
    };
  }
  for (const installation of Object.values(installations))
    closing.push(...ways.map((way) => installation[way]));
  await report(installations);
} finally {
  for (const way of closing) await way.close();
  for (const service of services) await service.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Each goes first in turn: what the first leaves to be done, like a checkpoint, falls to the second. */
async function measureAll(installation: Installation, round: number): Promise<Figures> {
  const figures: Partial<Record<keyof Figures, Figure>> = {};
  for (const index of ways.keys()) {
    const way = ways[(index + round) % ways.length] ?? 'floor';
    figures[way] = await measure(installation, installation[way]);
  }
  return figures as Figures;
}

async function report(installations: Readonly<Record<string, Installation>>): Promise<void> {
  const rounds: Record<string, Figures>[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const figures: Record<string, Figures> = {};
    for (const [name, installation] of Object.entries(installations))
      figures[name] = await measureAll(installation, round);
    if (round >= WARM_UP_ROUNDS) rounds.push(figures);
  }
  const figuresOf = (name: string) => rounds.flatMap(({ [name]: figures }) => figures ?? []);
  printTable(
    sizes.map((name) => {
      const own = figuresOf(name);
      const { pickUpPoints, lockersEach, oldShipments } = amounts[name];
      return {
        lockers: pickUpPoints * lockersEach,
        'old shipments': oldShipments,
        'service /s': median(own.map(({ http }) => http.perSecond)).toFixed(0),
        'bare HTTP /s': median(own.map(({ bareHttp }) => bareHttp.perSecond)).toFixed(0),
        'floor /s': median(own.map(({ floor }) => floor.perSecond)).toFixed(0),
        'of the floor': median(own.map(({ http, floor }) => http.perSecond / floor.perSecond)).toFixed(2),
        'bare HTTP of the floor': median(
          own.map(({ bareHttp, floor }) => bareHttp.perSecond / floor.perSecond),
        ).toFixed(2),
        'service CPU ms': median(own.map(({ http }) => http.cpuMs)).toFixed(2),
        'bare HTTP CPU ms': median(own.map(({ bareHttp }) => bareHttp.cpuMs)).toFixed(2),
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
  const [small, large] = [figuresOf('small'), figuresOf('large')];
  const share = median(small.map(({ http, floor }) => http.perSecond / floor.perSecond));
  process.stdout.write(`${share.toFixed(2)} of the floor (goal: at least 0.85)\n`);
  if (large.length === 0) return;
  const slower = median(small.map(({ http }, round) => http.perSecond / (large[round]?.http.perSecond ?? 0)));
  process.stdout.write(`large is ${slower.toFixed(2)} times slower (goal: at most 1.3)\n`);
}
