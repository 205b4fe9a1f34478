// A program of a stranger: two fetch clients with types that openapi-typescript made of the documents of the running console and
// locker service. It plays a loan, with the doors of its lockers, and a flow file with a question, and prints both results.
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths as LockerPaths } from './lockers.d.ts';
import type { components as ProcessComponents, paths as ProcessPaths } from './processes.d.ts';

declare const process: { readonly argv: readonly string[] };
interface Given {
  readonly processes: string;
  readonly lockers: string;
  /** For processes: one that may do everything, and one of a clerk who only answers. */
  readonly token: string;
  readonly clerkToken: string;
  readonly lockerToken: string;
  readonly pupUid: string;
  readonly inbox: string;
}
const given = JSON.parse(process.argv[2] ?? '') as Given;

type Schemas = ProcessComponents['schemas'];

const processes = createClient<ProcessPaths>({ baseUrl: given.processes });
processes.use(withToken(given.token));
const clerk = createClient<ProcessPaths>({ baseUrl: given.processes });
clerk.use(withToken(given.clerkToken));
const lockers = createClient<LockerPaths>({ baseUrl: given.lockers });
lockers.use(withToken(given.lockerToken));

/** The state in which a code opens its locker. */
const opens = { deliveryCode: 'ReadyForDropoff', pickUpCode: 'ReadyForPickup' } as const;

console.log(JSON.stringify({ loan: await playLoan(), check: await playQuestion() }));

async function playLoan(): Promise<
  Schemas['IssueFromStockAndSubsequentIntakeAndCircularStockResult'] | null
> {
  const stock: Schemas['StockStart'] = {
    flow: 'Stock',
    key: `stock-${crypto.randomUUID()}`,
    request: {
      pupUid: given.pupUid,
      dimension: { width: 10, height: 10, length: 10 },
      allowLargerLockers: true,
      allowOverflowLockers: false,
    },
  };
  await started(stock);
  const priorShipmentUid = await atTheLocker(stock, 'stock', 'deliveryCode');
  const loan: Schemas['IssueFromStockAndSubsequentIntakeAndCircularStockStart'] = {
    flow: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
    key: `loan-${crypto.randomUUID()}`,
    request: { priorShipmentUid, toUserUid: 'user-anna' },
    deadlines: { issue: { pickUp: 'P3D' } },
  };
  await started(loan);
  await atTheLocker(loan, 'issue', 'pickUpCode');
  await atTheLocker(loan, 'intake', 'deliveryCode');
  const over = await ended(loan);
  if (over.flow !== loan.flow) throw new Error(`expected ${loan.flow}, but it is ${over.flow}`);
  return over.result;
}

async function playQuestion(): Promise<unknown> {
  const check: Schemas['DeskCheckStart'] = {
    flow: 'DeskCheck',
    key: `check-${crypto.randomUUID()}`,
    request: { item: 'drill' },
  };
  await started(check);
  const { key } = check;
  await until(async () => {
    const { progress } = await read(key);
    return progress && 'events' in progress && progress.events.includes('payment.received');
  });
  const sent = await processes.POST('/v1/processes/{key}/events', {
    params: { path: { key } },
    body: { type: 'payment.received', id: 'payment-7' },
  });
  expected(sent);
  const asked = await until(async () => {
    const inbox = expected(await clerk.GET('/v1/inbox', { params: { query: { of: given.inbox } } }));
    return inbox.items.find((each) => each.key === key);
  });
  const answered = await clerk.POST('/v1/processes/{key}/answers', {
    params: { path: { key }, header: { 'idempotency-key': crypto.randomUUID() } },
    body: { question: asked.question, values: { state: 'whole' } },
  });
  expected(answered);
  return (await ended(check)).result;
}

async function started(body: Schemas['Start']): Promise<Schemas['Process']> {
  return expected(await processes.POST('/v1/processes', { body }));
}

/** Waits by repeating the start: the same key and input is the same process. */
async function ended(body: Schemas['Start']): Promise<Schemas['Process']> {
  return await until(async () => {
    const params = { header: { prefer: 'wait=30' } };
    const shown = expected(await processes.POST('/v1/processes', { params, body }));
    return shown.status !== 'Running' && shown;
  });
}

async function read(key: string): Promise<Schemas['Process']> {
  return expected(await processes.GET('/v1/processes/{key}', { params: { path: { key } } }));
}

/** Somebody opens the locker of a shipment once its code opens it. Gives the shipment, once the process has heard of it. */
async function atTheLocker(
  { key }: { readonly key: string },
  role: string,
  code: keyof typeof opens,
): Promise<string> {
  const legOf = async () => {
    const { progress } = await read(key);
    if (!progress || !('shipments' in progress)) return undefined;
    const legs: Partial<Record<string, Leg>> = progress.shipments;
    return legs[role];
  };
  const due = await until(async () => {
    const leg = await legOf();
    return leg?.stateCode === opens[code] && leg;
  });
  const { shipmentUid, pupUid, lockerName } = due;
  const codes = expected(
    await lockers.POST('/v1/Logistics/GetShipmentAccessCode', { body: { shipmentUid } }),
  );
  const body = { pupUid: pupUid ?? '', lockerName: lockerName ?? '', pinCode: codes[code] ?? '' };
  expected(await lockers.POST('/v1/Logistics/SimulateLockerAccess', { body }));
  await until(async () => {
    const shown = await read(key);
    return shown.status !== 'Running' || (await legOf())?.stateCode !== due.stateCode;
  });
  return shipmentUid;
}

interface Leg {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** A rejected request has the problem, an accepted one its answer. */
function expected<Data>({ data, error, response }: Came<Data>): Data {
  if (data !== undefined) return data;
  throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
}
interface Came<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Whoever runs this ends it after a while. */
async function until<Value>(look: () => Promise<Value | undefined | null | false>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function withToken(token: string): Middleware {
  return {
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
      return request;
    },
  };
}
