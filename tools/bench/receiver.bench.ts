// Callbacks per second through the receiver against bare signals by the Temporal client to the same kind of workflows
// (goal: at least 0.9 of them). Rounds alternate, so that whatever else the machine does falls on all. No worker runs:
// what takes a callback is Temporal alone. What is sent is made and signed before the clock starts: the sender's work
// is not the receiver's. Once with all on the same processors, and once with one for Temporal alone, which in operation
// has machines of its own: what sending and receiving cost is not taken from it then.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { holdersOf } from '../../activities/routing/owners.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { callbackSend, type Flow, KEY, type Send, signalSend } from './callback-sends.ts';
import { processorMs, startLocalProcess } from './local-process.ts';
import { percentile, printTable } from './table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const FLOWS = 300;
// Milliseconds. Somebody has to walk to a locker before the first callback comes.
const FIRST_CALLBACK_AFTER_MS = 6_000;
const STATES = ['ReadyForPickup', 'Completed'];

const senders = ['bare signals', 'by case number', 'by uid alone'] as const;

// Few, and many: by uid alone, those at once wait for the same question, of which there are only
// CALLBACK_QUESTIONS_PER_SECOND a second.
const LANES = [16, 128];

interface Kind {
  readonly sender: (typeof senders)[number];
  readonly atOnce: number;
}
const kinds: readonly Kind[] = LANES.flatMap((atOnce) => senders.map((sender) => ({ sender, atOnce })));

/** Which processors run what, as Linux's `taskset` reads it. */
interface Arrangement {
  readonly words: string;
  readonly temporal: string;
  readonly others: string;
}
const last = availableParallelism() - 1;
const canBind = process.platform === 'linux' && last > 0;
const arrangements: readonly Arrangement[] = [
  { words: 'all on the same processors', temporal: `0-${last}`, others: `0-${last}` },
  ...(canBind ? [{ words: 'Temporal has a processor of its own', temporal: '0', others: `1-${last}` }] : []),
];

interface Round {
  readonly perSecond: number;
  readonly waits: readonly number[];
  /** Milliseconds of processor for each: the receiver's, or of a bare signal this process' own. */
  readonly busy: number;
}

type Parts = AsyncDisposable & {
  readonly client: Client;
  readonly receiverProcess: number;
  sendsOf(sender: Kind['sender'], flow: Flow, stateCode: string): Send;
};

/** This process, and each that it starts from now on. */
async function runOn(processors: string): Promise<void> {
  if (!canBind) return;
  const options = ['--all-tasks', '--cpu-list', '--pid', processors, String(process.pid)];
  await promisify(execFile)('taskset', options);
}

async function startParts({ temporal: temporals, others }: Arrangement): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  await runOn(temporals);
  const databaseFile = join(folder, 'temporal.sqlite');
  const temporal = await startTemporalServer({ databaseFile, searchAttributes });
  await runOn(others);
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const receiver = await startLocalProcess('client/receiver/main.ts', 'receiver started', {
    TEMPORAL_ADDRESS: temporal.address,
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: KEY,
  });
  const url = new URL(String(receiver.up.url));
  const pool = new Pool(url.origin, { connections: Math.max(...LANES), pipelining: 1 });
  return {
    client,
    receiverProcess: receiver.processId,
    sendsOf(sender, flow, stateCode) {
      if (sender === 'bare signals') return signalSend(client, flow, stateCode);
      const caseNo = sender === 'by case number' ? flow.workflowId : null;
      return callbackSend(pool, url.pathname, flow.shipmentUid, stateCode, caseNo);
    },
    async [Symbol.asyncDispose]() {
      await pool.close();
      await receiver.stop();
      await connection.close();
      await temporal.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Open, and found by their shipments. */
async function openFlows(client: Client): Promise<Flow[]> {
  const flows = Array.from({ length: FLOWS }, () => ({
    workflowId: `bench ${randomUUID()}`,
    shipmentUid: randomUUID(),
  }));
  await pLimit(16).map(flows, async ({ workflowId, shipmentUid }) => {
    // What a flow sets once it has booked.
    const searchAttributes = { LockerShipmentUids: [shipmentUid], LockerBookedAt: [new Date()] };
    const options = { taskQueue: 'nobody polls it', searchAttributes };
    await client.workflow.start('Issue', { workflowId, args: [], ...options });
  });
  await pLimit(16).map(flows, async ({ shipmentUid }) => {
    while ((await holdersOf(client, [shipmentUid])).size === 0) await delay(20);
  });
  await delay(FIRST_CALLBACK_AFTER_MS);
  return flows;
}

async function round(parts: Parts, { sender, atOnce }: Kind): Promise<Round> {
  const flows = await openFlows(parts.client);
  const sent = STATES.map((stateCode) => flows.map((flow) => parts.sendsOf(sender, flow, stateCode)));
  const waits: number[] = [];
  const processId = sender === 'bare signals' ? process.pid : parts.receiverProcess;
  const busyBefore = await processorMs(processId);
  const startedAt = performance.now();
  // One shipment's callbacks come in their order.
  for (const sends of sent)
    await pLimit(atOnce).map(sends, async (send) => {
      const begin = performance.now();
      await send();
      waits.push(performance.now() - begin);
    });
  const seconds = (performance.now() - startedAt) / 1_000;
  const busy = ((await processorMs(processId)) - busyBefore) / waits.length;
  return { perSecond: waits.length / seconds, waits, busy };
}

for (const arrangement of arrangements) {
  await using parts = await startParts(arrangement);
  for (const kind of kinds) await round(parts, kind);
  const rounds = new Map<Kind, Round[]>(kinds.map((kind) => [kind, []]));
  for (let count = 0; count < ROUNDS; count++)
    for (const kind of kinds) rounds.get(kind)?.push(await round(parts, kind));

  const bareSignals = (atOnce: number) =>
    [...rounds].find(([kind]) => kind.sender === 'bare signals' && kind.atOnce === atOnce)?.[1] ?? [];
  printTable(
    [...rounds].map(([{ sender, atOnce }, all]) => {
      const rates = all.map(({ perSecond }) => perSecond);
      const bare = bareSignals(atOnce);
      const ratios = rates.map((rate, index) => rate / (bare[index]?.perSecond ?? Number.NaN));
      const waits = all.flatMap((each) => each.waits);
      const busy = all.map((each) => each.busy);
      return {
        [arrangement.words]: sender,
        'at once': atOnce,
        'a second': percentile(rates, 0.5).toFixed(0),
        'of bare signals': percentile(ratios, 0.5).toFixed(2),
        'p50 ms': percentile(waits, 0.5).toFixed(1),
        'p99 ms': percentile(waits, 0.99).toFixed(1),
        'processor ms each': percentile(busy, 0.5).toFixed(2),
        'each round': rates.map(Math.round).join(' '),
      };
    }),
  );
}
await runOn(`0-${last}`);
