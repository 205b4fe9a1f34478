// A Temporal behind TLS and an API key, reached by Temporal's own configuration: by every kind of process of ours.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { run, runJson } from '../../cli/lockerflow-program.ts';
import { startWorkerProcess } from '../../end-to-end/worker-process.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { type GuardedTemporal, guardTemporal } from '../../support/temporal-tls.ts';

const API_KEY = 'key-of-the-tests';

let folder: string;
let certificates: Certificates;
let temporal: GuardedTemporal;
let variables: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-guarded-'));
  certificates = await makeCertificates(folder);
  temporal = await guardTemporal(inject('temporalAddress'), certificates, API_KEY);
  variables = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_API_KEY: API_KEY,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.authority,
    TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.certificate,
    TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.key,
  };
});
afterAll(async () => {
  await temporal[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('the command line gets in by variables', async () => {
  expect(await runJson(['list', '--limit', '1'], { variables })).toHaveProperty('count');
  expect(temporal.callers.at(-1)).toMatchObject({
    client: 'lockerflow',
    headers: { authorization: `Bearer ${API_KEY}` },
  });
});

test('the command line gets in by a profile of the configuration file', async () => {
  const file = join(folder, 'temporal.toml');
  await writeFile(file, profile(temporal.address));
  const byProfile = {
    TEMPORAL_ADDRESS: undefined,
    TEMPORAL_CONFIG_FILE: file,
    TEMPORAL_PROFILE: 'lockers',
  };
  expect(await runJson(['setup'], { variables: byProfile })).toEqual({
    namespace: 'default',
    registered: [],
  });
  expect(temporal.callers.at(-1)).toMatchObject({
    client: 'lockerflow',
    headers: { authorization: `Bearer ${API_KEY}`, 'temporal-namespace': 'default' },
  });
});

const profile = (address: string) => `
[profile.lockers]
address = "${address}"
namespace = "default"
api_key = "${API_KEY}"

[profile.lockers.tls]
server_name = "temporal.test"
server_ca_cert_path = "${certificates.authority}"
client_cert_path = "${certificates.client.certificate}"
client_key_path = "${certificates.client.key}"

[profile.lockers.grpc_meta]
temporal-namespace = "default"
`;

/** No flow is started: the locker API is not called. */
const nowhere = { service: { address: 'http://127.0.0.1:1' }, vendor: { settings: {} } };

test('the worker gets in by the same variables', { timeout: 300_000 }, async () => {
  const before = temporal.callers.length;
  const worker = await startWorkerProcess(nowhere, {
    ...variables,
    LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
  });
  try {
    const polls = () =>
      temporal.callers
        .slice(before)
        .filter(({ headers }) => `${headers[':path']}`.endsWith('/PollWorkflowTaskQueue'));
    await vi.waitUntil(() => polls().length > 0, { timeout: 180_000 });
    expect(polls()[0]).toMatchObject({
      client: 'lockerflow',
      headers: { authorization: `Bearer ${API_KEY}` },
    });
  } finally {
    await worker.kill();
  }
});

test.each([
  ['another API key', { TEMPORAL_API_KEY: 'another' }, 1, 'the API key is unknown'],
  ['no certificate of a client', { TEMPORAL_TLS_CLIENT_CERT_PATH: undefined }, 4, 'check TEMPORAL_TLS_'],
  [
    'an authority that is unknown here',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: undefined },
    4,
    'check TEMPORAL_TLS_',
  ],
  ['a certificate that is not there', { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nonexistent' }, 1, '/nonexistent'],
] as const)('with %s the command line says in one line what to check', async (_, changed, code, words) => {
  const ran = await run(['list'], { variables: { ...variables, ...changed } });
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
  expect(ran.err.trim().split('\n')).toHaveLength(1);
});
