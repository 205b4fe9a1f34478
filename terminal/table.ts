// Rows as aligned columns for a terminal. Text from others (a uid, a case number) cannot move the cursor or break a
// row.
import { stripVTControlCharacters } from 'node:util';

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [headings, ...rows].map((row) => row.map(plain));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  return lines.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** One line of text without control characters. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, '?');
}
