// The real processes of a loan, each on its own: service, receiver and worker, and a console where it is measured; a loan that runs
// through all of them, and a question that nobody answers.
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, vi } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { freePort } from '../../../local/ports.ts';
import { newKeyLine } from '../../../shared/settings/key-ring.ts';
import { traceInterceptor } from '../../../shared/telemetry/temporal/client-spans.ts';
import { productionBundle } from '../../support/bundles.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { endedWithTest, loggedProgram } from '../../support/processes/node-program.ts';

export const PATIENCE_MS = 120_000;
const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcyEhIQ==';

export interface Surroundings {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly taskQueue: string;
  /** Of the processes' logs: service.log, receiver.log, worker.log. */
  readonly folder: string;
}

type Variables = Readonly<Record<string, string>>;
export type Telemetry = Readonly<Record<'service' | 'receiver' | 'worker', Variables>> & {
  readonly console?: Variables;
};

export interface LoanProcesses {
  readonly call: Caller;
  /** Of the service. */
  readonly address: string;
  stopReceiver(): Promise<void>;
}

/** They end with the test. @param telemetry what to set for each */
export async function startLoanProcesses(
  { databaseUrl, folder, temporalAddress, taskQueue }: Surroundings,
  telemetry: Telemetry,
): Promise<LoanProcesses> {
  const [service, receiver, worker] = [await freePort(), await freePort(), await freePort()];
  const address = `http://127.0.0.1:${service}`;
  const orchestrator = {
    TEMPORAL_ADDRESS: temporalAddress,
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    LOCKER_API_URL: address,
    LOCKER_AUTH_URL: address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
  };
  const start = async (name: keyof Telemetry, entry: string, given: Variables) =>
    endedWithTest(await loggedProgram(name, entry, folder, { ...given, ...telemetry[name] }));
  await start('service', 'service/main.ts', {
    DATABASE_URL: databaseUrl,
    SERVICE_MODE: 'staging',
    SERVICE_PORT: String(service),
    SERVICE_ENCRYPTION_KEY: newKeyLine(),
  });
  const receiving = await start('receiver', 'client/receiver/main.ts', {
    ...orchestrator,
    CALLBACK_PORT: String(receiver),
  });
  await start('worker', 'worker/main.ts', {
    ...orchestrator,
    WORKER_PORT: String(worker),
    WORKER_WORKFLOW_BUNDLE: await productionBundle(),
  });
  if (telemetry.console)
    await start('console', 'console/main.ts', {
      ...orchestrator,
      LOCKERFLOW_HOME: folder,
      CONSOLE_PORT: '0',
      CONSOLE_LINK_SECRET: CALLBACK_KEY,
    });
  const call = await callerAs(address);
  const url = `http://127.0.0.1:${receiver}/callbacks`;
  await call('ConfigureCallback', { url, authType: 'HMAC', authKey: CALLBACK_KEY });
  return { call, address, stopReceiver: () => receiving.kill() };
}

async function flowsAt({ temporalAddress, taskQueue }: Surroundings): Promise<LockerFlows> {
  const connection = await Connection.connect({ address: temporalAddress });
  onTestFinished(() => connection.close());
  const client = new Client({ connection, interceptors: { workflow: [traceInterceptor] } });
  return new LockerFlows(client, { taskQueue });
}

const ASKING = `
name: Asking
meaning: The desk is asked, and does not answer.
initial: asking
states:
  asking:
    invoke: { src: ask, input: { of: desk, question: "Is it there?", fields: { there: { type: yesNo } }, within: P1D }, onDone: over, onError: over }
  over: { type: final }
`;

export async function unansweredQuestion(surroundings: Surroundings): Promise<void> {
  const flows = await flowsAt(surroundings);
  await flows.publish([{ path: 'asking.flow.yaml', text: ASKING }]);
  await flows.startPublished('Asking', 'asked-1', {});
}

/** Starts a loan and plays the people, to its end. */
export async function loan(call: Caller, surroundings: Surroundings, key: string): Promise<void> {
  const flows = await flowsAt(surroundings);
  const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
  const flow = await flows.start('Issue', key, { request });
  const uid = async () => (await flow.progress()).shipments.issue?.shipmentUid;
  const shipmentUid = await vi.waitUntil(uid, { timeout: PATIENCE_MS });
  for (const unlockGoal of ['DropOff', 'PickUp'])
    expect((await call('UnlockShipmentLocker', { shipmentUid, unlockGoal })).body.success).toBe(true);
  expect(await flow.result()).toMatchObject({ outcome: 'Done' });
}
