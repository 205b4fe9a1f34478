// Callbacks per second through the receiver against bare signals by the Temporal client to the same kind of workflows
// (goal: at least 0.9 of them). No worker runs: what takes a callback is Temporal alone. What is sent is made and signed before
// the clock starts: the sender's work is not the receiver's. Once with all on the same processors, and once with one for
// Temporal alone, which in operation has machines of its own: what sending and receiving cost is not taken from it then.
//   npm run bench -- receiver --rounds 7 --flows 300
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { Pool } from 'undici';
import { callbackHeaders } from '../../contract/wire/callback.ts';
import { holdersOf } from '../../shared/routing/owners.ts';
import {
  alternateRounds,
  integerOptions,
  median,
  medianRatio,
  percentile,
  printTable,
  runConcurrently,
} from './measure.ts';
import { newFolder, type Program, startOurs } from './programs.ts';
import { startDevelopmentServer } from './temporal-servers.ts';
import { usedBy } from './used.ts';

const { rounds, flows: FLOWS } = integerOptions({ rounds: 7, flows: 300 });
// Milliseconds. Somebody has to walk to a locker before the first callback comes.
const FIRST_CALLBACK_AFTER_MS = 6_000;
const STATES = ['ReadyForPickup', 'Completed'];
const KEY = 'a-key-of-the-bench';

// Few, and many: by uid alone, those at once wait for the same question, of which there are only
// CALLBACK_QUESTIONS_PER_SECOND a second.
const kinds = [16, 128].flatMap((atOnce) =>
  (['bare signals', 'by case number', 'by uid alone'] as const).map((sender) => ({ sender, atOnce })),
);
type Kind = (typeof kinds)[number];
interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}
type Send = () => Promise<void>;

/** This process, and each that it starts from now on. @param processors as Linux's `taskset` reads them */
async function runOn(processors: string): Promise<void> {
  if (!canBind) return;
  const options = ['--all-tasks', '--cpu-list', '--pid', processors, String(process.pid)];
  await promisify(execFile)('taskset', options);
}
const last = availableParallelism() - 1;
const canBind = process.platform === 'linux' && last > 0;

await measure('all on the same processors', `0-${last}`, `0-${last}`);
if (canBind) await measure('Temporal has a processor of its own', '0', `1-${last}`);
await runOn(`0-${last}`);

async function measure(words: string, ofTemporal: string, ofOthers: string): Promise<void> {
  const folder = await newFolder();
  await runOn(ofTemporal);
  await using server = await startDevelopmentServer(folder);
  await runOn(ofOthers);
  const variables = { TEMPORAL_ADDRESS: server.address, CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: KEY };
  await using receiver = await startOurs('receiver', 'client/receiver/main.ts', { variables });
  const url = new URL(String(receiver.up.url));
  const pool = new Pool(url.origin, { connections: 128, pipelining: 1 });
  const sendOf = ({ sender }: Kind, flow: Flow, stateCode: string): Send =>
    sender === 'bare signals'
      ? signalSend(server.client, flow, stateCode)
      : callbackSend(
          pool,
          url.pathname,
          flow,
          stateCode,
          sender === 'by case number' ? flow.workflowId : null,
        );
  const all = await alternateRounds(kinds, { rounds }, async (kind) => {
    const flows = await openFlows(server.client);
    // The first callbacks of all flows go out before the second ones.
    const sends = STATES.flatMap((stateCode) => flows.map((flow) => sendOf(kind, flow, stateCode)));
    return await sent(kind, sends, receiver);
  });
  await pool.close();
  print(words, all);
}

/** The processor time is the receiver's, or of a bare signal this process' own. */
async function sent({ sender, atOnce }: Kind, sends: readonly Send[], receiver: Program) {
  const processId = sender === 'bare signals' ? process.pid : receiver.processId;
  const before = await usedBy(processId);
  const timed = await runConcurrently(atOnce, sends, (send) => send());
  const after = await usedBy(processId);
  return { ...timed, processorMs: (after.processorMs - before.processorMs) / sends.length };
}

function print(words: string, all: ReadonlyMap<Kind, readonly Awaited<ReturnType<typeof sent>>[]>): void {
  printTable(
    [...all].map(([{ sender, atOnce }, own]) => {
      const bare =
        [...all].find(([kind]) => kind.sender === 'bare signals' && kind.atOnce === atOnce)?.[1] ?? [];
      const rates = own.map(({ perSecond }) => perSecond);
      const durations = own.flatMap((each) => each.durations);
      return {
        [words]: sender,
        'at once': atOnce,
        'a second': median(rates),
        'of bare signals': medianRatio(
          rates,
          bare.map(({ perSecond }) => perSecond),
        ),
        'p50 ms': median(durations),
        'p99 ms': percentile(durations, 0.99),
        'processor ms each': median(own.map(({ processorMs }) => processorMs)),
        'each round': rates.map(Math.round).join(' '),
      };
    }),
  );
}

/** Open, and found by their shipments. */
async function openFlows(client: Client): Promise<Flow[]> {
  const flows = Array.from({ length: FLOWS }, () => ({
    workflowId: `bench ${randomUUID()}`,
    shipmentUid: randomUUID(),
  }));
  await runConcurrently(16, flows, async ({ workflowId, shipmentUid }) => {
    // What a flow sets once it has booked.
    const searchAttributes = { LockerShipmentUids: [shipmentUid], LockerBookedAt: [new Date()] };
    const options = { taskQueue: 'nobody polls it', searchAttributes };
    await client.workflow.start('Issue', { workflowId, args: [], ...options });
  });
  await runConcurrently(16, flows, async ({ shipmentUid }) => {
    while ((await holdersOf(client, [shipmentUid])).size === 0) await delay(20);
  });
  await delay(FIRST_CALLBACK_AFTER_MS);
  return flows;
}

function messageOf(shipmentUid: string, stateCode: string, referenceCaseNo: string | null) {
  return {
    shipmentUid,
    stateCode,
    stateStart: new Date().toISOString().slice(0, 23),
    shipmentType: 'LocalPupShipment',
    referenceNo: null,
    referenceCaseNo,
    description: null,
    pupUid: 'pup-central',
    fromUserUid: 'user-anna',
    toUserUid: 'user-bram',
  };
}

function signalSend(client: Client, { workflowId, shipmentUid }: Flow, stateCode: string): Send {
  const received = { receivedAt: new Date().toISOString(), source: 'callback' };
  const report = { ...messageOf(shipmentUid, stateCode, workflowId), ...received };
  const handle = client.workflow.getHandle(workflowId);
  return () => handle.signal('shipmentStatus', report);
}

function callbackSend(pool: Pool, path: string, flow: Flow, stateCode: string, caseNo: string | null): Send {
  const { shipmentUid } = flow;
  const message = messageOf(shipmentUid, stateCode, caseNo);
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64');
  const headers = {
    'content-type': 'application/json',
    [callbackHeaders.hmac]: hmac(shipmentUid),
    [callbackHeaders.webhookId]: id,
    [callbackHeaders.webhookTimestamp]: timestamp,
    [callbackHeaders.webhookSignature]: `v1,${hmac(`${id}.${timestamp}.${body}`)}`,
  };
  return async () => {
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body });
    await answer.dump();
    if (statusCode !== 204) throw new Error(`a callback was answered ${statusCode}`);
  };
}
