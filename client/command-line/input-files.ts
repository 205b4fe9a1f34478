// Files that an option names, or the standard input: a JSON value, or rows, which are CSV with a header, or a JSON object on
// each line.
import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

export interface Row {
  /** Its line in the file, as an editor counts. */
  readonly line: number;
  /** By column; the cells of a CSV file are texts, and empty ones are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const nameOf = (path: string): string => (path === '-' ? 'the standard input' : path);

const textOf = (terminal: Terminal, path: string): Promise<string> =>
  (path === '-' ? terminal.read() : readFile(path, 'utf8')).catch((cause: Error) => {
    throw wrongUse(`${nameOf(path)} cannot be read: ${cause.message}`);
  });

export const jsonOf = async (terminal: Terminal, path: string): Promise<unknown> =>
  parsed(await textOf(terminal, path), nameOf(path));

export async function rowsOf(terminal: Terminal, path: string): Promise<Row[]> {
  const where = nameOf(path);
  const text = await textOf(terminal, path);
  const rows = /^\s*\{/.test(text) ? jsonRows(text, where) : csvRows(text, where);
  if (rows.length === 0)
    throw wrongUse(`${where} has no rows; expected a header, and a row for each process`);
  return rows;
}

function jsonRows(text: string, where: string): Row[] {
  return text.split('\n').flatMap((each, index) => {
    if (each.trim() === '') return [];
    const line = index + 1;
    const fields = parsed(each, `${where}, line ${line}`);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw wrongUse(`${where}, line ${line} is no JSON object`);
    return [{ line, fields: fields as Row['fields'] }];
  });
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongUse(`${where} is not JSON: ${(cause as Error).message}`);
  }
}

function csvRows(text: string, where: string): Row[] {
  try {
    const records: readonly { info: { lines: number }; record: Record<string, string> }[] = parse(text, {
      bom: true,
      columns: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
      delimiter: delimiterOf(text),
    });
    return records.map(({ info, record }) => ({
      line: info.lines,
      fields: Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== '')),
    }));
  } catch (error) {
    if (error instanceof CsvError) throw wrongUse(`${where} is no CSV: ${error.message}`);
    throw error;
  }
}

/** Spreadsheets write `;` where the comma is in the numbers. */
const delimiterOf = (text: string): string => {
  const [header = ''] = text.split('\n');
  return [';', '\t'].find((each) => header.includes(each)) ?? ',';
};
