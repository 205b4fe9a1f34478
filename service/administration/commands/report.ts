// What a command tells: words for a person, or one JSON object for a program with --json.
import type { Command } from 'commander';

/** Where a command runs: what it is set by and where its words go. */
export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
}

export interface Report {
  readonly words: string;
  readonly data: object;
}

export function report({ write }: Terminal, command: Command, { words, data }: Report): void {
  const { json } = command.optsWithGlobals<{ json?: true }>();
  write(`${json ? JSON.stringify(data) : words}\n`);
}
