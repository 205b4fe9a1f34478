// Lines that are drawn over themselves in a terminal. What was drawn last stays when it ends.
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

  /** Nothing is written when nothing has changed. */
  draw(lines: readonly string[]): void {
    const { columns, rows, write } = this.#terminal;
    // A line that wraps or a page that scrolls could not be drawn over.
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
