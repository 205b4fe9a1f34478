// Durable CreateLocalShipment per second over HTTP against a floor, and the same with 200 times the lockers and many old
// shipments. The floor is the same booking as one bare statement (bare-booking.ts), over as many connections. It lacks what is
// not SQL: HTTP, token, parsing, log. The service alone sends bookings together that come together (book-chain.ts): it can
// be faster than the floor. Goals: at least 0.85 of the floor; at most 1.3 times slower. The service's CPU is what other work on
// the machine changes least.
//   npm run bench -- booking --rounds 7 --old 1000000     (--old 0 leaves the larger installation out)
import { startPostgres } from '../postgres/postgres.ts';
import { bareBookings, dimension, permissions, users } from './bare-booking.ts';
import { type Amount, fill, freeAll } from './booking-data.ts';
import {
  alternateRounds,
  integerOptions,
  median,
  medianRatio,
  percentile,
  printTable,
  runConcurrently,
} from './measure.ts';
import { CONNECTIONS, newDatabase, newFolder, startService } from './programs.ts';
import { usedBy } from './used.ts';

// Warm-ups: until then Node has not compiled what it runs, in the service as in the floor. The bookings of a round: fewer than
// the lockers of the smaller installation.
const given = integerOptions({ rounds: 7, warmUps: 12, bookings: 800, old: 1_000_000 });

interface Installation extends Amount {
  readonly url: string;
}

interface Way {
  readonly name: 'service' | 'floor';
  readonly installation: Installation;
  /** The server between the client and Postgres; none where there is no HTTP. */
  readonly processId?: number;
  book(pupUid: string): Promise<unknown>;
}

const folder = await newFolder();
const postgres = await startPostgres({ folder, port: 0 });
await using stack = new AsyncDisposableStack();
stack.defer(() => postgres.stop());
const small = await install({ pickUpPoints: 2, lockersEach: 500, oldShipments: 0 });
const large =
  given.old > 0 ? await install({ pickUpPoints: 400, lockersEach: 500, oldShipments: given.old }) : [];

async function install(amount: Amount): Promise<readonly Way[]> {
  const url = await newDatabase(postgres.url);
  await fill(url, amount);
  const installation = { ...amount, url };
  const service = stack.use(await startService(url, folder));
  const request = { dimension, ...permissions, ...users };
  return [
    {
      name: 'service',
      installation,
      processId: service.processId,
      book: (pupUid) => service.call('CreateLocalShipment', { pupUid, ...request }),
    },
    { name: 'floor', installation, book: await bareBookings(url, stack) },
  ];
}

const all = await alternateRounds([...small, ...large], given, async ({ installation, processId, book }) => {
  await freeAll(installation.url);
  const places = Array.from(
    { length: given.bookings },
    (_, index) => `bench-${1 + (index % installation.pickUpPoints)}`,
  );
  const used = async () => (processId === undefined ? Number.NaN : (await usedBy(processId)).processorMs);
  const before = await used();
  const timed = await runConcurrently(CONNECTIONS, places, book);
  return { ...timed, processorMs: ((await used()) - before) / places.length };
});

const speedsOf = (way: Way | undefined): number[] =>
  ((way && all.get(way)) ?? []).map(({ perSecond }) => perSecond);

printTable(
  [small, large].flatMap((ways) =>
    ways.map((way) => {
      const rounds = all.get(way) ?? [];
      const durations = rounds.flatMap((each) => each.durations);
      return {
        booking: way.name,
        lockers: way.installation.pickUpPoints * way.installation.lockersEach,
        'old shipments': way.installation.oldShipments,
        'a second': median(speedsOf(way)),
        'of the floor': medianRatio(speedsOf(way), speedsOf(ways[1])),
        'CPU ms': median(rounds.map(({ processorMs }) => processorMs)),
        'p50 ms': median(durations),
        'p99 ms': percentile(durations, 0.99),
      };
    }),
  ),
);
const share = medianRatio(speedsOf(small[0]), speedsOf(small[1]));
process.stdout.write(`${share.toFixed(2)} of the floor (goal: at least 0.85)\n`);
if (large.length > 0) {
  const slower = medianRatio(speedsOf(small[0]), speedsOf(large[0]));
  process.stdout.write(`large is ${slower.toFixed(2)} times slower (goal: at most 1.3)\n`);
}
