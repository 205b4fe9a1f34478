// The output of a command: text for a person, or JSON for a program (--json): one value, or one on each line.

import type { Command } from 'commander';
import { escapeControlCharacters } from './escape-control-characters.ts';
import type { Terminal } from './terminal.ts';

export interface Report {
  /** A line, or several: what others have written breaks none of them into two. */
  readonly text: string | readonly string[];
  readonly data: unknown;
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: true }>().json === true;
}

export function report({ write }: Terminal, command: Command, { text, data }: Report): void {
  const lines = () => [text].flat().map(escapeControlCharacters).join('\n');
  write(`${wantsJson(command) ? JSON.stringify(data) : lines()}\n`);
}
