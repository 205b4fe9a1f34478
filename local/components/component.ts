// What a component of a local installation is.

import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { write } from '../../shared/terminal/terminal.ts';
import type { Running } from '../child-process.ts';

/** One event in one line, with its component and its level. */
export type Say = (component: string, words: string, level?: 'info' | 'warn' | 'error') => void;

export type Component = {
  readonly name: string;
  /** Every port that it will listen on, by the environment variable that sets it. */
  readonly ports: Readonly<Record<string, number>>;
  /** The file with all that it says. */
  readonly logFile?: string;
  /** `say` gets the output that a person should see while it runs. Called again after it has ended by itself. */
  start(say: Say): Promise<RunningComponent>;
};

export interface RunningComponent extends Running {
  /** Facts for a person, addresses first: printed on one line after its name. */
  readonly line: string;
}

/** A component cannot start until a person has done something, for which the components before it must be up. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson';
}

/** As the programs of this folder tell it: one line on the terminal. */
export const say: Say = (component, words, level = 'info') =>
  write(`${escapeControlCharacters(`${level.padEnd(5)} ${component}: ${words}`)}\n`);
