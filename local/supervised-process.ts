// Runs a program that must not outlive this process, even when this one is killed: see supervisor.ts.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The end of what the program said, in characters: enough for the reason of a failed start. */
const TAIL_LENGTH = 4_000;
/** The supervisor kills the program 10 s after it was asked to stop; later than this, in ms, both are killed. */
const KILL_AFTER_MS = 15_000;

export type SupervisedProcess = {
  /** Resolves, with what it said last, when the program has ended for whatever reason. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the program, gently first, and resolves when it is gone. */
  stop(): Promise<void>;
};

export function startSupervised(
  program: string,
  args: readonly string[],
  { env = process.env, log }: { env?: NodeJS.ProcessEnv; log?: NodeJS.WritableStream } = {},
): SupervisedProcess {
  const supervisor = fileURLToPath(new URL('./supervisor.ts', import.meta.url));
  // Detached, in a process group of its own: a Ctrl-C in the terminal reaches this process alone, which knows the
  // order in which to stop things; and the group can be killed as one.
  const child = spawn(process.execPath, [supervisor, program, ...args], {
    env,
    detached: true,
    stdio: 'pipe',
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      tail = `${tail}${chunk}`.slice(-TAIL_LENGTH);
      log?.write(chunk);
    });
  }
  child.stdin.on('error', () => {
    // Closing it fails only when the supervisor has gone, which `ended` tells.
  });

  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', () => killGroup(child.pid));
    child.on('close', () => resolve(tail.trim()));
  });
  return {
    ended,
    async stop() {
      child.stdin.end();
      const kill = setTimeout(() => killGroup(child.pid), KILL_AFTER_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}

/** Whatever is left of the supervisor's process group: it may have been killed before its program. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
