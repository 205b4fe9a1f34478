// Many ended shipments in the service: some are played through its API, the others are copies of them. What each keeps, and
// what a booking, a typed code, a listing, the poll for callbacks and the deletion of old ones take with few and with many.
import { setTimeout as delay } from 'node:timers/promises';
import { traceOfShipment } from '../../../service/callbacks/delivery/trace-of-shipment.ts';
import { claimCallbacks } from '../../../service/callbacks/queue/claim-callbacks.ts';
import { forgetEndedShipments } from '../../../service/shipments/forget-ended-shipments.ts';
import { openDatabase } from '../../../service/storage/database.ts';
import { fill } from '../booking-data.ts';
import { inLanes } from '../in-lanes.ts';
import { clientOf, newDatabase, type ServiceClient, startService } from '../loaded-service.ts';
import { startAnswering } from '../local-process.ts';
import { percentile } from '../table.ts';
import { copy, keepPattern, rowBytes } from './copies.ts';
import { type Kept, keptIn } from './kept.ts';
import { query } from './query.ts';

/** A city, whose people come back to the walls: 20,000 lockers. */
export const city = { walls: 200, lockersEach: 100, users: 20_000 } as const;
export type City = Readonly<Record<keyof typeof city, number>>;
const LANES = 8;
/** A year's worth: the oldest copies are older than that. */
const RETENTION_DAYS = 364;

export interface EndedOptions {
  readonly postgresUrl: string;
  /** For the log of the service. */
  readonly folder: string;
  readonly city: City;
  /** Through the API. */
  readonly played: number;
  readonly few: number;
  readonly many: number;
  /** How often each request is measured. */
  readonly tries: number;
  say(line: string): void;
}

export interface Ended {
  readonly shipments: number;
  /** For each shipment, by table, indexes and all. */
  readonly bytesEach: Readonly<Record<string, number>>;
  readonly rowsEach: number;
  /** Milliseconds, half of them take less. */
  readonly times: Readonly<Record<string, number>>;
}

export interface EndedFigures {
  readonly played: Pick<Ended, 'shipments' | 'bytesEach' | 'rowsEach'>;
  readonly few: Ended;
  readonly many: Ended;
}

export async function endedShipments(options: EndedOptions): Promise<EndedFigures> {
  const { played, many, say } = options;
  await using stack = new AsyncDisposableStack();
  const url = await newDatabase(options.postgresUrl);
  const { address, stop } = await startService(url, options.folder);
  stack.defer(stop);
  const service = await clientOf(address);
  stack.defer(() => service.close());
  await makeCity(url, options.city);
  const receiver = stack.use(await startAnswering(['tools/bench/callback-receiver.ts']));
  await service.call('ConfigureCallback', {
    url: `http://127.0.0.1:${receiver.up}/callbacks`,
    authType: 'None',
  });

  const empty = await keptIn(url, false);
  await inLanes(LANES, played, (index) => playShipment(service, options.city, index));
  await untilDelivered(url);
  say(`${played} shipments were played to their end through the API`);
  const ofPlayed = each(empty, await keptIn(url, false));
  const own = await keepPattern(url);
  if (own !== played) throw new Error(`${own} of ${played} played shipments have ended`);
  const copiesOf = (shipments: number) => Math.max(1, Math.round(shipments / played) - 1);
  const few = copiesOf(options.few);
  await copy(url, 1, few);
  await assertSameRows(url);
  const ofFew = {
    ...each(empty, await keptIn(url, false)),
    times: await timesOf(service, options, url),
  };
  say(`${ofFew.shipments} shipments: measured`);
  await copy(url, few + 1, few + copiesOf(many));
  await assertSameRows(url);
  say('the many are copied');
  const ofMany = {
    ...each(empty, await keptIn(url, false)),
    times: await timesOf(service, options, url),
  };
  return { played: ofPlayed, few: ofFew, many: ofMany };
}

async function makeCity(url: string, { walls, lockersEach, users }: City): Promise<void> {
  await fill(url, { pickUpPoints: walls, lockersEach, oldShipments: 0 });
  await query(
    url,
    `insert into accounts (user_uid, user_name, first_name, last_name, email_address)
     select 'bench-user-' || n, 'bench-user-' || n, 'First', 'Last', 'bench-user-' || n || '@example.com'
     from generate_series(0, ${users - 1}) as n`,
  );
}

const dimension = { width: 10, height: 10, length: 10 };

const book = async (service: ServiceClient, { walls, users }: City, index: number): Promise<string> => {
  const { shipmentUids } = await service.call('CreateLocalShipmentAsIssue', {
    pupUid: `bench-${1 + (index % walls)}`,
    toUserUid: `bench-user-${index % users}`,
    ...{ dimension, allowLargerLockers: true, allowOverflowLockers: false },
    issue: { referenceNo: `PARCEL-${1_000_000 + index}`, referenceCaseNo: `order-${1_000_000 + index}` },
  });
  return String((shipmentUids as string[])[0]);
};

async function playShipment(service: ServiceClient, where: City, index: number): Promise<void> {
  const shipmentUid = await book(service, where, index);
  for (const unlockGoal of ['DropOff', 'PickUp'])
    await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
}

/** Every callback has been accepted. */
async function untilDelivered(url: string): Promise<void> {
  for (;;) {
    const [row] = await query<{ left: string }>(url, 'select count(*) as left from callback_queue');
    if (Number(row?.left) === 0) return;
    await delay(200);
  }
}

/** A copy that is shorter or longer than what the service writes would say nothing. */
async function assertSameRows(url: string): Promise<void> {
  for (const [table, { played, copied }] of Object.entries(await rowBytes(url)))
    if (!(Math.abs(copied / played - 1) < 0.02))
      throw new Error(`a copied row of ${table} has ${copied} bytes, a played one ${played}`);
}

function each(before: ReadonlyMap<string, Kept>, after: ReadonlyMap<string, Kept>) {
  const more = (name: string, figure: keyof Kept) =>
    (after.get(name)?.[figure] ?? 0) - (before.get(name)?.[figure] ?? 0);
  const shipments = more('shipments', 'rows');
  const names = [...after.keys()].filter((name) => !/^(?:pattern_|copied$)/.test(name));
  const bytes = names.map((name) => [name, more(name, 'bytes') / shipments] as const);
  return {
    shipments,
    bytesEach: Object.fromEntries(bytes.filter(([, value]) => value >= 1)),
    rowsEach: names.reduce((sum, name) => sum + more(name, 'rows'), 0) / shipments,
  };
}

async function timesOf(
  service: ServiceClient,
  { city: where, tries }: EndedOptions,
  url: string,
): Promise<Record<string, number>> {
  const waits = new Map<string, number[]>();
  const timed = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const begin = performance.now();
    const result = await work();
    waits.set(name, [...(waits.get(name) ?? []), performance.now() - begin]);
    return result;
  };
  const list = (request: object) => service.call('GetShipments', { pageNo: 1, pageSize: 100, ...request });
  const database = openDatabase({ url, connections: 1, onBrokenConnection: () => undefined });
  const middle = new Date(Date.now() - 182 * 86_400_000).toISOString();
  const [tenant] = await query<{ id: string }>(
    url,
    "select tenant_id as id from tenants where tenant_uid = 'demo'",
  );
  const limits = { parallel: 8, parallelRepeated: 2, total: 1_000, leaseMs: 30_000 };
  for (let index = 0; index < tries; index++) {
    const shipmentUid = await timed('a booking', () => book(service, where, 5_000_000 + index));
    const { deliveryCode } = await service.call('GetShipmentAccessCode', { shipmentUid });
    const { items } = await timed('GetShipments, of one shipment', () => list({ shipmentUid }));
    const [{ pupUid, lockerName } = {}] = items as Record<string, unknown>[];
    await timed('a code typed at a locker', () =>
      service.call('SimulateLockerAccess', { pupUid, lockerName, pinCode: deliveryCode }),
    );
    await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
    await timed('GetShipments, the first 100', () => list({}));
    await timed('GetShipments, 100 since half a year ago', () =>
      list({ updatedSince: middle, sortBy: 'ActivityAsc' }),
    );
    await timed('GetShipments, those of a user', () => list({ userUid: `bench-user-${index}` }));
    await timed('GetShipments, of a case number', () =>
      list({ referenceCaseNo: `order-${6_000_000 + index}` }),
    );
    await timed('GetShipments, the active ones', () => list({ activeShipments: true }));
    await timed('GetAuditLog, of one shipment', () =>
      service.call('GetAuditLog', { pageSize: 100, uid: shipmentUid }),
    );
    await timed('the poll for callbacks, with none due', () => claimCallbacks(database, new Map(), limits));
    await timed('the trace of a shipment, for its callback', () =>
      traceOfShipment(database, Number(tenant?.id), shipmentUid),
    );
  }
  await untilDelivered(url);
  const before = await countOf(url);
  const startedAt = performance.now();
  await forgetEndedShipments(database, RETENTION_DAYS);
  const forgotten = before - (await countOf(url));
  if (forgotten === 0) throw new Error('no shipment was old enough to be deleted');
  const deletion = ((performance.now() - startedAt) * 1_000) / forgotten;
  await database.destroy();
  return {
    ...Object.fromEntries([...waits].map(([name, all]) => [`${name}, ms`, percentile(all, 0.5)])),
    'deleting 1,000 old shipments, ms': deletion,
  };
}

async function countOf(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(url, 'select count(*) as count from shipments');
  return Number(row?.count);
}
