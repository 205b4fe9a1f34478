// Many open flows: each has a locker and waits for its item. Told at several numbers of them, so that one sees what grows with
// them and what does not: memory, databases, and how long it takes until a flow is booked, is asked, is found, and knows of a
// door that was opened. Those that the worker has in memory, and those that it must replay.
import { setTimeout as delay } from 'node:timers/promises';
import { logProgress, median, percentile, runConcurrently } from '../measure.ts';
import { processesOf, query, usedBy } from '../used.ts';
import { type Installation, type OpenIssue, openIssue, unlock } from './installation.ts';

const LANES = 16;
/** Flows that are asked and found, at each number; and of which a door is opened. */
const LOOKED_AT = 20;
const DOORS = 5;
export const LOCKERS_EACH = 500;

type Figures = Record<string, number>;

/** From few to all: each about twice the one before. */
function numbersUpTo(open: number): number[] {
  const numbers = [open];
  for (let next = Math.floor(open / 2); next > 0 && next >= open / 20; next = Math.floor(next / 2))
    numbers.unshift(next);
  return numbers;
}

/** Gives a column of figures for each number of open flows, beginning with none. */
export async function openFlows(
  on: Installation,
  open: number,
  cached: number,
): Promise<Record<string, Figures>> {
  const all: OpenIssue[] = [];
  const columns: Record<string, Figures> = { 0: await sizes(on) };
  for (const number of numbersUpTo(open)) {
    const first = all.length;
    const { perSecond, durations } = await runConcurrently(
      LANES,
      new Array(number - first).fill(on),
      async (_, index) => {
        all.push(await openIssue(on, `bench-${2 + Math.floor((first + index) / LOCKERS_EACH)}`));
      },
    );
    columns[number] = {
      'booked per second': perSecond,
      'start to booked p50 ms': median(durations),
      'start to booked p99 ms': percentile(durations, 0.99),
      ...(await sizes(on)),
      ...(await latencies(on, all, { opened: number - first, cached })),
    };
    logProgress(`${number} flows are open`);
  }
  return columns;
}

async function sizes({ server, serviceUrl, ...programs }: Installation): Promise<Figures> {
  const figures: Figures = {};
  const memory = async (name: string, ...processIds: number[]) => {
    figures[`memory of ${name}, MB`] = (await usedBy(...processIds)).memoryBytes / 1e6;
  };
  for (const name of ['service', 'receiver', 'worker'] as const)
    await memory(`the ${name}`, programs[name].processId);
  await memory('Temporal and Postgres', ...(await processesOf(server.folder)).keys());
  const urls = [server.urlOf('temporal'), server.urlOf('visibility'), serviceUrl];
  const [temporal = 0, visibility = 0, service = 0] = await Promise.all(
    urls.map(async (url) => {
      const rows = await query<{ bytes: string }>(
        url,
        'select pg_database_size(current_database()) as bytes',
      );
      return Number(rows[0]?.bytes) / 1e6;
    }),
  );
  return {
    ...figures,
    "Temporal's databases, MB": temporal + visibility,
    "the service's database, MB": service,
  };
}

async function latencies(
  on: Installation,
  all: readonly OpenIssue[],
  { opened, cached }: { readonly opened: number; readonly cached: number },
): Promise<Figures> {
  // Spread over those that the worker dropped from its memory, if there are some.
  const dropped = all.slice(0, Math.max(0, all.length - 2 * cached));
  const old = dropped.filter((_, index) => index % Math.ceil(dropped.length / LOOKED_AT) === 0);
  const young = all.slice(-Math.min(LOOKED_AT, Math.ceil(cached / 4)));
  const ms = async (those: readonly OpenIssue[], work: (opened: OpenIssue) => Promise<unknown>) =>
    median((await runConcurrently(1, those, work)).durations);
  return {
    'found in Temporal by its shipment, ms': await ms(young, (each) => found(on, each)),
    'asked, in memory, ms': await ms(young, ({ flow }) => flow.progress()),
    'asked, replayed, ms': await ms(old, ({ flow }) => flow.progress()),
    'door to flow, ms': await ms(all.slice(-Math.min(opened, DOORS)), (each) => droppedOff(on, each)),
  };
}

async function found({ server }: Installation, { flow, shipmentUid }: OpenIssue): Promise<void> {
  const listed = server.client.workflow.list({
    query: `LockerShipmentUids = '${shipmentUid}'`,
    pageSize: 10,
  });
  for await (const { workflowId } of listed) if (workflowId === flow.workflowId) return;
  throw new Error(`${flow.workflowId} is not found by its shipment`);
}

/** Somebody brings the item; ends when the flow knows it. */
async function droppedOff(on: Installation, { flow, shipmentUid }: OpenIssue): Promise<void> {
  await unlock(on, shipmentUid, 'DropOff');
  while ((await flow.progress()).shipments.issue?.stateCode !== 'ReadyForPickup') await delay(10);
}
