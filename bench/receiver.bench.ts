// Callbacks per second through the receiver against bare signals by the Temporal client to the same kind of workflows
// (goal: at least 0.9 of them). Rounds alternate, so that whatever else the machine does falls on all. No worker runs:
// what takes a callback is Temporal alone.
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
import { ownersOf } from '../routing/owners.ts';
import { startLocalProcess } from './local-process.ts';
import { percentile, printTable } from './table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const FLOWS = 300;
const STATES = ['ReadyForPickup', 'Completed'];
const AT_ONCE = 16;
const KEY = 'a-key-of-the-bench';

const kinds = ['bare signals', 'by case number', 'by uid alone'] as const;
type Kind = (typeof kinds)[number];

interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}

interface Sent {
  readonly flow: Flow;
  readonly stateCode: string;
  readonly stateStart: string;
}

interface Round {
  readonly perSecond: number;
  readonly waits: readonly number[];
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
const pool = new Pool(url.origin, { connections: AT_ONCE, pipelining: 1 });

async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Open, and found by their shipments. */
async function openFlows(): Promise<Flow[]> {
  const flows = Array.from({ length: FLOWS }, () => ({
    workflowId: `bench ${randomUUID()}`,
    shipmentUid: randomUUID(),
  }));
  await atOnce(flows, async ({ workflowId, shipmentUid }) => {
    const options = { taskQueue: 'nobody polls it', searchAttributes: { LockerShipmentUids: [shipmentUid] } };
    await client.workflow.start('Issue', { workflowId, args: [], ...options });
  });
  await atOnce(flows, async ({ shipmentUid }) => {
    while ((await ownersOf(client, shipmentUid, 'running')).length === 0) await delay(20);
  });
  return flows;
}

async function signal({ flow, stateCode, stateStart }: Sent): Promise<void> {
  const report = {
    ...{ shipmentUid: flow.shipmentUid, stateCode, stateStart, shipmentType: 'LocalPupShipment' },
    ...{ referenceNo: null, referenceCaseNo: flow.workflowId, description: null },
    ...{ pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram' },
    ...{ receivedAt: stateStart, source: 'callback' },
  };
  await client.workflow.getHandle(flow.workflowId).signal('shipmentStatus', report);
}

async function callBack({ flow, stateCode, stateStart }: Sent, kind: Kind): Promise<void> {
  const { workflowId, shipmentUid } = flow;
  const message = {
    ...{ shipmentUid, stateCode, stateStart: stateStart.slice(0, 23), shipmentType: 'LocalPupShipment' },
    ...{
      referenceNo: null,
      referenceCaseNo: kind === 'by case number' ? workflowId : null,
      description: null,
    },
    ...{ pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram' },
  };
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64');
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path: url.pathname,
    headers: {
      'content-type': 'application/json',
      [callbackHeaders.hmac]: hmac(shipmentUid),
      [callbackHeaders.webhookId]: id,
      [callbackHeaders.webhookTimestamp]: timestamp,
      [callbackHeaders.webhookSignature]: `v1,${hmac(`${id}.${timestamp}.${body}`)}`,
    },
    body,
  });
  await answer.dump();
  if (statusCode !== 204) throw new Error(`a callback was answered ${statusCode}`);
}

async function round(kind: Kind): Promise<Round> {
  const flows = await openFlows();
  const waits: number[] = [];
  const startedAt = performance.now();
  for (const stateCode of STATES) {
    const stateStart = new Date().toISOString();
    await atOnce(flows, async (flow) => {
      const begin = performance.now();
      const sent = { flow, stateCode, stateStart };
      await (kind === 'bare signals' ? signal(sent) : callBack(sent, kind));
      waits.push(performance.now() - begin);
    });
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: (FLOWS * STATES.length) / seconds, waits };
}

for (const kind of kinds) await round(kind);
const rounds = new Map<Kind, Round[]>(kinds.map((kind) => [kind, []]));
for (let count = 0; count < ROUNDS; count++)
  for (const kind of kinds) rounds.get(kind)?.push(await round(kind));

const bare = rounds.get('bare signals') ?? [];
printTable(
  [...rounds].map(([kind, all]) => {
    const rates = all.map(({ perSecond }) => perSecond);
    const ratios = rates.map((rate, index) => rate / (bare[index]?.perSecond ?? Number.NaN));
    const waits = all.flatMap((each) => each.waits);
    return {
      [`${AT_ONCE} at once`]: kind,
      'a second': percentile(rates, 0.5).toFixed(0),
      'of bare signals': percentile(ratios, 0.5).toFixed(2),
      'p50 ms': percentile(waits, 0.5).toFixed(1),
      'p99 ms': percentile(waits, 0.99).toFixed(1),
      'each round': rates.map(Math.round).join(' '),
    };
  }),
);

await pool.close();
await receiver.stop();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
