// Rows as aligned columns for a terminal. Text from others (a uid, a case number) cannot move the cursor or break a
// row.
import { stripVTControlCharacters } from 'node:util';

export interface Room {
  /** Characters. */
  readonly width: number;
  /** Headings of the columns that are left out, these first, when the rows are wider. */
  readonly dispensable: readonly string[];
}

export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  room: Room = { width: Number.POSITIVE_INFINITY, dispensable: [] },
): string[] {
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  const shown = columnsFor(headings, widths, room);
  return lines.map((row) =>
    shown
      .map((column) => (row[column] ?? '').padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = '  ';

function columnsFor(headings: readonly string[], widths: readonly number[], room: Room): number[] {
  let shown = headings.map((_, column) => column);
  const width = () => shown.reduce((sum, column) => sum + (widths[column] ?? 0) + GAP.length, -GAP.length);
  for (const heading of room.dispensable)
    if (width() > room.width) shown = shown.filter((column) => headings[column] !== heading);
  return shown;
}

/** One line of text without control characters. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, '?');
}

/** The same for each line of a text. */
export const plainLines = (text: string): string => text.split(/\r?\n/).map(plain).join('\n');

const INDENT = '    ';

/** A line that is longer than the room goes on in the next one, at a blank; a word that is longer is cut. */
export function wrapped(line: string, width: number): string[] {
  const letters = [...line];
  if (letters.length <= width) return [line];
  const blank = letters.lastIndexOf(' ', width);
  const end = blank > INDENT.length ? blank : width;
  const rest = letters.slice(end).join('').trimStart();
  return [letters.slice(0, end).join('').trimEnd(), ...wrapped(`${INDENT}${rest}`, width)];
}
