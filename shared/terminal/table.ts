// Rows as aligned columns for a terminal. Text from others (a uid, a case number) cannot move the cursor or break a
// row.

import { escapeControlCharacters } from './escape-control-characters.ts';

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [headings, ...rows].map((row) => row.map(escapeControlCharacters));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  return lines.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = '  ';
