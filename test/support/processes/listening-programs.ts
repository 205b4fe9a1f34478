// What each of our programs needs to come so far that it listens, with as little behind it as it starts with.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { newKeyLine } from '../../../shared/settings/key-ring.ts';
import { bundleOf } from '../bundles.ts';
import { createDatabase } from '../database.ts';
import { newTaskQueue } from '../temporal.ts';

type Variables = Readonly<Record<string, string>>;

interface ListeningProgram {
  /** With its arguments. */
  readonly entry: string;
  /** Everything is gone when the test has finished. */
  readonly variables: () => Promise<Variables>;
}

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

const program = (entry: string, variables: () => Promise<Variables> | Variables): ListeningProgram => ({
  entry,
  async variables() {
    const home = await mkdtemp(join(tmpdir(), 'lockerflow-listening-'));
    onTestFinished(() => rm(home, { recursive: true }));
    const walls = [{ pupUid: 'pup-1', clientId: 'wall-1', clientSecret: 'secret-1' }];
    await writeFile(join(home, 'walls.yaml'), JSON.stringify({ walls }));
    return { HOME: home, LOCKERFLOW_HOME: home, ...(await variables()) };
  },
});

export const listeningPrograms = {
  service: program('service/main.ts', async () => {
    const database = await createDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    return {
      DATABASE_URL: database.url,
      SERVICE_MODE: 'staging',
      SERVICE_PORT: '0',
      SERVICE_ENCRYPTION_KEY: newKeyLine(),
    };
  }),
  receiver: program('client/receiver/main.ts', () => ({
    ...temporal(),
    LOCKER_CALLBACK_KEY: 'a key',
    CALLBACK_PORT: '0',
  })),
  worker: program('worker/main.ts', async () => ({
    ...temporal(),
    ...locker,
    WORKER_PORT: '0',
    WORKER_WORKFLOW_BUNDLE: (await bundleOf()).codePath,
  })),
  console: program('console/main.ts', () => ({ ...locker, CONSOLE_LINK_SECRET: 'x'.repeat(43) })),
  wall: program('service/simulated-wall/main.ts', () => ({ WALL_SERVICE_URL: nowhere })),
  codecServer: program('cli/main.ts codec-server', () => ({
    CODEC_SERVER_SECRET: 'x'.repeat(32),
    LOCKERFLOW_PAYLOAD_KEYS: newKeyLine(),
  })),
} as const;
