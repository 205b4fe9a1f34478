// The Dockerfile and the compose file, where no Docker engine is at hand: linted, followed step by step in an empty folder,
// and each process that the compose file starts from the image is started from there and found healthy. In the short form
// this tree's packages stand for those that npm installs, and the bundle of the other tests for the image's own.
import { execFile, spawn } from 'node:child_process';
import { access, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readSettings } from '../../service/settings.ts';
import { newKeyLine } from '../../settings/key-ring.ts';
import { productionBundle } from '../support/bundles.ts';
import { withDatabase } from '../support/database.ts';
import { inForm, isLongForm } from '../support/form.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { newTaskQueue } from '../support/temporal.ts';
import { environment, followed, inside, type Stage, type Substitutes } from './dockerfile-steps.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFile(join(root, name), 'utf8');
const dockerfile = await read('Dockerfile');
const compose = await read('docker-compose.yml');
// An installation without the packages for development, and four processes, on two cores that other tests keep busy.
const PATIENCE_MS = 480_000;

test('the Dockerfile passes a linter, and does not run as root', () => {
  const all = ValidationSeverity.ERROR;
  const found = validate(dockerfile, {
    deprecatedMaintainer: all,
    directiveCasing: all,
    emptyContinuationLine: all,
    instructionCasing: all,
    instructionCmdMultiple: all,
    instructionEntrypointMultiple: all,
    instructionHealthcheckMultiple: all,
    instructionJSONInSingleQuotes: all,
    instructionWorkdirRelative: all,
  });
  expect(found.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  const [, last = ''] = dockerfile.split(/^FROM (?!.* AS )/m);
  expect(/^USER (.*)$/m.exec(last)?.[1]).toBe('node');
});

interface Running {
  /** What it tells of itself once it has started. */
  readonly told: Record<string, string>;
}

/** Until its log has this message. */
function started(stage: Stage, [, ...args]: readonly string[], message: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, {
    cwd: inside(stage, '.'),
    env: environment(stage, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let words = '';
  child.stderr.on('data', (chunk) => (words += chunk));
  return new Promise<Running>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = JSON.parse(line);
      if (told.msg === message) resolve({ told });
    });
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${words}`)));
  });
}

const substitutes: Substitutes = {
  'npm ci': (stage) => symlink(join(root, 'node_modules'), inside(stage, 'node_modules')),
  'node worker/build.ts': async (stage) => {
    // A folder that the bundler needs and that is not copied is missed here too.
    const words = ['--input-type=module', '-e', "await import('./workflows/index.ts')"];
    await run(process.execPath, words, { cwd: inside(stage, '.') });
    await mkdir(inside(stage, 'dist'));
    await copyFile(await productionBundle(), inside(stage, 'dist/workflow-bundle.js'));
  },
};

const isReady = async (address: string | undefined) => (await fetch(`${address}/health/ready`)).status;

test(
  'followed in an empty folder, every process of the image runs and is healthy',
  async () => {
    const stage = await followed(
      dockerfile,
      await temporaryFolder(),
      inForm({ short: substitutes, long: {} }),
    );
    const kept = await readdir(inside(stage, '.'));
    expect(kept).not.toContain('test');
    if (isLongForm) await hasOnlyWhatRuns(stage);

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
      await expect.poll(() => isReady(worker.told.health), { timeout: 60_000 }).toBe(200);
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
  await writeFile(join(home, 'users'), 'anna:look:\n');
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
  await expect.poll(() => isReady(wall.told.address), { timeout: 60_000 }).toBe(200);
  const kiosk = await fetch(`${wall.told.address}/walls/pup-central`);
  expect(await kiosk.text()).toContain('kiosk.mjs');
}

/** No packages for development, and Temporal's native part for one platform. */
async function hasOnlyWhatRuns(stage: Stage): Promise<void> {
  await expect(access(inside(stage, 'node_modules/vitest'))).rejects.toThrow('ENOENT');
  expect(await readdir(inside(stage, 'node_modules/@temporalio/core-bridge/releases'))).toHaveLength(1);
}

describe('the service of the compose file', () => {
  const required = { POSTGRES_PASSWORD: 'secret' };
  const settings = (env: Readonly<Record<string, string>>) =>
    readSettings(environmentOf('service', { ...required, ...env }));

  test('has the production value of every setting, unless .env has another', () => {
    const { host, url, callbacks, ...others } = settings({});
    const inProduction = readSettings({ DATABASE_URL: others.databaseUrl });
    expect({ ...others, callbacks: { ...callbacks, privateHosts: [] } }).toEqual({
      ...inProduction,
      host: undefined,
      url: undefined,
    });
    expect(inProduction.mode).toBe('production');
    expect(host).toBe('0.0.0.0');
    // The one exception is named by its host, and is the receiver of this file.
    expect(callbacks.privateHosts).toEqual([new URL(callbackUrl()).host]);
  });

  test('is in staging mode only where .env says so', () => {
    expect(settings({ SERVICE_MODE: 'staging' })).toMatchObject({
      mode: 'staging',
      callbacks: { privateHosts: 'any' },
    });
  });

  test('gets the trusted proxies and the hosts for callbacks from .env', () => {
    const told = settings({
      SERVICE_TRUSTED_PROXIES: '10.0.0.0/8',
      SERVICE_CALLBACK_PRIVATE_HOSTS: 'erp.internal:443',
    });
    expect(told.trustedProxies).toEqual(['10.0.0.0/8']);
    expect(told.callbacks.privateHosts).toEqual(['erp.internal:443']);
  });

  test('publishes each port on loopback alone', () => {
    const ports = [...compose.matchAll(/^ +- "([^"]*:\d+)"$/gm)].map(([, port = '']) => port);
    expect(ports.length).toBeGreaterThan(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

test('no credentials of the demo stand in the compose files or in .env.example', async () => {
  const example = await read('.env.example');
  for (const text of [compose, await read('docker-compose.secrets.yml')])
    expect(text).not.toMatch(/demo-secret/);
  const values = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  expect(Object.fromEntries(values)).toMatchObject({ SERVICE_MODE: 'production', LOCKER_CLIENT_SECRET: '' });
});

/** What a service of the compose file has in its environment, with these variables in .env. */
function environmentOf(service: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const [, block = ''] = compose.split(new RegExp(`^ {2}${service}:$`, 'm'));
  const [, lines = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(block) ?? [];
  const set = [...lines.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)];
  return Object.fromEntries(set.map(([, name = '', value = '']) => [name, interpolated(value, env)]));
}

/** As Compose does it: ${NAME:-default} and ${NAME:?message}. */
const interpolated = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])(.*?))?\}/g, (_match, name: string, kind?: string, rest = '') => {
    const value = env[name];
    if (!value && kind === '?') throw new Error(`${name}: ${rest}`);
    return value || (kind === '-' ? rest : '');
  });

const callbackUrl = (): string => environmentOf('callback-address', {}).CALLBACK_URL ?? '';

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

test('docker compose takes the compose files', async ({ skip }) => {
  const program = await composeProgram();
  if (!program) return skip('neither docker compose nor docker-compose is installed');
  const [name = '', ...first] = program;
  const folder = join(import.meta.dirname, '../..');
  const env = { ...process.env, POSTGRES_PASSWORD: 'secret', LOCKER_CALLBACK_KEY: 'key' };
  for (const files of [['docker-compose.yml'], ['docker-compose.yml', 'docker-compose.secrets.yml']]) {
    const flags = files.flatMap((file) => ['-f', file]);
    const { stdout } = await run(name, [...first, ...flags, 'config'], { cwd: folder, env });
    expect(stdout).toContain('service_completed_successfully');
  }
  const missing = run(name, [...first, '-f', 'docker-compose.yml', 'config'], {
    cwd: folder,
    env: { ...process.env, POSTGRES_PASSWORD: '' },
  });
  await expect(missing).rejects.toThrow('.env.example');
});

async function composeProgram(): Promise<string[] | undefined> {
  for (const program of [['docker', 'compose'], ['docker-compose']]) {
    const [name = '', ...first] = program;
    const found = await run(name, [...first, 'version']).then(
      () => true,
      () => false, // Not installed is the answer.
    );
    if (found) return program;
  }
  return undefined;
}
