// Reads the rows of a CSV text. A row is a record, as in a spreadsheet, even if a cell has line breaks.
import { CsvError, parse } from 'csv-parse/sync';
import { Refusal } from '../../refusal.ts';
import type { SheetRow } from './file-refusals.ts';

/** Longest row, characters. Without a limit, a missing closing quote would make the whole file one row. */
const ROW_LENGTH = 100_000;

/** At most `most` rows, counted from the top, empty ones included. */
export function csvRows(text: string, most: number): SheetRow[] {
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
    if (error instanceof CsvError) throw new Refusal('InvalidImportType', damage(error));
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
export function decodeText(content: Uint8Array): string {
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
