// Reads the rows of a CSV text. A row is a record, as in a spreadsheet, even if a cell has line breaks.

import { CsvError, parse } from 'csv-parse/sync';
import { Refusal } from '../../refusal.ts';

import type { SheetRow } from './sheet-row.ts';

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
