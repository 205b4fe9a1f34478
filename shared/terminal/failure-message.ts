// Any failure as text and an exit code. Never a stack trace: operators cannot use it.

import { CommanderError } from 'commander';
import { CommandFailed, type ExitCode, exitCodes } from './exit-codes.ts';

export interface FailureMessage {
  readonly exitCode: ExitCode;
  /** Null if there is nothing to add, after --help. */
  readonly text: string | null;
}

export const failureOf = (exitCode: ExitCode, message: string): FailureMessage => {
  const [first = '', ...rest] = linesOf(message);
  return { exitCode, text: rest.length === 0 ? first : `${first} ${rest.join('; ')}` };
};

/** A list of what is wrong keeps its lines. */
export const listed = ({ exitCode, message }: { exitCode: ExitCode; message: string }): FailureMessage => ({
  exitCode,
  text: linesOf(message).join('\n  '),
});

const linesOf = (message: string): string[] =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** @param ofProgram the failures of the program's servers; null for an unknown one */
export const failureMessageOf = (
  error: unknown,
  ofProgram: (error: unknown) => FailureMessage | null,
): FailureMessage =>
  commandFailureMessage(error) ??
  ofProgram(error) ??
  failureOf(exitCodes.failed, error instanceof Error ? error.message : String(error));

/** How commands of every program end, --help among them; null for any other failure. */
export function commandFailureMessage(error: unknown): FailureMessage | null {
  if (error instanceof CommanderError) return ofCommander(error);
  if (error instanceof CommandFailed) return listed(error);
  // A wait that Ctrl-C has ended.
  if (error instanceof Error && error.name === 'AbortError')
    return failureOf(exitCodes.interrupted, 'interrupted');
  return null;
}

const helpGiven: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function ofCommander({ code, message }: CommanderError): FailureMessage {
  if (helpGiven.has(code)) return { exitCode: exitCodes.done, text: null };
  // A group of verbs without one of them: commander has shown its help.
  if (code === 'commander.help') return { exitCode: exitCodes.wrongUse, text: null };
  return failureOf(exitCodes.wrongUse, `${message.replace(/^error: /, '').replace(/\.$/, '')}; see --help`);
}
