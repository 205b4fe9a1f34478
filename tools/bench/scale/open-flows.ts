// Many open flows: each has a locker and waits for its item. Told at several numbers of them, so that one sees
// what grows with them and what does not: memory, databases, and how long it takes until a flow is booked, is asked, is
// found, and knows of a door that was opened. Those that the worker has in memory, and those that it must replay.

import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Reconciled } from '../../../activities/flow-activities.ts';
import { RECONCILE_SHIPMENTS, TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { processesOf, usedBy } from '../engines/usage.ts';
import { inLanes } from '../in-lanes.ts';
import { percentile } from '../table.ts';
import { issueOf, type OpenIssue, openIssue } from '../whole-flows/play.ts';
import { parts } from '../whole-flows/processes.ts';
import { query } from './query.ts';
import type { Surroundings } from './surroundings.ts';

const LANES = 16;
/** Flows that are asked and found, at each number; and of which a door is opened. */
const LOOKED_AT = 20;
const DOORS = 5;
export const LOCKERS_EACH = 500;
/** Beyond that a run of the reconciler takes minutes. */
const MOST_RECONCILED = 1_000;

interface Opened {
  readonly flow: OpenIssue;
  readonly shipmentUid: string;
}

/** From few to all: each about twice the one before. */
function numbersUpTo(open: number): number[] {
  const numbers = [open];
  for (let next = Math.floor(open / 2); next > 0 && next >= open / 20; next = Math.floor(next / 2))
    numbers.unshift(next);
  return numbers;
}

/** Gives a column of figures for each number of open flows, beginning with none. */
export async function openFlows(
  around: Surroundings,
  open: number,
  say: (line: string) => void,
): Promise<Record<string, Record<string, number>>> {
  const connection = await Connection.connect({ address: around.server.address });
  try {
    const { workflow } = new Client({ connection });
    const all: Opened[] = [];
    const columns: Record<string, Record<string, number>> = { 0: await sizes(around) };
    for (const number of numbersUpTo(open)) {
      const before = all.length;
      const speed = await openUpTo(around, number, all);
      const found = async ({ flow, shipmentUid }: Opened) => {
        const listed = workflow.list({ query: `LockerShipmentUids = '${shipmentUid}'`, pageSize: 10 });
        for await (const { workflowId } of listed) if (workflowId === flow.workflowId) return;
        throw new Error(`${flow.workflowId} is not found by its shipment`);
      };
      columns[number] = {
        ...speed,
        ...(await sizes(around)),
        ...(await latencies(around, all, all.length - before, found)),
        ...(number <= MOST_RECONCILED && (await reconciled(workflow))),
      };
      say(`${number} flows are open`);
    }
    return columns;
  } finally {
    await connection.close();
  }
}

/** A run that looks at every flow that has changed within the last hour. */
async function reconciled(workflow: Client['workflow']): Promise<Record<string, number>> {
  const begin = performance.now();
  const options = { workflowId: `bench reconciler ${begin}`, taskQueue: TASK_QUEUE, args: [] };
  const { seen } = (await workflow.execute(RECONCILE_SHIPMENTS, options)) as Reconciled;
  return {
    'a run of the reconciler, s': (performance.now() - begin) / 1_000,
    'shipments that it sees': seen,
  };
}

async function openUpTo(around: Surroundings, number: number, all: Opened[]) {
  const first = all.length;
  const waits: number[] = [];
  const startedAt = performance.now();
  await inLanes(LANES, number - first, async (index) => {
    const pupUid = `bench-${2 + Math.floor((first + index) / LOCKERS_EACH)}`;
    const begin = performance.now();
    const flow = await openIssue(around, pupUid);
    waits.push(performance.now() - begin);
    all.push({ flow, shipmentUid: await issueOf(flow) });
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    'booked per second': (number - first) / seconds,
    'start to booked p50 ms': percentile(waits, 0.5),
    'start to booked p99 ms': percentile(waits, 0.99),
  };
}

async function sizes({ server, serviceUrl, processes }: Surroundings): Promise<Record<string, number>> {
  const own = await Promise.all(
    parts.map(async (name) => {
      const { memoryBytes } = await usedBy([processes[name].processId]);
      return [`memory of the ${name}, MB`, memoryBytes / 1e6] as const;
    }),
  );
  const { memoryBytes } = await usedBy(await processesOf(server.folder));
  return {
    ...Object.fromEntries(own),
    'memory of Temporal and Postgres, MB': memoryBytes / 1e6,
    "Temporal's databases, MB":
      (await bytesOf(server.urlOf('temporal'))) + (await bytesOf(server.urlOf('visibility'))),
    "the service's database, MB": await bytesOf(serviceUrl),
  };
}

async function bytesOf(url: string): Promise<number> {
  const [row] = await query<{ bytes: string }>(url, 'select pg_database_size(current_database()) as bytes');
  return Number(row?.bytes) / 1e6;
}

async function latencies(
  around: Surroundings,
  all: readonly Opened[],
  opened: number,
  found: (opened: Opened) => Promise<void>,
): Promise<Record<string, number>> {
  const { service, cachedWorkflows } = around;
  // Spread over those that the worker dropped from its memory, if there are some.
  const dropped = all.slice(0, Math.max(0, all.length - 2 * cachedWorkflows));
  const old = dropped.filter((_, index) => index % Math.ceil(dropped.length / LOOKED_AT) === 0);
  const young = all.slice(-Math.min(LOOKED_AT, Math.ceil(cachedWorkflows / 4)));
  const median = async (those: readonly Opened[], work: (opened: Opened) => Promise<unknown>) => {
    const waits: number[] = [];
    for (const each of those) {
      const begin = performance.now();
      await work(each);
      waits.push(performance.now() - begin);
    }
    return percentile(waits, 0.5);
  };
  const ofShipment = ({ shipmentUid }: Opened) =>
    service.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
  return {
    'GetShipments of one, ms': await median(young, ofShipment),
    'GetShipments, 100 active ones, ms': await median(young, () =>
      service.call('GetShipments', { pageNo: 1, pageSize: 100, activeShipments: true }),
    ),
    'found in Temporal by its shipment, ms': await median(young, found),
    'asked, in memory, ms': await median(young, ({ flow }) => flow.progress()),
    'asked, replayed, ms': await median(old, ({ flow }) => flow.progress()),
    'door to flow, ms': await median(all.slice(-Math.min(opened, DOORS)), (each) => droppedOff(around, each)),
  };
}

/** Somebody brings the item; ends when the flow knows it. */
async function droppedOff({ service }: Surroundings, { flow, shipmentUid }: Opened): Promise<void> {
  await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  while ((await flow.progress()).shipments.issue?.stateCode !== 'ReadyForPickup') await delay(10);
}
