// The Dockerfile, where no Docker engine is at hand: followed step by step in an empty folder, and each process that the
// compose file starts from the image is started from there and found healthy.

import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Copy, DockerfileParser, type From } from 'dockerfile-ast';
import { expect, inject, test } from 'vitest';
import { startChild } from '../../../local/child-process.ts';
import { newKeyLine } from '../../../shared/settings/key-ring.ts';
import { demoSettings } from '../../support/caller.ts';
import { withDatabase } from '../../support/database.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { newTaskQueue } from '../../support/temporal.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
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
        ...demoSettings(`${address}`),
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
      const flows = ['cli/lockerflow.mjs', 'flows'];
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

// Does what a Dockerfile says, in a folder instead of a container: its own stages, files, commands and settings, with nothing
// else of this tree. What it cannot show is the base image, and the user that it runs as.

interface Stage {
  /** What is / in the container. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
}

/** The last stage, as it is once every step was done. */
async function followed(dockerfile: string, folder: string): Promise<Stage> {
  const allowed = await allowedByIgnoreFile();
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const content = instruction.getArgumentsContent() ?? '';
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const name = (instruction as From).getBuildStage() ?? 'final';
      stage = { root: join(folder, name), workdir: '/', env: {}, user: undefined, command: [] };
    } else if (!stage) throw new Error(`${keyword} stands before any FROM`);
    else if (keyword === 'WORKDIR') stage = { ...stage, workdir: content };
    else if (keyword === 'ENV') stage = { ...stage, env: { ...stage.env, ...settingsIn(words) } };
    else if (keyword === 'USER') stage = { ...stage, user: content };
    else if (keyword === 'CMD') stage = { ...stage, command: JSON.parse(content) };
    else if (keyword === 'RUN') await done(stage, content, folder);
    else if (keyword === 'COPY') await copied(stage, instruction as Copy, words, { stages, allowed });
    else throw new Error(`${keyword} is not known here`);
    await mkdir(inside(stage, '.'), { recursive: true });
    stages.set(basename(stage.root), stage);
  }
  if (!stage) throw new Error('the Dockerfile has no stage');
  return stage;
}

/** Where a path of the container is. */
function inside({ root, workdir }: Stage, path: string): string {
  return path.startsWith('/') ? join(root, path) : join(root, workdir, path);
}

/** The environment of a process in the container; paths of the container are where they are here. */
function environment(stage: Stage, variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(stage.env).map(([name, value]) => [
    name,
    value.startsWith(`${stage.workdir}/`) ? inside(stage, value) : value,
  ]);
  const PATH = [
    dirname(process.execPath),
    ...(process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules')),
  ].join(delimiter);
  return { PATH, HOME: stage.root, ...Object.fromEntries(own), ...variables };
}

const settingsIn = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]));

async function done(stage: Stage, command: string, folder: string): Promise<void> {
  // What was fetched before is not fetched again; it is checked against the lock file all the same.
  const cache = process.env.npm_config_cache ?? join(process.env.HOME ?? folder, '.npm');
  const quiet = { npm_config_cache: cache, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  const child = startChild('sh', ['-c', command], {
    cwd: inside(stage, '.'),
    env: environment(stage, quiet),
  });
  const [code, said] = await Promise.all([child.exitCode, child.ended]);
  if (code !== 0) throw new Error(`RUN ${command} failed with ${code}: ${said}`);
}

interface CopySources {
  readonly stages: ReadonlyMap<string, Stage>;
  readonly allowed: readonly string[];
}

async function copied(
  stage: Stage,
  copy: Copy,
  words: readonly string[],
  { stages, allowed }: CopySources,
): Promise<void> {
  const from = copy.getFromFlag()?.getValue() ?? undefined;
  const target = words.at(-1) ?? '.';
  for (const source of words.slice(0, -1)) {
    const origin = from === undefined ? undefined : stages.get(from);
    if (from !== undefined && !origin) throw new Error(`COPY --from=${from}: there is no such stage`);
    if (!origin && !allowed.some((path) => source === path || source.startsWith(`${path}/`)))
      throw new Error(`COPY ${source}: .dockerignore keeps it out`);
    const path = origin ? inside(origin, source) : join(root, source);
    const isInto = target.endsWith('/') && !origin;
    await cp(path, join(inside(stage, target), isInto ? basename(source) : ''), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/** Ours keeps out everything but what it names. */
async function allowedByIgnoreFile(): Promise<string[]> {
  const lines = (await readFile(join(root, '.dockerignore'), 'utf8')).trim().split('\n');
  if (lines[0] !== '*' || lines.slice(1).some((line) => !line.startsWith('!')))
    throw new Error('.dockerignore is read here as: everything (*) but what follows (!path)');
  return lines.slice(1).map((line) => line.slice(1));
}
