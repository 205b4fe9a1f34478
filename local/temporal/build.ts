// Obtains Temporal by building its command-line program from source with the Go on this machine. A cold build
// downloads some 300 modules and takes about 3 min on two cores.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GO_VERSION, goThatFetchesNewer } from './go-toolchain.ts';
import type { TemporalSource } from './program.ts';
import { firstOnPath, TEMPORAL_RELEASE } from './program.ts';

const COMMAND = 'github.com/temporalio/cli/cmd/temporal';
/** How often it reports that it is still building, in ms: silence for minutes looks like a hang. */
const SAY_EVERY_MS = 30_000;
/** A build that takes longer, in ms, hangs: on a busy machine one took 13 min. */
const BUILD_WITHIN_MS = 60 * 60_000;
/** Characters of a failed Go's output: the reason is at the end. */
const TAIL_LENGTH = 2_000;

export const buildTemporal: TemporalSource = {
  name: 'a build with Go',
  async obtain(folder, { env, say }) {
    const go = await firstOnPath('go', env);
    if (go === undefined) throw new Error('there is no `go` on PATH');
    say(`building Temporal ${TEMPORAL_RELEASE} with Go, about 3 min, once for all clones`);
    const started = Date.now();
    const saying = setInterval(() => {
      say(`still building Temporal, ${Math.round((Date.now() - started) / 1000)} s so far`);
    }, SAY_EVERY_MS);
    try {
      const deadline = AbortSignal.timeout(BUILD_WITHIN_MS);
      const runGo = (...args: string[]) =>
        run(go, args, { cwd: folder, env: goEnvironment(env), signal: deadline });
      const newer = await goThatFetchesNewer(go, runGo, say);
      return await build(folder, (cwd, ...args) =>
        run(newer, args, { cwd, env: goEnvironment(env), signal: deadline }),
      );
    } finally {
      clearInterval(saying);
    }
  },
};

async function build(
  folder: string,
  runGo: (cwd: string, ...args: string[]) => Promise<string>,
): Promise<string> {
  const module = join(folder, 'module');
  await mkdir(module);
  // Not `go mod init`: that would name the Go at hand, and `go get` would refuse what needs a newer one.
  await writeFile(join(module, 'go.mod'), `module lockerflow/temporal\n\ngo ${GO_VERSION}\n`);
  // As a tool of an empty module: `go install` refuses a module with replace directives.
  await runGo(module, 'get', '-tool', `${COMMAND}@${TEMPORAL_RELEASE}`);
  const program = join(folder, 'temporal');
  const version = `-X github.com/temporalio/cli/temporalcli.Version=${TEMPORAL_RELEASE.slice(1)}`;
  await runGo(module, 'build', '-trimpath', '-ldflags', `-s -w ${version}`, '-o', program, COMMAND);
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

async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY }))
      .stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = said.slice(-TAIL_LENGTH) || (error instanceof Error ? error.message : String(error));
    throw new Error(`go ${args[0]} failed: ${reason}`, { cause: error });
  }
}
