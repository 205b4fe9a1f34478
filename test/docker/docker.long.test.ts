// The Dockerfile, where no Docker engine is at hand: followed step by step in an empty folder, and each process that the
// compose file starts from the image is started from there and found healthy.
import { execFile } from 'node:child_process';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { newKeyLine } from '../../shared/settings/key-ring.ts';
import { withDatabase } from '../support/database.ts';
import { nodeProgramOfTest } from '../support/processes/node-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { newTaskQueue } from '../support/temporal.ts';
import { environment, followed, inside, type Stage } from './dockerfile-steps.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');
const dockerfile = await read('Dockerfile');
const compose = await read('docker-compose.yml');
// An installation without the packages for development, and four processes, on two cores that other tests keep busy.
const PATIENCE_MS = 480_000;

interface Running {
  /** What it tells of itself once it has started. */
  readonly told: Record<string, string>;
}

/** Until its log has this message. */
async function started(
  stage: Stage,
  [, ...args]: readonly string[],
  message: string,
  env: NodeJS.ProcessEnv,
) {
  const child = nodeProgramOfTest(args, { cwd: inside(stage, '.'), env: environment(stage, env) });
  return { told: (await child.logged(message)) as Running['told'] };
}

const isReady = async (address: string | undefined) => (await fetch(`${address}/health/ready`)).status;

test(
  'followed in an empty folder, every process of the image runs and is healthy',
  async () => {
    const stage = await followed(dockerfile, await temporaryFolder());
    const kept = await readdir(inside(stage, '.'));
    expect(kept).not.toContain('test');
    await hasOnlyWhatRuns(stage);

    await withDatabase(async ({ url }) => {
      const service = await started(stage, stage.command, 'service started', {
        DATABASE_URL: url,
        SERVICE_MODE: 'staging',
        SERVICE_PORT: '0',
        SERVICE_ENCRYPTION_KEY: newKeyLine(),
      });
      const { address } = service.told;
      expect(await isReady(address)).toBe(200);
      await wallIsConnected(stage, address, url);
      const orchestrator = {
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        LOCKERFLOW_TASK_QUEUE: newTaskQueue(),
        LOCKER_API_URL: address,
        LOCKER_AUTH_URL: address,
        LOCKER_CLIENT_ID: 'demo',
        LOCKER_CLIENT_SECRET: 'demo-secret',
        LOCKER_CALLBACK_KEY: 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcw==',
      };
      const commands = commandsOfImage();
      const receiver = await started(stage, commands.receiver ?? [], 'receiver started', {
        ...orchestrator,
        CALLBACK_PORT: '0',
      });
      expect(await isReady(receiver.told.url?.replace(/\/callbacks$/, ''))).toBe(200);
      const worker = await started(stage, commands.worker ?? [], 'worker started', {
        ...orchestrator,
        WORKER_PORT: '0',
      });
      await expect.poll(() => isReady(worker.told.health), { timeout: 180_000 }).toBe(200);
      const env = environment(stage, { ...orchestrator, CALLBACK_URL: 'http://127.0.0.1:9/callbacks' });
      for (const name of ['setup', 'callback-address'])
        await run(process.execPath, [...(commands[name] ?? []).slice(1)], { cwd: inside(stage, '.'), env });
      const flows = ['client/command-line/lockerflow.mjs', 'flows'];
      await consoleIsServed(stage, commands.console ?? [], orchestrator);
      const { stdout } = await run(process.execPath, flows, { cwd: inside(stage, '.'), env });
      expect(stdout).toContain('IssueFromStock');
    });
  },
  PATIENCE_MS,
);

/** The console of the image, with the page that the image has built. */
async function consoleIsServed(stage: Stage, command: readonly string[], orchestrator: NodeJS.ProcessEnv) {
  const home = await temporaryFolder();
  await writeFile(join(home, 'users'), `anna:look:scrypt$4096$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}\n`);
  const { told } = await started(stage, command, 'console started', {
    ...orchestrator,
    LOCKERFLOW_HOME: home,
    CONSOLE_PORT: '0',
    CONSOLE_USERS: join(home, 'users'),
  });
  expect(await isReady(told.address)).toBe(200);
  const page = await (await fetch(`${told.address}/processes`)).text();
  const [script = ''] = /\/assets\/[\w-]+\.js/.exec(page) ?? [];
  expect((await fetch(`${told.address}${script}`)).status).toBe(200);
}

/** The wall program of the image, with credentials that the service's command line of the image made. */
async function wallIsConnected(stage: Stage, address: string | undefined, url: string): Promise<void> {
  const home = await temporaryFolder();
  const create = ['service/main.ts', 'wall', 'create', 'demo', 'pup-central', 'wall-central', '--json'];
  const env = environment(stage, { DATABASE_URL: url });
  const { stdout } = await run(process.execPath, create, { cwd: inside(stage, '.'), env });
  const { clientId, clientSecret } = JSON.parse(stdout);
  const file = join(home, 'walls.yaml');
  // JSON is YAML too.
  await writeFile(file, JSON.stringify({ walls: [{ pupUid: 'pup-central', clientId, clientSecret }] }));
  const wall = await started(stage, commandsOfImage().wall ?? [], 'walls started', {
    LOCKERFLOW_HOME: home,
    WALL_FILE: file,
    WALL_PORT: '0',
    WALL_SERVICE_URL: address,
  });
  await expect.poll(() => isReady(wall.told.address), { timeout: 180_000 }).toBe(200);
  const kiosk = await fetch(`${wall.told.address}/walls/pup-central`);
  expect(await kiosk.text()).toContain('kiosk.mjs');
}

/** No packages for development, and Temporal's native part for one platform. */
async function hasOnlyWhatRuns(stage: Stage): Promise<void> {
  await expect(access(inside(stage, 'node_modules/vitest'))).rejects.toThrow('ENOENT');
  expect(await readdir(inside(stage, 'node_modules/@temporalio/core-bridge/releases'))).toHaveLength(1);
}

/** What the compose file runs in the image, by the name of its service. */
function commandsOfImage(): Record<string, string[]> {
  const services = compose.split(/^ {2}(?=[\w-]+:$)/m).slice(1);
  return Object.fromEntries(
    services.flatMap((text) => {
      const command = /^ {4}command: (\[.*\])$/m.exec(text)?.[1];
      return command ? [[text.split(':')[0], JSON.parse(command) as string[]]] : [];
    }),
  );
}
