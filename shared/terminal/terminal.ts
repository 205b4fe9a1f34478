// The environment of a command: its variables, its output, and its interruption.
import { text } from 'node:stream/consumers';
import { type ExitCode, exitCodes } from './exit-codes.ts';

export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads the output. */
  readonly isInteractive: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
  /** All of the standard input. */
  readonly read: () => Promise<string>;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; a later one ends the process at once. Before this property is first
   * read, any signal does.
   */
  readonly interrupted: AbortSignal;
}

// One Ctrl-C arrives from the terminal and again from npx: the second must not cut the work that the first lets finish.
// A later one comes from a person who does not want to wait.
const SAME_CTRL_C_MS = 1_000;

/** @param name of the program, at the start of its error messages */
export function processTerminal(name: string): Terminal {
  const { stdin, stdout, stderr, env } = process;
  let interrupted: AbortSignal | undefined;
  // The reader has closed the pipe (`| head`): no more output is needed.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    variables: env,
    isInteractive: stdout.isTTY === true && env.TERM !== 'dumb',
    columns: () => stdout.columns ?? 80,
    rows: () => stdout.rows ?? 24,
    write: (words) => void stdout.write(words),
    complain: (line) => void stderr.write(`${name}: ${line}\n`),
    read: () => text(stdin),
    // A verb that serves until it is stopped stops in its own way, and never reads this.
    get interrupted() {
      interrupted ??= interruptedBySignals();
      return interrupted;
    },
  };
}

function interruptedBySignals(): AbortSignal {
  const interruption = new AbortController();
  let interruptedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      interruptedAt ??= performance.now();
      interruption.abort();
      if (performance.now() - interruptedAt > SAME_CTRL_C_MS) process.exit(exitCodes.interrupted);
    });
  return interruption.signal;
}

/** What has been said is out first; then nothing keeps the process: a call that was interrupted would be tried again. */
export function endProcess(exitCode: ExitCode): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}
