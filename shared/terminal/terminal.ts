// The environment of a command: variables, input and output, and interruption by signals.

import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { plain, plainLines } from './plain.ts';

export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads the output. */
  readonly isInteractive: boolean;
  readonly write: (text: string) => void;
  readonly complain: (line: string) => void;
  /** All of the standard input. */
  readonly read: () => Promise<string>;
  /**
   * Aborted by the first Ctrl-C or SIGTERM; a later one exits at once. Until this property is first read, the first signal
   * exits.
   */
  readonly interrupted: AbortSignal;
}

// One Ctrl-C may arrive twice, from the terminal and from npx: the second must not abort the graceful shutdown. A later one
// is from a person who does not want to wait.
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
    write: (output) => void stdout.write(plainLines(output)),
    complain: (line) => void stderr.write(`${name}: ${plainLines(line)}\n`),
    read: () => text(stdin),
    // Lazy: servers handle signals themselves and never read it.
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

/** Flushes the output, then exits: calls in progress would otherwise be retried. */
export function endProcess(exitCode: ExitCode): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

// Rows as aligned columns for a terminal. Text from others (a uid, a case number) cannot move the cursor or break a
// row.

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  return lines.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = '  ';

/** As it is typed in a shell. */
export const shellWord = (text: string): string =>
  /^[\w.:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

// The output of a command: text for a person, or JSON for a program (--json): one value, or one on each line.

export interface Report {
  readonly words: string;
  readonly data: unknown;
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

export function report({ write }: Terminal, command: Command, { words, data }: Report): void {
  write(`${wantsJson(command) ? JSON.stringify(data) : words}\n`);
}
