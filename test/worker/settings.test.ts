// assumptions: A bare vendor, Its addresses and credentials
// The worker's settings: what they come to, and that one error names every wrong one without showing a secret.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { describe, expect, it, onTestFinished } from 'vitest';
import { entryKinds } from '../../processes/inbox/inbox-entry.ts';
import { readWorkerSettings, workflowsCachedIn } from '../../worker/settings.ts';

const required = {
  LOCKER_API_URL: 'https://locker.example/api',
  LOCKER_AUTH_URL: 'https://locker.example/auth',
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
};

describe('the settings of the worker', () => {
  it('need only the address of the service and the credentials', () => {
    const { serviceProfile, ...settings } = readWorkerSettings({
      ...required,
      PATH: '/bin',
      WORKER_BUILD_ID: '',
    });
    expect([...serviceProfile.capabilities]).toEqual([]);
    expect(settings).toEqual({
      payloadKeys: null,
      api: {
        apiUrl: 'https://locker.example/api',
        authUrl: 'https://locker.example/auth',
        clientId: 'demo',
        clientSecret: 'demo-secret',
        timeoutMs: 30_000,
      },
      setsReferences: true,
      reconcileSeconds: 0,
      keepFor: 'P30D',
      taskQueue: 'lockerflow',
      host: '127.0.0.1',
      port: 8091,
      metricsAddress: undefined,
      logLevel: 'info',
      cachedWorkflows: workflowsCachedIn(getHeapStatistics().heap_size_limit),
      concurrentActivities: 500,
      shutdownGraceSeconds: 30,
      workflowBundle: undefined,
      outreach: { message: null, sendMechanic: null, address: 'email' },
      consoleUrl: null,
      version: undefined,
      darkDefinitions: new Set(),
    });
  });

  it('keep as many workflows as half of the heap holds, within bounds', () => {
    expect([100_000, 256_000_000, 1_000_000_000, 4_300_000_000].map(workflowsCachedIn)).toEqual([
      2, 320, 1_250, 2_500,
    ]);
  });

  it('switch on versioning and hold definitions back', () => {
    const settings = readWorkerSettings({
      ...required,
      WORKER_BUILD_ID: 'v7',
      WORKER_DARK_DEFINITIONS: 'Issue@2, Stock@3',
    });
    expect(settings.version).toEqual({ deploymentName: 'lockerflow', buildId: 'v7' });
    expect([...settings.darkDefinitions]).toEqual(['Issue@2', 'Stock@3']);
  });

  it('have the connectors of their file, and the secret files are beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'connectors.yaml');
    const tickets =
      'address: https://tickets.example/, allow: ["POST /"], credentials: { bearerFile: token }';
    await writeFile(file, `connectors: { tickets: { ${tickets} } }`);
    const settings = () => readWorkerSettings({ ...required, WORKER_PORT: 'x', LOCKERFLOW_CONNECTORS: file });
    expect(settings).toThrow(
      /WORKER_PORT[\s\S]*LOCKERFLOW_CONNECTORS: .*tickets\.credentials\.bearerFile: cannot be read/,
    );
    await writeFile(join(folder, 'token'), 'token-secret-1');
    const { connectors } = readWorkerSettings({ ...required, LOCKERFLOW_CONNECTORS: file });
    expect(connectors?.connectors).toMatchObject([{ headers: { authorization: 'Bearer token-secret-1' } }]);
  });

  it('notify people by a connector that takes it, in quiet hours of urgent things alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'connectors.yaml');
    const calls = 'address: https://a.example/, allow: ["POST /"]';
    await writeFile(file, `connectors: { chat: { ${calls}, notify: {} }, calls: { ${calls} } }`);
    const settings = { ...required, LOCKERFLOW_CONNECTORS: file, NOTIFY_CONNECTOR: 'chat' };
    expect(readWorkerSettings(settings).notifications).toMatchObject({
      ...{ connector: 'chat', quietHours: null, quietPriority: 80, againAfterMs: 7_200_000 },
      consoleUrl: null,
      language: 'en',
      // A locker that is out of order and empty presses nobody.
      kinds: new Set(entryKinds.filter((kind) => kind !== 'outOfOrder')),
    });
    const chosen = {
      ...{ NOTIFY_QUIET_HOURS: '22:00-07:00 Europe/Amsterdam', NOTIFY_QUIET_PRIORITY: '90' },
      ...{ NOTIFY_AGAIN_AFTER: 'never', NOTIFY_KINDS: 'door, late', CONSOLE_URL: 'https://console.example/' },
      NOTIFY_LANGUAGE: 'nl',
    };
    expect(readWorkerSettings({ ...settings, ...chosen }).notifications).toEqual({
      connector: 'chat',
      kinds: new Set(['door', 'late']),
      quietHours: { from: 1_320, to: 420, timeZone: 'Europe/Amsterdam' },
      quietPriority: 90,
      againAfterMs: null,
      language: 'nl',
      consoleUrl: 'https://console.example',
    });
    for (const name of ['calls', 'nobody'])
      expect(() => readWorkerSettings({ ...settings, NOTIFY_CONNECTOR: name })).toThrow(
        /NOTIFY_CONNECTOR: must be the name of a connector .* takes notifications: chat; it is "/,
      );
  });

  it('deliver messages and requests for a mechanic by connectors that take them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'connectors.yaml');
    const mail = 'mail: { lockers: { address: "smtp://mail.example", from: lockers@acme.example } }';
    const connectors =
      'connectors: { sms: { address: https://a.example, messages: {} }, jobs: { address: https://b.example, mechanic: {} } }';
    await writeFile(file, `${connectors}\n${mail}`);
    const settings = { ...required, LOCKERFLOW_CONNECTORS: file };
    expect(readWorkerSettings(settings).outreach).toEqual({
      ...{ message: null, sendMechanic: null, address: 'email' },
    });
    const chosen = { MESSAGE_CONNECTOR: 'sms', MESSAGE_ADDRESS: 'phone', MECHANIC_CONNECTOR: 'jobs' };
    expect(readWorkerSettings({ ...settings, ...chosen }).outreach).toEqual({
      ...{ message: 'sms', sendMechanic: 'jobs', address: 'phone' },
    });
    const wrong = (more: object) => () => readWorkerSettings({ ...settings, ...chosen, ...more });
    expect(wrong({ MESSAGE_CONNECTOR: 'jobs' })).toThrow(
      /MESSAGE_CONNECTOR: .* takes messages: sms, lockers; it is "/,
    );
    expect(wrong({ MECHANIC_CONNECTOR: 'lockers' })).toThrow(
      /MECHANIC_CONNECTOR: .* for a mechanic: jobs; it is "/,
    );
    expect(wrong({ MESSAGE_CONNECTOR: 'lockers' })).toThrow(/MESSAGE_ADDRESS: must be email/);
    expect(wrong({ MESSAGE_ADDRESS: 'pigeon' })).toThrow(
      /MESSAGE_ADDRESS: must be one of email, phone, none/,
    );
  });

  it('are refused all at once, each with the expected value', () => {
    const wrong = {
      LOCKER_API_URL: 'locker.example',
      LOCKER_AUTH_URL: 'ftp://locker.example',
      LOCKER_CLIENT_SECRET: 'not-to-be-shown',
      LOCKERFLOW_PAYLOAD_KEYS: 'one:too-short',
      LOCKER_TIMEOUT_SECONDS: '30s',
      LOCKER_CAPABILITIES: 'everything',
      LOCKER_STATE_MAP: 'Open',
      LOCKER_TIME_ZONE: 'Mars',
      LOCKER_SET_REFERENCES: 'yes',
      WORKER_PORT: '70000',
      WORKER_METRICS_ADDRESS: '9464',
      WORKER_CACHED_WORKFLOWS: '1',
      WORKER_DARK_DEFINITIONS: 'Issue',
      KEEP_UNMATCHED_FOR: '30 days',
      NOTIFY_CONNECTOR: 'chat',
      MESSAGE_CONNECTOR: 'sms',
      MECHANIC_CONNECTOR: 'jobs',
      MESSAGE_ADDRESS: 'pigeon',
      NOTIFY_QUIET_HOURS: '22-7',
      NOTIFY_QUIET_PRIORITY: '101',
      NOTIFY_AGAIN_AFTER: '2 hours',
      NOTIFY_KINDS: 'doors',
      NOTIFY_LANGUAGE: 'fr',
      CONSOLE_URL: 'console',
    };
    const expected = [...Object.keys(wrong), 'LOCKER_CLIENT_ID'].filter(
      (name) => name !== 'LOCKER_CLIENT_SECRET',
    );
    let message = '';
    try {
      readWorkerSettings(wrong);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    const named = message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0]);
    expect(named.sort()).toEqual(expected.sort());
    expect(message).toContain('LOCKER_CLIENT_ID: is required');
    expect(message).not.toContain('not-to-be-shown');
    expect(message).not.toContain('too-short');
  });
});

it('docs/run.md names every setting of the worker, and no other', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');
  const names = (text: string, form: RegExp) =>
    [...new Set([...text.matchAll(form)].map(([, name]) => name))].sort();
  const settings =
    read('worker/settings.ts') +
    read('shared/settings/report-settings.ts') +
    read('shared/settings/outreach-settings.ts') +
    read('processes/notifications/notification-settings.ts') +
    read('contract/wire/service-profile.ts');
  const [, table = ''] = read('docs/run.md').split('### Settings of the worker');
  const rows =
    table
      .split('\n### ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? [];
  const documented = names(rows.map((row) => row.split('|')[1]).join(), /`([A-Z_]+)`/g);
  expect(documented).toEqual(names(settings, /^ {2}([A-Z_]+): /gm));
});
