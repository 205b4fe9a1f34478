// Asks before a command that cannot be undone. Without a person at the terminal, --yes is needed.
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { escapeControlCharactersOfLines } from './escape-control-characters.ts';
import { wrongUse } from './exit-codes.ts';
import { wantsJson } from './report.ts';
import type { Terminal } from './terminal.ts';

export interface ConfirmOptions {
  readonly yes?: true;
}

export const addYesOption = (command: Command): Command =>
  command.option('--yes', 'do not ask for confirmation');

/**
 * Throws CommandFailed if the answer is not yes, or if there is no person to ask.
 * @param question like "cancel 12 flows?"
 * @param instead what one can do beside --yes if there is no person to ask, like ", or --dry-run to list them"
 */
export async function confirm(
  terminal: Terminal,
  command: Command,
  { yes }: ConfirmOptions,
  question: string,
  instead = '',
): Promise<void> {
  if (yes) return;
  if (wantsJson(command) || !terminal.isInteractive || !process.stdin.isTTY)
    throw wrongUse(`nothing was done: nobody can answer "${question}" here. Add --yes to confirm${instead}`);
  if (!(await isConfirmed(question, terminal.interrupted)))
    throw wrongUse('not confirmed; nothing was changed');
}

/** Asks the person at the terminal. An interruption is a no. */
async function isConfirmed(question: string, interrupted?: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines
    .question(
      `${escapeControlCharactersOfLines(question)} [y/N] `,
      interrupted ? { signal: interrupted } : {},
    )
    .catch(() => 'n');
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
