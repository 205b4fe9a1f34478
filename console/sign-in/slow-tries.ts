// Wrong passwords for one name make the next try wait: some thousand tries a day at most, and nobody is locked out.
import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../limits/bounded-map.ts';

const FREE_TRIES = 5;
const WAIT_MS = 2_000;
const MOST_NAMES = 10_000;
// Tries that wait at once, for all names: beyond it they are refused by the server's own limits.
export class SlowTries {
  readonly #wrong = new BoundedMap<string, number>(MOST_NAMES);

  async wait(name: string): Promise<void> {
    if ((this.#wrong.get(name) ?? 0) >= FREE_TRIES) await pause(WAIT_MS);
  }

  note(name: string, isRight: boolean): void {
    this.#wrong.set(name, isRight ? 0 : (this.#wrong.get(name) ?? 0) + 1);
  }
}
