// The exit codes of the service's command line, with the numbers that `lockerflow` has, and which failure has which.
import { CommanderError } from 'commander';

const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const;

export const EXIT_CODES = `
Exit codes:
    0  done
    1  it was refused or failed, and nothing was changed
    2  wrong use: an argument or an option is wrong, and nothing was done`;

export const wrongUse = (message: string): CommanderError =>
  new CommanderError(exitCodes.wrongUse, 'lockerflow.wrongUse', message);

export interface CommandFailure {
  readonly exitCode: number;
  /** Null where nothing has to be added: the help was shown. */
  readonly words: string | null;
}

export function commandFailure(error: unknown): CommandFailure {
  if (!(error instanceof CommanderError))
    return { exitCode: exitCodes.failed, words: error instanceof Error ? error.message : String(error) };
  // Help and version are thrown too.
  if (error.exitCode === 0) return { exitCode: exitCodes.done, words: null };
  // A group of commands without one of them: commander has shown its help.
  if (error.code === 'commander.help') return { exitCode: exitCodes.wrongUse, words: null };
  const message = error.message.replace(/^error: /, '').replace(/\.$/, '');
  return { exitCode: exitCodes.wrongUse, words: `${message}; see --help` };
}
