// Builds a program from the Go module proxy with the Go on this machine, and tells meanwhile that it is still at it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  firstOnPath,
  runToEnd,
  type SourceContext,
  TEMPORAL_RELEASE,
  type TemporalSource,
} from './program.ts';

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
