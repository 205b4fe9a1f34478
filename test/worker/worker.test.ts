// The worker as a process: it starts from its environment alone, runs flows, tells its health and metrics, and stops.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Child } from '../../local/child-process.ts';
import { freePort } from '../../local/ports.ts';
import { reconcilerScheduleId } from '../../shared/routing/reconciler-schedule.ts';
import { failure, startTestServer, tokenReply } from '../shared/locker-api/test-server.ts';
import { bundleOf } from '../support/bundles.ts';
import { nodeProgramOfTest } from '../support/processes/node-program.ts';
import { newTaskQueue, temporalClient } from '../support/temporal.ts';
import { booking } from '../workflows/stories.ts';

// Once for all of these processes.
let home = '';
let bundle = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lockerflow-worker-'));
  bundle = (await bundleOf()).codePath;
}, 120_000);
afterAll(() => rm(home, { recursive: true }));

const startProcess = (variables: Record<string, string>): Child =>
  // A home of its own: Temporal's configuration file of whoever runs the tests must not count.
  nodeProgramOfTest(['worker/main.ts'], {
    variables: { HOME: home, WORKER_WORKFLOW_BUNDLE: bundle, ...variables },
  });

const issueInput = { request: { ...booking, pupUid: 'nowhere', toUserUid: 'user-anna' } };

async function madeCurrent(client: Client, deploymentName: string, buildId: string): Promise<boolean> {
  const { namespace } = client.options;
  await client.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId });
  return true;
}

/** Port 9 of this machine: nobody listens there. */
const at = (apiUrl = 'http://127.0.0.1:9', authUrl = apiUrl) => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  LOCKER_API_URL: apiUrl,
  LOCKER_AUTH_URL: authUrl,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
  WORKER_PORT: '0',
  WORKER_SHUTDOWN_GRACE_SECONDS: '1',
});

async function startOnFolder(
  files: Record<string, string>,
  taskQueue = newTaskQueue(),
  settings: Record<string, string> = {},
): Promise<Child> {
  const folder = await mkdtemp(join(home, 'flows-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return startProcess({
    ...at(),
    ...settings,
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    LOCKERFLOW_FLOWS: folder,
  });
}

const flowFile = (name: string) => `
name: ${name}
meaning: It ends at once.
initial: over
states: { over: { type: final } }
output: { of: "\${flow.name}" }
`;

describe('the worker', () => {
  it('runs flows until it is asked to stop, and reports its health', async () => {
    await using service = await startTestServer(failure(404, 'InvalidPupUid'));
    await using tokenService = await startTestServer(tokenReply());
    const taskQueue = newTaskQueue();
    const secretFile = join(home, 'client-secret');
    await writeFile(secretFile, 'secret-never-shown\n');
    const metrics = `127.0.0.1:${await freePort()}`;
    const { LOCKER_CLIENT_SECRET: _, ...settings } = at(service.url, tokenService.url);
    const worker = startProcess({
      ...settings,
      LOCKER_CLIENT_SECRET_FILE: secretFile,
      LOCKER_CAPABILITIES: 'getShipments',
      LOCKER_RECONCILE_SECONDS: '3600',
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      WORKER_METRICS_ADDRESS: metrics,
    });
    const { health } = await worker.logged('worker started');
    expect((await fetch(`${health}/health/live`)).status).toBe(200);
    await expect
      .poll(async () => (await fetch(`${health}/health/ready`)).status, { timeout: 60_000 })
      .toBe(200);

    const client = await temporalClient();
    const { spec } = await client.schedule.getHandle(reconcilerScheduleId(taskQueue)).describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    const flow = client.workflow.execute('Issue', {
      taskQueue,
      workflowId: randomUUID(),
      args: [issueInput],
    });
    const failed = await flow.catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(WorkflowFailedError);
    expect(failed).toMatchObject({ cause: { type: 'InvalidPupUid' } });
    const [asked] = tokenService.requests;
    expect(decodeURIComponent(asked?.body ?? '')).toContain('secret-never-shown');
    // A refusal is no failed activity, and nothing else has failed yet.
    const page = await readFile(join(import.meta.dirname, '../../docs/telemetry.md'), 'utf8');
    const documented = [...page.matchAll(/`(temporal_\w+)`/g)].map(([, name = '']) => name);
    expect(documented).toContain('temporal_workflow_failed');
    const shown = documented.filter((name) => !/execution_failed|request_failure/.test(name));
    // The SDK counts a failed flow once it knows that Temporal has taken the failure, which the client may know before it.
    const missing = async () => {
      const text = await (await fetch(`http://${metrics}/metrics`)).text();
      return shown.filter((name) => !text.includes(name));
    };
    await expect.poll(missing, { timeout: 30_000 }).toEqual([]);

    await worker.signal('SIGTERM');
    expect(await worker.exitCode).toBe(0);
    expect(JSON.parse(worker.out().trim().split('\n').at(-1) ?? '').msg).toBe('worker stopped');
    expect(worker.out()).not.toContain('secret-never-shown');
    expect(worker.err()).toBe('');
  }, 120_000);

  it('publishes the flow files of a folder when it starts', { tags: 'long', timeout: 120_000 }, async () => {
    const name = `Folder${randomUUID().slice(0, 8)}`;
    const taskQueue = newTaskQueue();
    const worker = await startOnFolder({ 'parcel.flow.yaml': flowFile(name), 'notes.txt': '{' }, taskQueue);
    expect(await worker.logged('flow file published')).toMatchObject({ flow: `${name}@1` });
    const again = await startOnFolder({ 'parcel.flow.yaml': flowFile(name) }, taskQueue);
    expect(await again.logged('flow file has this content already')).toMatchObject({ flow: `${name}@1` });
    const client = await temporalClient();
    const done = await client.workflow.execute(name, { taskQueue, workflowId: randomUUID(), args: [{}] });
    expect(done).toEqual({ of: name });
  });

  it('does not start on a folder with wrong flow files, or with connectors that it does not have, and says all that is wrong', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const name = `Folder${randomUUID().slice(0, 8)}`;
    const connectors = join(home, 'connectors.yaml');
    await writeFile(
      connectors,
      'connectors: { tickets: { address: "http://127.0.0.1:9", allow: ["POST /"] } }',
    );
    const call = 'invoke: { src: call, input: { connector: tikets, path: /, method: POST }, onDone: over }';
    const calling = flowFile(`${name}Calls`)
      .replace('initial: over', 'initial: opening')
      .replace('states: {', `states: { opening: { ${call} },`);
    const worker = await startOnFolder(
      {
        'one.flow.yaml': flowFile(name).replace('initial: over', 'initial: gone'),
        'two.flow.json': '{ "name": "Issue" ',
        'calling.flow.yaml': calling,
      },
      undefined,
      { LOCKERFLOW_CONNECTORS: connectors },
    );
    expect(await worker.exitCode).toBe(1);
    const said = worker.err();
    expect(said).toContain('these flow files are wrong');
    expect(said).toMatch(/one\.flow\.yaml: InitialUnknown: .*gone/);
    expect(said).toMatch(/two\.flow\.json: NotReadable: /);
    expect(said).toMatch(/calling\.flow\.yaml: ConnectorUnknown: .*tikets .*expected tickets, perhaps/);
  });

  it('does not start on a folder that is not there, and starts on one that has no flow file yet', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const missing = startProcess({ ...at(), LOCKERFLOW_FLOWS: join(home, 'missing') });
    expect(await missing.exitCode).toBe(1);
    expect(missing.err()).toContain('LOCKERFLOW_FLOWS cannot be read');
    const empty = await startOnFolder({ 'notes.txt': 'nothing yet' });
    await empty.logged('the folder has no flow file, so nothing is published; their names end in .flow.yaml');
    await empty.logged('worker started');
  });

  it('with a build id runs flows once its version is made the current one', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    await using service = await startTestServer(failure(404, 'InvalidPupUid'));
    await using tokenService = await startTestServer(tokenReply());
    const taskQueue = newTaskQueue();
    const deploymentName = `lockerflow-${randomUUID()}`;
    const worker = startProcess({
      ...at(service.url, tokenService.url),
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      WORKER_BUILD_ID: 'v7',
      WORKER_DEPLOYMENT: deploymentName,
    });
    await worker.logged('worker started');
    const client = await temporalClient();
    const flow = await client.workflow.start('Issue', {
      taskQueue,
      workflowId: randomUUID(),
      args: [issueInput],
    });
    // The server knows a version from its worker's first poll on.
    await expect
      .poll(() => madeCurrent(client, deploymentName, 'v7').catch(() => false), { timeout: 60_000 })
      .toBe(true);
    await expect(flow.result()).rejects.toMatchObject({ cause: { type: 'InvalidPupUid' } });
    const { raw } = await flow.describe();
    expect(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe('v7');
  });

  it('does not start with wrong settings, and names them', async () => {
    const worker = startProcess({ LOCKER_API_URL: 'nowhere' });
    expect(await worker.exitCode).toBe(1);
    expect(worker.err()).toMatch(/LOCKER_API_URL: must be an http or https address/);
    expect(worker.err()).not.toContain('    at ');
  });

  it('does not start without Temporal, and says where it looked', { tags: 'long' }, async () => {
    const worker = startProcess({ ...at(), TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(await worker.exitCode).toBe(1);
    expect(worker.err()).toContain(
      'Temporal cannot be reached at 127.0.0.1:1 (Connection refused); start Temporal',
    );
  });
});
