// From an uploaded file to its suggestions: kind, rows, header, rules. Pure, but slow: it runs in a separate process.

import { CsvError, parse } from 'csv-parse/sync';
import {
  type SuggestionColumn,
  suggestionColumns,
} from '../../../contract/operations/account-suggestions.ts';
import { ApiError } from '../../api-error.ts';
import type { UploadLimits } from '../../upload-limits.ts';
import { fileKindOf, overLimit, requireCsvText, type SheetRow } from './file-kind.ts';
import { type PickUpPointName, PickUpPoints, readSuggestion, type Suggestion } from './suggestion.ts';

export interface FileToRead {
  readonly content: Uint8Array;
  readonly pickUpPoints: readonly PickUpPointName[];
  readonly limits: UploadLimits;
}

export interface FileReading {
  /** Rows of the file that are not empty. */
  readonly totalCount: number;
  readonly importedCount: number;
  /** The suggestions as JSON arrays, so that the code that stores them need not parse them. */
  readonly suggestions: readonly Uint8Array[];
  /** Rows with an error, also those that errorLogs leaves out. */
  readonly errorCount: number;
  /** The first ones. id: the row as a spreadsheet program numbers it (the header is row 1). */
  readonly errorLogs: readonly { readonly id: string; readonly message: string }[];
}

/** Suggestions in one JSON array. One statement stores so many suggestions in some 10 ms. */
const CHUNK_ROWS = 2_000;

/** In one answer. More help nobody, and 100,000 long ones would hold the service's memory until the client has read them. */
const MAX_ERRORS = 1_000;
/** Bytes of the messages as JSON. */
const MAX_ERROR_BYTES = 1_000_000;

export async function readFile({ content, pickUpPoints, limits }: FileToRead): Promise<FileReading> {
  const rows = (await sheetRows(content, limits)).filter(({ cells }) => cells.some((cell) => cell));
  const last = rows.at(-1)?.number ?? 1;
  if (last > limits.rows + 1) throw overLimit('has too many rows', limits.rows, 'rows below the header');
  const [first, ...below] = rows;
  const reading = readRows(below, readHeader(first), new PickUpPoints(pickUpPoints));
  return { ...reading, suggestions: jsonChunks(reading.suggestions, limits.unzippedBytes) };
}

async function sheetRows(content: Uint8Array, limits: UploadLimits): Promise<SheetRow[]> {
  const kind = fileKindOf(content);
  if (kind !== 'text') {
    // Loaded only for workbooks: loading the library takes half the time of a small CSV file.
    const { xlsRows, xlsxRows } = await import('./workbook-rows.ts');
    return kind === 'zip' ? xlsxRows(content, limits.unzippedBytes) : xlsRows(content);
  }
  const text = decodeText(content);
  requireCsvText(text);
  // The header, the permitted rows, and one more: if it is there, the file has too many rows.
  return csvRows(text, limits.rows + 2);
}

interface RowsReading extends Omit<FileReading, 'suggestions'> {
  readonly suggestions: readonly Suggestion[];
}

function readRows(rows: readonly SheetRow[], header: Header, pickUpPoints: PickUpPoints): RowsReading {
  const suggestions: Suggestion[] = [];
  const errors = new FirstErrors();
  const rowsByEmailAddress = new Map<string, number>();
  for (const row of rows) {
    const { suggestion, problems, isUsable } = readSuggestion(rowTexts(row, header), pickUpPoints);
    const key = suggestion.emailAddress.toLowerCase();
    const repeats = rowsByEmailAddress.get(key);
    const inFile = [
      ...shapeProblem(row),
      ...(repeats === undefined ? [] : [`EmailAddress is the same as that of row ${repeats}`]),
    ];
    const isImported = isUsable && inFile.length === 0;
    const message = [...problems, ...inFile].join('; ');
    if (message !== '')
      errors.add(row.number, isImported ? `${message}; the row is imported without it` : message);
    if (!isImported) continue;
    rowsByEmailAddress.set(key, row.number);
    suggestions.push(suggestion);
  }
  const totalCount = rows.length;
  const { count: errorCount, logs: errorLogs } = errors;
  return { totalCount, importedCount: suggestions.length, suggestions, errorCount, errorLogs };
}

/** All are counted, the first ones are told. */
class FirstErrors {
  readonly logs: { id: string; message: string }[] = [];
  count = 0;
  #bytes = 0;

  add(rowNumber: number, message: string): void {
    this.count += 1;
    this.#bytes += Buffer.byteLength(JSON.stringify(message));
    if (this.count > MAX_ERRORS || this.#bytes > MAX_ERROR_BYTES) return;
    this.logs.push({ id: String(rowNumber), message });
  }
}

/** A workbook may hold half of a surrogate pair, which Postgres refuses. */
const rowTexts = ({ cells }: SheetRow, header: Header) =>
  Object.fromEntries(
    suggestionColumns.map((column) => [column, (cells[header[column]] ?? '').toWellFormed()]),
  ) as Record<SuggestionColumn, string>;

/** A cell beyond the header shows a ; without quotes: the cells before it are in wrong columns. */
function shapeProblem({ cells }: SheetRow): string[] {
  const columns = suggestionColumns.length;
  if (!cells.some((cell, at) => cell && at >= columns)) return [];
  return [
    `the row has more cells than the ${columns} of the header; a text that holds ; must stand in quotes`,
  ];
}

/**
 * At most so many bytes: the cells of a workbook may share one long text, so that a file of some kB
 * becomes gigabytes here. They would fill the memory of the service, which no limit of the reading process bounds.
 */
function jsonChunks(all: readonly object[], limit: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let at = 0; bytes <= limit && at < all.length; at += CHUNK_ROWS) {
    const chunk = Buffer.from(JSON.stringify(all.slice(at, at + CHUNK_ROWS)));
    bytes += chunk.byteLength;
    chunks.push(chunk);
  }
  if (bytes > limit)
    throw overLimit('has too much text in its cells, each counted by itself', limit, 'bytes');
  return chunks;
}

/** Where each column stands. */
type Header = Readonly<Record<SuggestionColumn, number>>;

function readHeader(row: SheetRow | undefined): Header {
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
  if (problems.length > 0) throw new ApiError('InvalidHeader', headerMessage(names, problems));
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
  const shortNames = names.slice(0, NAMED).map((name) => (name === '' ? '(no name)' : name.slice(0, 50)));
  return [`${what}: ${shortNames.join(', ')}${names.length > NAMED ? ' and more' : ''}`];
}

function headerMessage(names: readonly string[], problems: readonly string[]): string {
  const expected = `Row 1 must hold the columns ${suggestionColumns.join(', ')}, each once`;
  const delimiter = names.length === 1 && /[,\t|]/.test(names[0] ?? '') ? ', with ; between them' : '';
  return `${expected}${delimiter} (${problems.join('; ')})`;
}

/** Longest row, characters. Without a limit, a missing closing quote would make the whole file one row. */
const ROW_LENGTH = 100_000;

/** At most `most` rows, counted from the top, empty ones included. */
function csvRows(text: string, most: number): SheetRow[] {
  try {
    const records = parse(text, {
      delimiter: ';',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: ROW_LENGTH,
      to: most,
      trim: true,
    });
    return records.map((cells, index) => ({ number: index + 1, cells }));
  } catch (error) {
    if (error instanceof CsvError) throw new ApiError('InvalidImportType', damage(error));
    throw error;
  }
}

function damage(error: CsvError): string {
  const row = typeof error.records === 'number' ? ` after row ${error.records}` : '';
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE')
    return `The CSV file is damaged${row}: a quoted cell does not end, or a row is longer than ${ROW_LENGTH.toLocaleString('en')} characters`;
  return `The CSV file is damaged${row}: ${error.message}`;
}

/**
 * A byte order mark decides; without one, NULs in the places of ASCII mean UTF-16, and bytes that are not UTF-8
 * are Windows-1252.
 */
function decodeText(content: Uint8Array): string {
  return new TextDecoder(encodingOf(content)).decode(content);
}

function encodingOf(content: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  const [first, second, third, fourth] = content;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  return isUtf8(content) ? 'utf-8' : 'windows-1252';
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
