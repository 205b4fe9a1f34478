// The service's command line within the test's process: what it writes, and how it ends.

import { runCommandLine } from '../../service/command-line.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { nowhere } from './nowhere.ts';

export interface EndedCommand {
  readonly exitCode: number;
  readonly written: string;
  readonly complaint: string;
}

type Variables = Terminal['variables'];

/** No person is there to be asked. */
export async function serviceCommand(words: readonly string[], variables: Variables): Promise<EndedCommand> {
  let written = '';
  let complaint = '';
  const terminal: Terminal = {
    ...nowhere,
    variables,
    write: (text) => {
      written += text;
    },
    complain: (line) => {
      complaint += line;
    },
  };
  const exitCode = await runCommandLine(words, terminal);
  return { exitCode, written, complaint };
}

/** What a command writes; throws what it complains of. */
export async function writtenByService(words: readonly string[], variables: Variables): Promise<string> {
  const { exitCode, written, complaint } = await serviceCommand(words, variables);
  if (exitCode !== 0) throw new Error(complaint);
  return written;
}
