// Where the Temporal program is on this machine: TEMPORAL_CLI_PATH, then PATH, then the user's cache folder.
// Only looks; obtain.ts fetches or builds what is not there.
import { execFile } from 'node:child_process';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';

/** The release that is downloaded or built with Go: the newest one whose command builds from the module proxy. */
export const TEMPORAL_RELEASE = 'v1.5.1';

/** Older servers lack what flows use (current details, update with start, KeywordList on SQLite). */
const OLDEST_SERVER = [1, 29] as const;

/** Characters of a failed program's output: the reason is at the end. */
const TAIL_LENGTH = 2_000;

/** A program that answers `--version` later than this, in ms, hangs; the real one takes some 20 ms. */
const VERSION_TIMEOUT_MS = 10_000;

/** A way to get the program into `folder`. Rejects with the reason when it does not work on this machine. */
export type TemporalSource = {
  readonly name: string;
  obtain(folder: string, context: SourceContext): Promise<string>;
};

export type SourceContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  say(line: string): void;
  /** Aborted when a person no longer wants it. */
  readonly asked?: AbortSignal;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The program to run, or a rejection that says how to get one. */
export async function temporalProgram(env: Environment = process.env): Promise<string> {
  const found = await findTemporalProgram({ env });
  if (found !== undefined) return found;
  throw new Error(
    'Temporal is not on this machine yet. `npm run setup` obtains it; or name a `temporal` program in TEMPORAL_CLI_PATH',
  );
}

export async function findTemporalProgram({
  env = process.env,
  say,
}: {
  env?: Environment;
  say?: (line: string) => void;
}): Promise<string | undefined> {
  const named = env.TEMPORAL_CLI_PATH;
  if (named) {
    const problem = await problemOf(named);
    if (problem !== undefined) throw new Error(`TEMPORAL_CLI_PATH is ${named}: ${problem}`);
    return named;
  }
  const onPath = await firstOnPath('temporal', env);
  if (onPath !== undefined) {
    const problem = await problemOf(onPath);
    if (problem === undefined) return onPath;
    say?.(`${onPath} is not used: ${problem}`);
  }
  const cached = cachedTemporalProgram(env);
  return (await isExecutable(cached)) ? cached : undefined;
}

/** The one place in the cache, shared by every clone of this user. What is there was checked before it got there. */
export function cachedTemporalProgram(env: Environment = process.env): string {
  const name = `temporal-cli-${process.platform}-${process.arch}`;
  return join(cacheFolder(env), process.platform === 'win32' ? `${name}.exe` : name);
}

/** Why a program cannot be used as Temporal here, or undefined when it can. */
export async function problemOf(program: string): Promise<string | undefined> {
  let answer: string;
  try {
    answer = (await promisify(execFile)(program, ['--version'], { timeout: VERSION_TIMEOUT_MS })).stdout;
  } catch (error) {
    return `\`${program} --version\` fails (${error instanceof Error ? error.message.split('\n')[0] : error})`;
  }
  const server = /\(Server (\d+)\.(\d+)/.exec(answer);
  if (server === null)
    return `its --version says ${JSON.stringify(answer.trim())}, expected a Temporal CLI with a server`;
  const [major, minor] = [Number(server[1]), Number(server[2])];
  const recent = major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]);
  return recent ? undefined : `its server is ${major}.${minor}, expected ${OLDEST_SERVER.join('.')} or newer`;
}

export async function firstOnPath(
  program: string,
  env: Environment = process.env,
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Puts the program that `obtain` leaves in its folder at `cached`, whole or not at all. Called with the lock of `cached` held, so
 * what a killed set-up has left there is nobody's.
 */
export async function putInCache(
  cached: string,
  obtain: (folder: string) => Promise<string>,
  check: (program: string) => Promise<void> = async () => undefined,
): Promise<void> {
  await mkdir(dirname(cached), { recursive: true });
  for (const name of await readdir(dirname(cached)))
    if (name.startsWith(`${basename(cached)}.new-`))
      await rm(join(dirname(cached), name), { recursive: true, force: true });
  // In the cache folder itself: a rename is atomic only within one file system.
  const folder = await mkdtemp(`${cached}.new-`);
  try {
    const program = await obtain(folder);
    await chmod(program, 0o755);
    await check(program);
    await rename(program, cached);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function runToEnd(
  [program = '', ...args]: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY }))
      .stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = said.slice(-TAIL_LENGTH) || (error instanceof Error ? error.message : String(error));
    throw new Error(`${basename(program)} ${args[0]} failed: ${reason}`, { cause: error });
  }
}
