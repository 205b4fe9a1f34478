// What docs/scale.md is made of: what one flow costs to its end, with its bookings, callbacks and doors. Flows run on Temporal's
// production server by its roles on Postgres, the service, the receiver and one worker, each a process of its own, as
// `npm run cluster` has them. What these use while no flow runs is taken off.
//   npm run bench -- scale --flows 100
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { LockerFlows } from '../../client/locker-flows.ts';
import { TASK_QUEUE } from '../../contract/flows/flow-types.ts';
import { workflowBundle } from '../../local/workflow-bundle.ts';
import { write } from '../../shared/terminal/terminal.ts';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { databases } from '../cluster/temporal/databases.ts';
import { fill } from './booking-data.ts';
import { integerOptions, logProgress, printTable, runConcurrently } from './measure.ts';
import { newDatabase, newFolder, startOurs, startService } from './programs.ts';
import { startProductionServer } from './temporal-servers.ts';
import { keptInPostgres, processesOf, query, usedBy } from './used.ts';

const { flows: FLOWS } = integerOptions({ flows: 100 });
const LANES = 4;
const PLACE = 'bench-1';
const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';
// A connection of Postgres that does nothing tells its counts after 10 s at the latest.
const TOLD_AFTER_MS = 11_000;

type Figures = Record<string, number>;

await using stack = new AsyncDisposableStack();
const home = await newFolder();
const server = stack.use(await startProductionServer(home));
const serviceUrl = await newDatabase(server.urlOf('temporal'));
const service = stack.use(await startService(serviceUrl, home));
const ofBoth = { TEMPORAL_ADDRESS: server.address, LOCKERFLOW_TASK_QUEUE: TASK_QUEUE };
const ofReceiver = { ...ofBoth, CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: KEY };
const receiver = stack.use(await startOurs('receiver', { variables: ofReceiver }));
await service.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
const ofWorker = {
  ...ofBoth,
  LOCKER_API_URL: service.address,
  LOCKER_AUTH_URL: service.address,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
  LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
  WORKER_PORT: '0',
  WORKER_WORKFLOW_BUNDLE: await workflowBundle(join(cacheFolder(process.env), 'cluster')),
  // Its listing each minute belongs to the installation, not to a flow.
  LOCKER_RECONCILE_SECONDS: '0',
};
const worker = stack.use(await startOurs('worker', { variables: ofWorker, nodeOptions }));
/** What to call when the worker's log says that a flow is booked, by its workflow id. */
const onceBooked = new Map<string, () => void>();
if (worker.child.stdout)
  createInterface({ input: worker.child.stdout }).on('line', (line) => {
    if (line.includes('"msg":"booked"')) onceBooked.get(String(JSON.parse(line).caseNumber))?.();
  });
const lockerFlows = new LockerFlows(server.client, { taskQueue: TASK_QUEUE });
await fill(serviceUrl, { pickUpPoints: 1, lockersEach: 500, oldShipments: 0 });
logProgress("Temporal's production server, the service, the receiver and a worker are up");

const ISSUE = 'Issue';
const LOAN = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
const anyLocker = {
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: true,
  allowOverflowLockers: true,
};
/** Stock of devices that came back, for the next user. */
const inStock: string[] = [];

/** A flow that is booked. The worker's log says so: to ask the flow all the time would cost the worker as much as the flow. */
async function begun<Flow>(start: (workflowId: string) => Promise<Flow>): Promise<Flow> {
  const workflowId = `bench ${randomUUID()}`;
  const booked = new Promise<void>((resolve) => onceBooked.set(workflowId, resolve));
  const flow = await start(workflowId);
  await booked;
  onceBooked.delete(workflowId);
  return flow;
}

/** The worker's log is a little ahead of the flow. */
async function known(ask: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(10);
  }
}

const unlock = (shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp') =>
  service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });

/** A flow from its start to its end, with the people at the lockers; gives its workflow id. */
const play = {
  async [ISSUE]() {
    const request = { pupUid: PLACE, toUserUid: 'user-anna', ...anyLocker };
    const flow = await begun((id) => lockerFlows.start(ISSUE, id, { request }));
    const uid = await known(async () => (await flow.progress()).shipments.issue?.shipmentUid);
    await unlock(uid, 'DropOff');
    await unlock(uid, 'PickUp');
    await flow.result();
    return flow.workflowId;
  },
  async [LOAN]() {
    const priorShipmentUid = inStock.pop() ?? (await stocked());
    const request = { priorShipmentUid, toUserUid: 'user-anna' };
    const flow = await begun((id) => lockerFlows.start(LOAN, id, { request }));
    const intakeUid = await known(async () => (await flow.progress()).shipments.intake?.shipmentUid);
    await unlock(priorShipmentUid, 'PickUp');
    await unlock(intakeUid, 'DropOff');
    inStock.push(String((await flow.result()).shipments.circularStock?.shipmentUid));
    return flow.workflowId;
  },
};

async function stocked(): Promise<string> {
  const made = await service.call('CreateLocalShipmentAsStock', { pupUid: PLACE, ...anyLocker });
  const shipmentUid = String((made.shipmentUids as string[])[0]);
  await unlock(shipmentUid, 'DropOff');
  return shipmentUid;
}

async function flowCost(kind: keyof typeof play): Promise<Figures> {
  const ids: string[] = [];
  const playAll = (count: number) =>
    runConcurrently(LANES, new Array(count).fill(kind), async () => ids.push(await play[kind]()));
  // The first ones pay for what is made once.
  await playAll(LANES);
  const keptBefore = await kept();
  const idleFrom = await usedSoFar();
  const idleTo = await usedSoFar();
  await playAll(FLOWS);
  const after = await usedSoFar();
  const keptAfter = await kept();
  logProgress(`${FLOWS} flows ${kind} are over`);
  const used = Object.entries(after.figures).map(([name, value]) => {
    const before = idleTo.figures[name] ?? 0;
    const idlePerMs = (before - (idleFrom.figures[name] ?? 0)) / (idleTo.at - idleFrom.at);
    return [name, (value - before - idlePerMs * (after.at - idleTo.at)) / FLOWS] as const;
  });
  const grown = Object.entries(keptAfter).map(([name, all]) => [
    name,
    (all - (keptBefore[name] ?? 0)) / FLOWS,
  ]);
  return { ...(await historyOf(ids.slice(LANES))), ...Object.fromEntries([...used, ...grown]) };
}

async function usedSoFar(): Promise<{ readonly at: number; readonly figures: Figures }> {
  await delay(TOLD_AFTER_MS);
  const all = await Promise.all([inPostgres(), actions(), processors()]);
  return { at: performance.now(), figures: Object.assign({}, ...all) };
}

/** Undefined for the databases of Postgres itself. */
function half(database: string): 'service' | 'Temporal' | undefined {
  if (database === databases.temporal || database === databases.visibility) return 'Temporal';
  return new URL(serviceUrl).pathname === `/${database}` ? 'service' : undefined;
}

function add(figures: Figures, name: string, value: number): void {
  figures[name] = (figures[name] ?? 0) + value;
}

async function inPostgres(): Promise<Figures> {
  const rows = await query<{ name: string; commits: string; written: string; log: string }>(
    serviceUrl,
    `select datname as name, xact_commit as commits, tup_inserted + tup_updated + tup_deleted as written,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log
     from pg_stat_database where datname is not null`,
  );
  const figures: Figures = { 'write-ahead log of Postgres, kB': Number(rows[0]?.log) / 1_000 };
  for (const { name, commits, written } of rows.filter((row) => half(row.name))) {
    add(figures, `database, ${half(name)}: transactions`, Number(commits));
    add(figures, `database, ${half(name)}: rows written`, Number(written));
  }
  return figures;
}

/**
 * What Temporal Cloud would charge for, as Temporal's server counts it: its own documentation names this metric for that
 * (docs.temporal.io, "Estimate Actions for migration"). Those of its own namespace are left out, and the questions that the
 * benchmark asks the flows.
 */
async function actions(): Promise<Figures> {
  const texts = await Promise.all(server.metrics.map(async (url) => await (await fetch(url)).text()));
  const figures: Figures = {};
  for (const [, labels = '', value] of texts.join('\n').matchAll(/^action(?:_total)?\{(.*)\} (\S+)$/gm))
    if (!/namespace="temporal-system"|action_type="grpc_QueryWorkflow"/.test(labels))
      add(figures, "Temporal's actions", Number(value));
  return figures;
}

async function processors(): Promise<Figures> {
  const figures: Figures = {};
  const count = async (name: string, id: number) =>
    add(figures, `CPU ms: ${name}`, (await usedBy(id)).processorMs);
  for (const [name, { processId }] of Object.entries({ service, receiver, worker }))
    await count(name, processId);
  for (const [id, line] of await processesOf(server.folder)) {
    if (line.includes('temporal-server')) await count('Temporal', id);
    // Like: postgres: user database 127.0.0.1(40000) idle
    if (line.startsWith('postgres: '))
      await count(`Postgres, ${half(line.split(' ')[2] ?? '') ?? 'its own work'}`, id);
  }
  return figures;
}

async function kept(): Promise<Figures> {
  const figures: Figures = {};
  for (const url of [server.urlOf('temporal'), server.urlOf('visibility'), serviceUrl]) {
    const { rows, bytes } = await keptInPostgres(url);
    const database = `database, ${half(new URL(url).pathname.slice(1))}`;
    add(figures, `${database}: rows kept`, rows);
    add(figures, `${database}: bytes kept`, bytes);
  }
  return figures;
}

async function historyOf(ids: readonly string[]): Promise<Figures> {
  const all = await Promise.all(ids.map((id) => server.client.workflow.getHandle(id).describe()));
  const mean = (figures: readonly number[]) => figures.reduce((sum, each) => sum + each, 0) / figures.length;
  return {
    'events in its history': mean(all.map(({ historyLength }) => historyLength)),
    'bytes of its history': mean(all.map(({ historySize }) => historySize ?? Number.NaN)),
  };
}

const A = await flowCost(ISSUE);
const B = await flowCost(LOAN);
write(`\nOne flow, to its end; A is ${ISSUE}, B is ${LOAN}\n`);
printTable(Object.keys({ ...A, ...B }).map((figure) => ({ figure, A: A[figure] ?? 0, B: B[figure] ?? 0 })));
