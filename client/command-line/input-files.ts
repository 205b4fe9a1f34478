// A JSON value in a file that an option names, or in the standard input.
import { readFile } from 'node:fs/promises';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

export async function jsonOf(terminal: Terminal, path: string): Promise<unknown> {
  const name = path === '-' ? 'the standard input' : path;
  const text = await (path === '-' ? terminal.read() : readFile(path, 'utf8')).catch((cause: Error) => {
    throw wrongUse(`${name} cannot be read: ${cause.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongUse(`${name} is not JSON: ${(cause as Error).message}`);
  }
}
