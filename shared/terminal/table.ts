// Rows as aligned columns for a terminal. Text from others (a uid, a case number) cannot move the cursor or break a
// row.
import { stripVTControlCharacters } from 'node:util';

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  return lines.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = '  ';

/** One line of text without control characters. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, '?');
}

/** The same for each line of a text. */
export const plainLines = (text: string): string => text.split(/\r?\n/).map(plain).join('\n');
