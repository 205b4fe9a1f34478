// Where a command runs: what it is set by, where its words go, and how it is interrupted.
import { text } from 'node:stream/consumers';

export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches what is written. */
  readonly isInteractive: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
  /** All of the standard input. */
  readonly read: () => Promise<string>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort());
  // Whoever reads has enough (`| head`): what is still to be said is of no use to anybody.
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
    complain: (line) => void stderr.write(`lockerflow: ${line}\n`),
    read: () => text(stdin),
    interrupted: interruption.signal,
  };
}
