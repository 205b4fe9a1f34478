// A wall's memory on disk, for its next start. A file is replaced as a whole: after a kill at any moment it holds the state
// before a change or the state after it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatIssues, plainMessages } from '../../../contract/wire/format-issue.ts';
import { type WallState, wallState } from './wall-state.ts';

const OWNER_ONLY = 0o600;
// The rest of a long list tells a person nothing more.
const MAX_NAMED = 5;

export class WallFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }

  /** Undefined for a wall that has none yet. */
  read(): WallState | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#wrong('it is not JSON');
    }
    const { data, error } = wallState.safeParse(value, plainMessages);
    if (data) return data;
    throw this.#wrong(formatIssues(error, 'the file').slice(0, MAX_NAMED).join('; '));
  }

  #wrong(what: string): Error {
    return new Error(
      `${this.#path} is not the memory of a wall: ${what}. Move it away; the wall then starts as a new one`,
    );
  }

  /** Before anybody hears of the change. */
  write(state: WallState): void {
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(state), { mode: OWNER_ONLY });
    renameSync(next, this.#path);
  }
}
