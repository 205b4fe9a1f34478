// The program that replays histories (worker/replay.ts), as a process of its own: the command line has no workflows.
// A question is a line of JSON, and so is each answer.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CommandError } from './outcome.ts';

interface ReplayProgram {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: Interface;
  /** The last words of a program that has failed. */
  complaint(): string;
}

// The two files are in the same places in a checkout and in the built package.
const program = new URL(
  `../worker/replay${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

const MAX_OUTPUT = 2_000;

/** Throws CommandError where the package is installed without what a worker needs. */
export function startReplayProgram(
  variables: NodeJS.ProcessEnv,
  options: { readonly signal?: AbortSignal } = {},
): ReplayProgram {
  requireWorkerLibrary('a replay');
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    ...options,
    env: { ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  const add = (text: string) => {
    words = `${words}${text}`.slice(-MAX_OUTPUT);
  };
  // If it has ended, its own words say why.
  child.stdin.on('error', () => undefined);
  child.on('error', ({ message }) => add(message));
  child.stderr.setEncoding('utf8').on('data', add);
  return { process: child, lines: createInterface({ input: child.stdout }), complaint: () => words.trim() };
}

/**
 * Throws CommandError where the package is installed without what a worker needs.
 * @param what needs it, at the beginning of the message
 */
export function requireWorkerLibrary(what: string): void {
  try {
    createRequire(import.meta.url).resolve('@temporalio/worker');
  } catch (cause) {
    throw new CommandError(
      'misconfigured',
      'NoWorkerLibrary',
      `${what} needs the packages of a worker: npm install @temporalio/worker @temporalio/workflow @temporalio/activity`,
      { cause },
    );
  }
}
