// The environment of a command: variables, input and output, and interruption by signals. The only place that writes to a terminal.

import { text } from 'node:stream/consumers';
import { escapeControlCharactersOfLines } from './escape-control-characters.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

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

export const write = (text: string): void => writeTo(process.stdout, text);

export const writeError = (text: string): void => writeTo(process.stderr, text);

function writeTo(stream: NodeJS.WriteStream, text: string): void {
  if (!stream.listeners('error').includes(ignoreLostReader)) stream.on('error', ignoreLostReader);
  stream.write(escapeControlCharactersOfLines(text));
}

// Nobody reads the output any more (`| head`, or a closed terminal: EIO); that alone ends no server.
function ignoreLostReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}

/** @param name of the program, at the start of its error messages */
export function processTerminal(name: string): Terminal {
  const { stdin, stdout, env } = process;
  let interrupted: AbortSignal | undefined;
  // The reader has closed the pipe (`| head`): no more output is needed.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  return {
    variables: env,
    isInteractive: stdout.isTTY === true && env.TERM !== 'dumb',
    write,
    complain: (line) => writeError(`${name}: ${line}\n`),
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

/** As it is typed in a shell. */
export const shellWord = (text: string): string =>
  /^[\w.:@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
