// Durable CreateLocalShipment per second over HTTP against a floor, and the same with 200 times the lockers and many old
// shipments. The floor is the same booking as one bare statement, book_chain with the arguments that the service gives it, over
// as many connections: the same locks, rows, codes and synced commit. It lacks what is not SQL: HTTP, token, parsing, log. The
// service alone sends bookings together that come together (book-chain.ts): it can be faster than the floor. Goals: at least 0.85
// of the floor; at most 1.3 times slower. The service's CPU is what other work on the machine changes least.
//   npm run bench -- booking --rounds 7 --old 1000000     (--old 0 leaves the larger installation out)
import pg from 'pg';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { plannedShipment, roomOf, shipmentRow } from '../../service/shipments/planned-shipment.ts';
import { useFunctions } from '../../service/storage/functions.ts';
import { write } from '../../shared/terminal/terminal.ts';
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

const dimension = { width: 10, height: 10, length: 10 };
const permissions = { allowLargerLockers: true, allowOverflowLockers: false };
const users = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };

const BOOK = 'select * from book_chain(jsonb_populate_record(null::booking, $1), $2)';

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
    { name: 'floor', installation, book: await bareBookings(url) },
  ];
}

/** Gives how to make one booking, which throws unless it booked. Each connection prepares it once, as the service's do. */
async function bareBookings(url: string) {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    idleTimeoutMillis: 0,
    // The pool waits for it, before it gives the connection away.
    onConnect: (client) => client.query(useFunctions),
  });
  stack.defer(() => pool.end());
  const { rows } = await pool.query("select tenant_id from tenants where tenant_uid = 'demo'");
  const tenantId = Number(rows[0].tenant_id);
  const room = roomOf({ dimension, ...permissions });
  const { smallSide, middleSide, largeSide } = room.sides;
  return async (pupUid: string): Promise<object> => {
    const shipment = plannedShipment({ ...users, room });
    const state = { to: 'ReadyForDropoff', pickUpCode: 'new', deliveryCode: 'new' } as const;
    const booking = {
      tenant_id: tenantId,
      pup_uid: pupUid,
      allow_larger: true,
      allow_overflow: false,
      may_empty: false,
      small_side: smallSide,
      middle_side: middleSide,
      large_side: largeSide,
      named_user_uids: [users.fromUserUid, users.toUserUid],
      shipments: [shipmentRow({ ...shipment, isStock: false }, state)],
      response: { shipmentUid: shipment.shipmentUid },
      operation: 'CreateLocalShipment',
      client_id: 'demo',
      request_id: 'bench',
      uids: [shipment.shipmentUid],
    };
    // As the service does: where others hold all free lockers, it waits for one.
    for (let waits = false; ; waits = !waits) {
      const values = [JSON.stringify(booking), waits];
      const { rows: outcomes } = await pool.query({ name: 'booking', text: BOOK, values });
      const [outcome] = outcomes;
      if (outcome?.outcome === 'booked') return outcome.response;
      if (outcome?.outcome !== 'Busy') throw new Error(`The floor was refused: ${outcome?.outcome}`);
    }
  };
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
write(`${share.toFixed(2)} of the floor (goal: at least 0.85)\n`);
if (large.length > 0) {
  const slower = medianRatio(speedsOf(small[0]), speedsOf(large[0]));
  write(`large is ${slower.toFixed(2)} times slower (goal: at most 1.3)\n`);
}
