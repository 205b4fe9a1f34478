// The output of a command: text for a person, or JSON for a program (--json): one value, or one on each line.

import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

export interface Report {
  readonly text: string;
  readonly data: unknown;
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

export function report({ write }: Terminal, command: Command, { text, data }: Report): void {
  write(`${wantsJson(command) ? JSON.stringify(data) : text}\n`);
}
