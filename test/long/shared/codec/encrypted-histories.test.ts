// Everything with encryption on, as processes that have nothing but their settings: flows, failures, callbacks that are
// unmatched, the command line, replay, the codec server. Then Temporal's database is searched for what people told us. The long
// form does the same without keys, and finds all of it.
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { searchAttributes } from '../../../../contract/flows/search-attributes.ts';
import { temporalProgram } from '../../../../local/temporal/program.ts';
import { startTemporalServer } from '../../../../local/temporal/server.ts';
import { unmatchedId } from '../../../../shared/routing/keep-unmatched.ts';
import { byOperation, succeeded } from '../../../activities/activity-harness.ts';
import { runJson, runProcess, startProgram } from '../../../cli/lockerflow-program.ts';
import { failure, type Reply, startTestServer, tokenReply } from '../../../shared/locker-api/test-server.ts';
import { productionBundle } from '../../../support/bundles.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { temporaryFolder } from '../../../support/set-up-process.ts';

const person = {
  emailAddress: 'wilhelmina.zonderland@post.example',
  firstName: 'Wilhelmina',
  lastName: 'Zonderland',
  phoneNumber: '+31687654321',
  streetName: 'Keizersgrachtlaan',
  city: 'Appelscha',
};
const details = { referenceNo: 'REF-PRIVATE-77', description: 'hearing aid, left ear' };
const unmatchedBody = { visitor: 'Theodora Quist' };
const decider = 'Zacharias Beheerder';
const refusal = 'Barnabas Geweigerd has left the building';
const secrets = [
  ...Object.values(person),
  details.description,
  ...['UNMATCHED-REF-88', unmatchedBody.visitor, decider, 'Barnabas Geweigerd'],
];

const account = { ...person, userUid: 'user-1', userName: 'w', isExisting: true, canManageUser: true };

/** A service that knows one account, books once, and refuses with a name in its words. */
async function startService(shipmentUid: string) {
  const booking: Reply = (response, request) => {
    const answer = request.body.includes('pup-refusing')
      ? failure(409, 'NoLockerAvailable', refusal)
      : succeeded('CreateLocalShipmentAsIssue', { shipmentUids: [shipmentUid] } as never);
    return answer(response as never, request);
  };
  const service = await startTestServer(
    byOperation({
      CreateOrGetAccount: succeeded('CreateOrGetAccount', account as never),
      CreateLocalShipmentAsIssue: booking,
      SetAccountPickUpPoint: succeeded('SetAccountPickUpPoint', {} as never),
    }),
  );
  const token = await startTestServer(tokenReply());
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await token[Symbol.asyncDispose]();
  });
  return { LOCKER_API_URL: service.url, LOCKER_AUTH_URL: token.url };
}

/** Resolves with the line of its log that says that it has started. */
async function startProcess(name: string, entry: string, variables: Record<string, string>) {
  const program = nodeProgramOfTest([entry], { variables });
  return { line: await program.logged(`${name} started`), stop: program.stop };
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const report = (shipmentUid: string, stateCode: string, more: object = {}) => ({
  messageType: 'ShipmentStatusUpdate',
  message: { shipmentUid, stateCode, stateStart: new Date().toISOString().slice(0, 23), ...more },
});

async function installation(keys: string) {
  const folder = await temporaryFolder();
  const temporal = await startTemporalServer({ searchAttributes, databaseFile: join(folder, 'temporal.db') });
  onTestFinished(() => temporal.stop());
  const shipmentUid = randomUUID();
  const keyFile = join(folder, 'payload-keys');
  await writeFile(keyFile, `${keys}\n`);
  const variables: Record<string, string> = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_CONFIG_FILE: '/nonexistent',
    ...(keys !== '' && { LOCKERFLOW_PAYLOAD_KEYS_FILE: keyFile }),
  };
  const worker = await startProcess('worker', 'worker/main.ts', {
    ...variables,
    ...(await startService(shipmentUid)),
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    WORKER_PORT: '0',
    WORKER_WORKFLOW_BUNDLE: await productionBundle(),
  });
  const receiver = await startProcess('receiver', 'client/receiver/main.ts', {
    ...variables,
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_AUTH: 'None',
    LOCKER_CALLBACK_STRICT: 'false',
  });
  const connection = await Connection.connect({ address: temporal.address });
  onTestFinished(() => connection.close());
  return {
    variables,
    /** Of commands that run within the test's process. */
    here: {
      TEMPORAL_ADDRESS: temporal.address,
      ...(keys !== '' && { LOCKERFLOW_PAYLOAD_KEYS: keys }),
    },
    shipmentUid,
    callbacks: String(receiver.line.url),
    /** Without any key. */
    client: new Client({ connection }),
    /** Everything in the database's files, once the server has written it. */
    stored: async () => {
      await worker.stop();
      await receiver.stop();
      await temporal.stop();
      const files = await readdir(folder);
      const texts = files
        .filter((file) => file.startsWith('temporal.db'))
        .map((file) => readFile(join(folder, file), 'latin1'));
      return (await Promise.all(texts)).join('');
    },
  };
}

// Some commands are processes, and a replay bundles the workflows first.
const slow = { timeout: 600_000 };

type Installation = Awaited<ReturnType<typeof installation>>;

const request = {
  pupUid: 'pup-central',
  toUser: { ...person, pickUpPointUid: 'pup-central' },
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 1, height: 2, length: 3 },
  details,
};

/** An onboarding, an issue with its callbacks, a refused one, unmatched callbacks, and what people decide. */
async function everything({ variables, here, shipmentUid, callbacks, client }: Installation) {
  const setting = { variables: here };
  const start = (flow: string, key: string, input: object) =>
    runJson(['start', flow, '--key', key, '--input', '-'], { ...setting, input: JSON.stringify(input) });
  const { city: _city, ...wanted } = person;
  await start('OnboardAccount', 'onboarding', { request: { ...wanted, pickUpPointUid: 'pup-central' } });
  await client.workflow
    .getHandle('onboarding')
    .result()
    .catch(() => undefined);

  await start('Issue', 'issue', { request });
  await vi.waitUntil(
    async () => (await client.workflow.count(`LockerShipmentUids = '${shipmentUid}'`)).count > 0,
    { timeout: 180_000 },
  );
  const references = { referenceNo: details.referenceNo, description: details.description };
  // No case number in it: what the flow does not know by its key is kept, and given to it.
  expect((await post(callbacks, report(shipmentUid, 'ReadyForPickup', references))).status).toBe(202);
  const ready = { issue: { shipmentUid, stateCode: 'ReadyForPickup' } };
  await vi.waitFor(
    async () =>
      expect((await runJson<{ progress: object }>(['show', 'issue'], setting)).progress).toMatchObject({
        shipments: ready,
      }),
    { timeout: 180_000, interval: 1000 },
  );
  expect((await post(callbacks, report(shipmentUid, 'Completed', references))).status).toBe(204);

  await start('Issue', 'refused', { request: { ...request, pupUid: 'pup-refusing' } });
  await vi.waitUntil(
    async () =>
      (await client.workflow.count("WorkflowId = 'refused' AND ExecutionStatus = 'Failed'")).count === 1,
    { timeout: 180_000 },
  );
  expect((await runProcess(['show', 'refused'], { variables })).out).toContain(refusal);

  const unmatchedUid = randomUUID();
  const unmatchedReport = report(unmatchedUid, 'ReadyForPickup', { referenceNo: 'UNMATCHED-REF-88' });
  expect((await post(callbacks, unmatchedReport)).status).toBe(202);
  expect((await post(callbacks, { messageType: 'Visited', message: unmatchedBody })).status).toBe(202);
  const { kept } = await runJson<{ kept: object[] }>(['unmatched', 'show', unmatchedUid], setting);
  expect(kept).toMatchObject([{ callback: { referenceNo: 'UNMATCHED-REF-88' } }]);
  await runJson(['unmatched', 'drop', unmatchedUid, '--by', decider, '--why', 'not ours'], setting);
  await client.workflow
    .getHandle(unmatchedId(unmatchedUid))
    .result()
    .catch(() => undefined);
  const { unmatched } = await runJson<{ unmatched: object[] }>(
    ['unmatched', 'list', '--kind', 'message'],
    setting,
  );
  expect(unmatched).toMatchObject([{ input: { messageType: 'Visited' } }]);
}

test('no personal data is in the database of Temporal, and everything works', slow, async () => {
  const before = `2026-01:${randomBytes(32).toString('base64')}`;
  const keys = `2026-02:${randomBytes(32).toString('base64')} ${before}`;
  const at = await installation(keys);
  await everything(at);
  await replays(at);
  await isReadThroughCodecServer(at);
  const stored = await at.stored();
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  // People find a case by it: a search attribute, and nothing else, has it.
  const parts = stored.split(details.referenceNo);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.slice(0, -1).filter((before) => !before.endsWith('item:'))).toEqual([]);
  expect(stored).toContain('2026-02');
});

test('without keys the same search finds each of them', slow, async () => {
  const at = await installation('');
  await everything(at);
  const stored = await at.stored();
  expect(secrets.filter((secret) => !stored.includes(secret))).toEqual([]);
});

/** As an operator gets a history. */
async function shown({ variables }: Installation, ...more: string[]): Promise<string> {
  const words = ['workflow', 'show', '--workflow-id', 'issue', '--output', 'json'];
  const where = ['--address', variables.TEMPORAL_ADDRESS ?? '', ...more];
  return (await promisify(execFile)(await temporalProgram(), [...words, ...where])).stdout;
}

/** Recorded from such a server, with the keys alone. */
async function replays(at: Installation): Promise<void> {
  const file = join(await temporaryFolder(), 'issue.json');
  await writeFile(file, await shown(at));
  expect(await runProcess(['replay', '--file', file], { variables: at.variables })).toMatchObject({
    code: 0,
  });
}

/** By the `temporal` program, as an operator uses it; without the secret it is told nothing. */
async function isReadThroughCodecServer(at: Installation): Promise<void> {
  const secret = randomBytes(32).toString('hex');
  const program = startProgram(['codec-server', '--json'], {
    variables: { ...at.variables, CODEC_SERVER_PORT: '0', CODEC_SERVER_SECRET: secret },
  });
  const url = await vi.waitUntil(() => /"url": ?"([^"]+)"/.exec(program.out())?.[1], { timeout: 300_000 });
  const endpoint = ['--codec-endpoint', url];
  const known = await shown(at, ...endpoint, '--codec-auth', `Bearer ${secret}`);
  expect(withPayloadsRead(known)).toContain(person.emailAddress);
  const stranger = await shown(at, ...endpoint, '--codec-auth', 'Bearer wrong').catch(String);
  expect(withPayloadsRead(stranger)).not.toContain(person.emailAddress);
  program.interrupt();
  await program.ended;
}

/** The data of payloads are base64 in JSON. */
const withPayloadsRead = (history: string): string =>
  history.replace(/"data": ?"([^"]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());
