// The log of a program: one JSON line for each event, on its standard output.

import { type Logger, pino } from 'pino';
import { escapeControlCharactersOfLines } from './escape-control-characters.ts';

/** Nobody may read it any more: then nothing is written, and nothing says so. */
const WRITTEN_WITHIN_MS = 1_000;

interface ProgramLog {
  readonly log: Logger;
  /**
   * Before the program exits: what waits is written at an exit at once, and would overtake a line that is being written. Nothing is
   * logged after it.
   */
  written(): Promise<void>;
}

/** @param more what each line has beside its own */
export function programLog(part: string, level: string, more?: () => object): ProgramLog {
  const output = pino.destination(1);
  return {
    log: pino(
      {
        base: { part },
        level,
        ...(more && { mixin: () => more() }),
        hooks: { streamWrite: escapeControlCharactersOfLines },
      },
      output,
    ),
    written: () =>
      new Promise((resolve) => {
        output.once('close', resolve);
        setTimeout(resolve, WRITTEN_WITHIN_MS);
        output.end();
      }),
  };
}
