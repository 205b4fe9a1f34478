// Callbacks per second through the receiver against bare signals by the Temporal client to the same kind of workflows
// (goal: at least 0.9 of them). Rounds alternate, so that whatever else the machine does falls on all. No worker runs:
// what takes a callback is Temporal alone. What is sent is made and signed before the clock starts: the sender's work
// is not the receiver's.
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import { callbackHeaders } from '../contract/callback.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { startTemporalServer } from '../local/temporal-server.ts';
import { holdersOf } from '../routing/owners.ts';
import { processorMs, startLocalProcess } from './local-process.ts';
import { percentile, printTable } from './table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const FLOWS = 300;
const STATES = ['ReadyForPickup', 'Completed'];
const KEY = 'a-key-of-the-bench';

const senders = ['bare signals', 'by case number', 'by uid alone'] as const;
type Sender = (typeof senders)[number];

// Few, and many: by uid alone, those at once wait for the same question, of which there are only
// CALLBACK_QUESTIONS_PER_SECOND a second.
const LANES = [16, 128];

interface Kind {
  readonly sender: Sender;
  readonly atOnce: number;
}
const kinds: readonly Kind[] = LANES.flatMap((atOnce) => senders.map((sender) => ({ sender, atOnce })));

interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}

interface Round {
  readonly perSecond: number;
  readonly waits: readonly number[];
  /** Milliseconds of processor for each: the receiver's, or of a bare signal this process' own. */
  readonly busy: number;
}

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const connection = await Connection.connect({ address: temporal.address });
const client = new Client({ connection });
const receiver = await startLocalProcess('client/receiver/main.ts', 'receiver started', {
  TEMPORAL_ADDRESS: temporal.address,
  CALLBACK_PORT: '0',
  LOCKER_CALLBACK_KEY: KEY,
});
const url = new URL(String(receiver.up.url));
const pool = new Pool(url.origin, { connections: Math.max(...LANES), pipelining: 1 });

async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Open, and found by their shipments. */
async function openFlows(): Promise<Flow[]> {
  const flows = Array.from({ length: FLOWS }, () => ({
    workflowId: `bench ${randomUUID()}`,
    shipmentUid: randomUUID(),
  }));
  await inLanes(16, flows, async ({ workflowId, shipmentUid }) => {
    const options = { taskQueue: 'nobody polls it', searchAttributes: { LockerShipmentUids: [shipmentUid] } };
    await client.workflow.start('Issue', { workflowId, args: [], ...options });
  });
  await inLanes(16, flows, async ({ shipmentUid }) => {
    while ((await holdersOf(client, [shipmentUid])).size === 0) await delay(20);
  });
  return flows;
}

const messageOf = (shipmentUid: string, stateCode: string, referenceCaseNo: string | null) => ({
  ...{ shipmentUid, stateCode, stateStart: new Date().toISOString().slice(0, 23) },
  ...{ shipmentType: 'LocalPupShipment', referenceNo: null, referenceCaseNo, description: null },
  ...{ pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram' },
});

type Send = () => Promise<void>;

function signal({ workflowId, shipmentUid }: Flow, stateCode: string): Send {
  const received = { receivedAt: new Date().toISOString(), source: 'callback' };
  const report = { ...messageOf(shipmentUid, stateCode, workflowId), ...received };
  const handle = client.workflow.getHandle(workflowId);
  return () => handle.signal('shipmentStatus', report);
}

const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64');

function callBack({ workflowId, shipmentUid }: Flow, stateCode: string, isByCase: boolean): Send {
  const message = messageOf(shipmentUid, stateCode, isByCase ? workflowId : null);
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    'content-type': 'application/json',
    [callbackHeaders.hmac]: hmac(shipmentUid),
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: timestamp,
    [callbackHeaders.webhookSignature]: `v1,${hmac(`${id}.${timestamp}.${body}`)}`,
  };
  return async () => {
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: url.pathname,
      headers,
      body,
    });
    await answer.dump();
    if (statusCode !== 204) throw new Error(`a callback was answered ${statusCode}`);
  };
}

async function round({ sender, atOnce }: Kind): Promise<Round> {
  const flows = await openFlows();
  const sent = STATES.map((stateCode) =>
    flows.map((flow) =>
      sender === 'bare signals'
        ? signal(flow, stateCode)
        : callBack(flow, stateCode, sender === 'by case number'),
    ),
  );
  const waits: number[] = [];
  const processId = sender === 'bare signals' ? process.pid : receiver.processId;
  const busyBefore = await processorMs(processId);
  const startedAt = performance.now();
  // One shipment's callbacks come in their order.
  for (const sends of sent)
    await inLanes(atOnce, sends, async (send) => {
      const begin = performance.now();
      await send();
      waits.push(performance.now() - begin);
    });
  const seconds = (performance.now() - startedAt) / 1_000;
  const busy = ((await processorMs(processId)) - busyBefore) / waits.length;
  return { perSecond: waits.length / seconds, waits, busy };
}

for (const kind of kinds) await round(kind);
const rounds = new Map<Kind, Round[]>(kinds.map((kind) => [kind, []]));
for (let count = 0; count < ROUNDS; count++)
  for (const kind of kinds) rounds.get(kind)?.push(await round(kind));

function bareSignals(atOnce: number): readonly Round[] {
  const kind = kinds.find((each) => each.sender === 'bare signals' && each.atOnce === atOnce);
  return (kind && rounds.get(kind)) ?? [];
}

printTable(
  [...rounds].map(([{ sender, atOnce }, all]) => {
    const rates = all.map(({ perSecond }) => perSecond);
    const bare = bareSignals(atOnce);
    const ratios = rates.map((rate, index) => rate / (bare[index]?.perSecond ?? Number.NaN));
    const waits = all.flatMap((each) => each.waits);
    const busy = all.map((each) => each.busy);
    return {
      '': sender,
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

await pool.close();
await receiver.stop();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
