// Redraws lines in a terminal. The last drawing stays at the end.
import type { Terminal } from '../../terminal/terminal.ts';

const CLEAR_BELOW = '\u001b[J';
const up = (lines: number) => (lines > 0 ? `\r\u001b[${lines}A` : '\r');

export class LiveDisplay {
  readonly #terminal: Terminal;
  #drawn = 0;
  #before = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Writes only changes. */
  draw(lines: readonly string[]): void {
    const { columns, rows, write } = this.#terminal;
    // A wrapped line or a scrolled page could not be redrawn.
    const shown = lines
      .slice(0, Math.max(1, rows() - 1))
      .map((line) => [...line].slice(0, columns() - 1).join(''));
    const page = shown.join('\n');
    if (page === this.#before) return;
    write(`${up(this.#drawn)}${CLEAR_BELOW}${page}\n`);
    this.#drawn = shown.length;
    this.#before = page;
  }
}
