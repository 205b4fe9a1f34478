// Each program that listens, where another one has its port: it ends as for a wrong setting, and says in one line which port
// it is and with which setting it is changed. The programs run as people start them.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { newKeyLine } from '../../../../shared/settings/key-ring.ts';
import { productionBundle } from '../../../support/bundles.ts';
import { createDatabase } from '../../../support/database.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { newTaskQueue } from '../../../support/temporal.ts';

let other: Server;
let home: string;
let port: string;
beforeAll(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = String((other.address() as AddressInfo).port);
  home = await mkdtemp(join(tmpdir(), 'lockerflow-port-'));
  const walls = [{ pupUid: 'pup-1', clientId: 'wall-1', clientSecret: 'secret-1' }];
  await writeFile(join(home, 'walls.yaml'), JSON.stringify({ walls }));
});
afterAll(async () => {
  other.close();
  await rm(home, { recursive: true });
});

/** What a program needs to come so far that it listens. */
type Prerequisites = () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

const nowhere = 'http://127.0.0.1:1';
const locker = {
  LOCKER_API_URL: nowhere,
  LOCKER_AUTH_URL: nowhere,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'none',
};
const temporal = () => ({
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
});

const service: Prerequisites = async () => {
  const database = await createDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return {
    DATABASE_URL: database.url,
    SERVICE_MODE: 'staging',
    SERVICE_PORT: '0',
    SERVICE_ENCRYPTION_KEY: newKeyLine(),
  };
};
const receiver: Prerequisites = () => ({ ...temporal(), LOCKER_CALLBACK_KEY: 'a key', CALLBACK_PORT: '0' });
const worker: Prerequisites = async () => ({
  ...temporal(),
  ...locker,
  WORKER_PORT: '0',
  WORKER_WORKFLOW_BUNDLE: await productionBundle(),
});
const webConsole: Prerequisites = () => ({ ...locker, CONSOLE_LINK_SECRET: 'x'.repeat(43) });
const wall: Prerequisites = () => ({ WALL_SERVICE_URL: nowhere });
const codecServer: Prerequisites = () => ({
  CODEC_SERVER_SECRET: 'x'.repeat(32),
  LOCKERFLOW_PAYLOAD_KEYS: newKeyLine(),
});

test.each<[name: string, setting: string, entry: string, given: Prerequisites]>([
  ['lockerflow-service', 'SERVICE_PORT', 'service/main.ts', service],
  ['lockerflow-service', 'SERVICE_METRICS_ADDRESS', 'service/main.ts', service],
  ['lockerflow-receiver', 'CALLBACK_PORT', 'client/receiver/main.ts', receiver],
  ['lockerflow-receiver', 'CALLBACK_METRICS_ADDRESS', 'client/receiver/main.ts', receiver],
  ['lockerflow-worker', 'WORKER_PORT', 'worker/main.ts', worker],
  ['lockerflow-worker', 'WORKER_METRICS_ADDRESS', 'worker/main.ts', worker],
  ['lockerflow-console', 'CONSOLE_PORT', 'console/main.ts', webConsole],
  ['lockerflow-wall', 'WALL_PORT', 'service/simulated-wall/main.ts', wall],
  ['lockerflow', 'CODEC_SERVER_PORT', 'cli/main.ts codec-server', codecServer],
])(
  '%s names the port and %s',
  async (name, setting, entry, given) => {
    const child = nodeProgramOfTest(entry.split(' '), {
      variables: {
        HOME: home,
        LOCKERFLOW_HOME: home,
        ...(await given()),
        [setting]: setting.endsWith('_ADDRESS') ? `127.0.0.1:${port}` : port,
      },
    });
    expect([await child.exitCode, child.err()]).toEqual([
      1,
      `${name}: Port ${port} is in use: end the program that uses it, or set ${setting} to another\n`,
    ]);
  },
  300_000,
);
