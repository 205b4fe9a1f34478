// The header row: the seven columns of the interface, each once, in any order and casing, and nothing else.

import {
  type SuggestionColumn,
  suggestionColumns,
} from '../../../contract/operations/account-suggestions.ts';
import { Refusal } from '../../refusal.ts';

import type { SheetRow } from './sheet-row.ts';

/** Where each column stands. */
export type Header = Readonly<Record<SuggestionColumn, number>>;

export function readHeader(row: SheetRow | undefined): Header {
  const names = row?.number === 1 ? headerNames(row) : [];
  const lowered = names.map((name) => name.toLowerCase());
  const problems = [
    ...problem(
      'missing',
      suggestionColumns.filter((column) => !lowered.includes(column.toLowerCase())),
    ),
    ...problem(
      'given more than once',
      names.filter((_, at) => lowered.indexOf(lowered[at] ?? '') < at),
    ),
    ...problem(
      'unknown',
      names.filter((name) => !isColumn(name)),
    ),
  ];
  if (problems.length > 0) throw new Refusal('InvalidHeader', headerMessage(names, problems));
  return Object.fromEntries(
    suggestionColumns.map((column) => [column, lowered.indexOf(column.toLowerCase())]),
  ) as Record<SuggestionColumn, number>;
}

/** Spreadsheet programs write empty cells to the right of the last column that was used at any time. */
function headerNames({ cells }: SheetRow): string[] {
  const names = Array.from(cells, (cell) => cell ?? '');
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

const columnNames = new Set<string>(suggestionColumns.map((column) => column.toLowerCase()));
const isColumn = (name: string): boolean => columnNames.has(name.toLowerCase());

/** The message does not repeat thousands of columns. */
const NAMED = 10;

function problem(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMED).map((name) => (name === '' ? '(no name)' : name.slice(0, 50)));
  return [`${what}: ${shown.join(', ')}${names.length > NAMED ? ' and more' : ''}`];
}

function headerMessage(names: readonly string[], problems: readonly string[]): string {
  const expected = `Row 1 must hold the columns ${suggestionColumns.join(', ')}, each once`;
  const delimiter = names.length === 1 && /[,\t|]/.test(names[0] ?? '') ? ', with ; between them' : '';
  return `${expected}${delimiter} (${problems.join('; ')})`;
}
