// Callbacks per second through the receiver against bare signals by the Temporal client to the same kind of workflows
// (goal: at least 0.9 of them), and against the least that any receiver does (bare-receiver.ts). The worker that leaves the flows'
// keys under their shipments runs no flow: what takes a callback is Temporal alone. What is sent is made and signed before the
// clock starts: the sender's work is not the receiver's. Then callbacks without a flow, and how long the next one of a flow takes
// (goal: at most 1 s).
//   npm run bench -- receiver --rounds 7 --flows 300
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { Pool } from 'undici';
import { LOOPBACK } from '../../local/ports.ts';
import { signatureHeaders } from '../../service/callbacks/delivery/sign-callback.ts';
import { follow } from '../../shared/routing/followers.ts';
import { unmatchedId } from '../../shared/routing/keep-unmatched.ts';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';
import {
  alternateRounds,
  integerOptions,
  median,
  medianRatio,
  percentile,
  printTable,
  runConcurrently,
} from './measure.ts';
import { newFolder, startOurs, startOwn } from './programs.ts';
import { startDevelopmentServer } from './temporal-servers.ts';
import { usedBy } from './used.ts';

const { rounds, flows: FLOWS } = integerOptions({ rounds: 7, flows: 300 });
const STATES = ['ReadyForPickup', 'Completed'];
const KEY = 'a-key-of-the-bench';
const KEEPERS = 'keepers';
const UNMATCHED = 200;
const UNMATCHED_WITHIN_MS = 2_000;

// Few, and many.
const kinds = [16, 128].flatMap((atOnce) =>
  (['bare signals', 'bare receiver', 'by case number', 'by uid alone'] as const).map((sender) => ({
    sender,
    atOnce,
  })),
);
const sendOf: Readonly<Record<Kind['sender'], (flow: Flow, stateCode: string) => Send>> = {
  'bare signals': signalSend,
  'bare receiver': (flow, stateCode) => callbackSend(flow, stateCode, flow.workflowId, { to: bare }),
  'by case number': (flow, stateCode) => callbackSend(flow, stateCode, flow.workflowId),
  'by uid alone': (flow, stateCode) => callbackSend(flow, stateCode, null),
};
type Kind = (typeof kinds)[number];
interface Flow {
  readonly workflowId: string;
  readonly shipmentUid: string;
}
type Send = () => Promise<void>;

const server = await startDevelopmentServer(await newFolder());
await using stack = new AsyncDisposableStack();
stack.use(server);
const connection = await NativeConnection.connect({ address: server.address });
stack.defer(() => connection.close());
const keepers = await Worker.create({
  connection,
  taskQueue: KEEPERS,
  workflowBundle: { code: await bundleWorkflows() },
  activities: {},
});
const keeping = keepers.run();
stack.defer(async () => {
  keepers.shutdown();
  await keeping;
});
const variables = { TEMPORAL_ADDRESS: server.address, CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: KEY };
const receiver = stack.use(await startOurs('receiver', { variables }));
const bareReceiver = stack.use(await startOwn(['scripts/bench/bare-receiver.ts', server.address]));
const addressed = (url: URL) => {
  // More than all callbacks without a flow: none waits for another on its way to the receiver.
  const pool = new Pool(url.origin, { connections: 256, pipelining: 1 });
  stack.defer(() => pool.close());
  return { pool, path: url.pathname };
};
const ours = addressed(new URL(String(receiver.up.url)));
const bare = addressed(new URL(`http://${LOOPBACK}:${(bareReceiver.up as { readonly port: number }).port}`));

const all = await alternateRounds(kinds, { rounds }, async (kind) => {
  const flows = await openFlows();
  // The first callbacks of all flows go out before the second ones.
  const sends = STATES.flatMap((stateCode) => flows.map((flow) => sendOf[kind.sender](flow, stateCode)));
  return await sent(kind, sends);
});

/** The processor time is the receiver's, or of a bare signal this process' own. */
async function sent({ sender, atOnce }: Kind, sends: readonly Send[]) {
  const processId = processIdOf(sender);
  const before = await usedBy(processId);
  const timed = await runConcurrently(atOnce, sends, (send) => send());
  const after = await usedBy(processId);
  return { ...timed, processorMs: (after.processorMs - before.processorMs) / sends.length };
}

function processIdOf(sender: Kind['sender']): number {
  if (sender === 'bare signals') return process.pid;
  return (sender === 'bare receiver' ? bareReceiver : receiver).processId;
}

printTable(
  [...all].map(([{ sender, atOnce }, own]) => {
    const bare = [...all].find(([kind]) => kind.sender === 'bare signals' && kind.atOnce === atOnce)?.[1];
    const rates = (rounds = own) => rounds.map(({ perSecond }) => perSecond);
    const durations = own.flatMap((each) => each.durations);
    return {
      sender,
      'at once': atOnce,
      'a second': median(rates()),
      'of bare signals': medianRatio(rates(), rates(bare)),
      'p50 ms': median(durations),
      'p99 ms': percentile(durations, 0.99),
      'processor ms each': median(own.map(({ processorMs }) => processorMs)),
      'each round': rates().map(Math.round).join(' '),
    };
  }),
);

printTable([
  { sender: `a flow after ${UNMATCHED} callbacks without one`, 'ms to the flow': await afterUnmatched() },
]);

/** In milliseconds, from the callback to its answer, when its flow has it. */
async function afterUnmatched(): Promise<number> {
  const [flow] = await openFlows(1);
  if (!flow) throw new TypeError('no flow was opened, expected one');
  const strangers = Array.from({ length: UNMATCHED }, () => ({ workflowId: '', shipmentUid: randomUUID() }));
  const others = Promise.all(
    strangers.map(async (stranger, index) => {
      await delay((index * UNMATCHED_WITHIN_MS) / UNMATCHED);
      await callbackSend(stranger, 'ReadyForPickup', null, { expected: 202 })();
    }),
  );
  await delay(UNMATCHED_WITHIN_MS);
  const begunAt = performance.now();
  await callbackSend(flow, 'ReadyForPickup', null)();
  const took = performance.now() - begunAt;
  await others;
  return took;
}

/** Open, and their keys are left under their shipments, as their bookings do where another case number is given. */
async function openFlows(count = FLOWS): Promise<Flow[]> {
  const flows = Array.from({ length: count }, () => ({
    workflowId: `bench ${randomUUID()}`,
    shipmentUid: randomUUID(),
  }));
  await runConcurrently(16, flows, async ({ workflowId, shipmentUid }) => {
    const searchAttributes = { LockerShipmentUids: [shipmentUid] };
    const options = { taskQueue: 'nobody polls it', searchAttributes };
    const flow = await server.client.workflow.start('Issue', { workflowId, args: [], ...options });
    const runId = flow.firstExecutionRunId;
    const following = { shipmentUid, by: [workflowId], runId, isFoundByCase: false };
    await follow(server.client, { taskQueue: KEEPERS, keepFor: 'P1D' }, following);
    await server.client.workflow.getHandle(unmatchedId(shipmentUid)).result();
  });
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

function signalSend({ workflowId, shipmentUid }: Flow, stateCode: string): Send {
  const received = { receivedAt: new Date().toISOString(), source: 'callback' };
  const report = { ...messageOf(shipmentUid, stateCode, workflowId), ...received };
  const handle = server.client.workflow.getHandle(workflowId);
  return () => handle.signal('shipmentStatus', report);
}

function callbackSend(
  { shipmentUid }: Flow,
  stateCode: string,
  caseNo: string | null,
  { to = ours, expected = 204 } = {},
): Send {
  const message = messageOf(shipmentUid, stateCode, caseNo);
  const body = JSON.stringify({ messageType: 'ShipmentStatusUpdate', message });
  const callback = { id: `msg_${randomUUID()}`, shipmentUid, body, standardWebhooks: true };
  const keys = { authType: 'HMAC', signingKeys: [KEY], apiKey: undefined } as const;
  const signatures = signatureHeaders(callback, keys, Math.floor(Date.now() / 1_000));
  const headers = { 'content-type': 'application/json', ...signatures };
  return async () => {
    const { statusCode, body: answer } = await to.pool.request({
      method: 'POST',
      path: to.path,
      headers,
      body,
    });
    await answer.dump();
    if (statusCode !== expected) throw new Error(`a callback was answered ${statusCode}`);
  };
}
