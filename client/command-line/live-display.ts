// Redraws lines in a terminal. The last drawing stays at the end.
import { wrapped } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

const CLEAR_BELOW = '\u001b[J';
const up = (lines: number) => (lines > 0 ? `\r\u001b[${lines}A` : '\r');

/** In fewer columns nothing can be read. */
const NARROWEST = 20;

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
    // A line that the terminal wraps, or a page that it scrolls, could not be redrawn.
    const shown = lines
      .flatMap((line) => wrapped(line, Math.max(NARROWEST, columns() - 1)))
      .slice(0, Math.max(1, rows() - 1));
    const page = shown.join('\n');
    if (page === this.#before) return;
    write(`${up(this.#drawn)}${CLEAR_BELOW}${page}\n`);
    this.#drawn = shown.length;
    this.#before = page;
  }
}
