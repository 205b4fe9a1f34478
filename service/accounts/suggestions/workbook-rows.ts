// Reads the rows of a workbook's first sheet, .xlsx or .xls. Formulas are never computed: the stored values of the
// cells count.

import {
  type CellObject,
  CFB,
  type DenseWorkSheet,
  type ParsingOptions,
  parse_zip,
  read,
  SSF,
  set_cptable,
  type WorkBook,
} from '@e965/xlsx';
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs';
import { Refusal } from '../../refusal.ts';
import type { SheetRow } from './file-refusals.ts';
import { damagedWhenThrowing } from './file-refusals.ts';
import { encryptedMessage, unzipWorkbook, type Zip } from './unzip-workbook.ts';

declare module '@e965/xlsx' {
  /** The library exports it, but has no type for it. */
  export function parse_zip(zip: Zip, options: ParsingOptions): WorkBook;
}

// Workbooks of Excel 95 and before name the code page of their texts. Without the code page table, letters come out
// wrong.
set_cptable(codePages);

export async function xlsxRows(content: Uint8Array, unzippedBytes: number): Promise<SheetRow[]> {
  const zip = await unzipWorkbook(content, unzippedBytes);
  return rowsOf((options) => parse_zip(zip, options));
}

/** A compound file contains an .xls workbook, an encrypted workbook, or another document. */
export async function xlsRows(content: Uint8Array): Promise<SheetRow[]> {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const streams = await damagedWhenThrowing(damage, () => {
    const { FullPaths } = CFB.read(buffer, { type: 'buffer' }) as { FullPaths: string[] };
    return FullPaths.map((path) => path.split('/').at(-1)?.toLowerCase());
  });
  if (streams.includes('encryptedpackage')) throw new Refusal('InvalidImportType', encryptedMessage);
  if (!streams.includes('workbook') && !streams.includes('book'))
    throw new Refusal('InvalidImportType', 'The file is a document of another kind, not an .xls workbook');
  return rowsOf((options) => read(buffer, { ...options, type: 'buffer' }));
}

const damage = 'The workbook is damaged or cut off: it cannot be read';

type Parse = (options: ParsingOptions) => WorkBook;

async function rowsOf(parse: Parse): Promise<SheetRow[]> {
  const workbook = await damagedWhenThrowing(damage, () => parsed(parse));
  const [first] = workbook.SheetNames;
  const sheet = first === undefined ? undefined : workbook.Sheets[first];
  if (!sheet) throw new Refusal('InvalidImportType', 'The workbook has no sheet');
  return denseRows(sheet as DenseWorkSheet);
}

function parsed(parse: Parse): WorkBook {
  try {
    return parse({ dense: true, sheets: 0, cellFormula: false, cellHTML: false, cellNF: true });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new Refusal('InvalidImportType', encryptedMessage);
    throw error;
  }
}

/** Rows that the sheet skips are not there: a sheet may hold only its first and its millionth row. */
function denseRows(sheet: DenseWorkSheet): SheetRow[] {
  const rows: SheetRow[] = [];
  sheet['!data'].forEach((cells, index) => {
    if (cells) rows.push({ number: index + 1, cells: cells.map((cell) => cell && cellText(cell).trim()) });
  });
  return rows;
}

/** What the sheet shows, but a number in full: 31612345678 is shown as 3.16E+10 where the column is narrow. */
function cellText(cell: CellObject): string {
  if (typeof cell.v !== 'number' || cell.t === 'e') return cell.w ?? String(cell.v ?? '');
  const shown = numberText(cell.v, cell);
  return Number.isInteger(cell.v) && /\dE[+-]?\d/i.test(shown) ? BigInt(cell.v).toString() : shown;
}

/** A format's language, like [$-409], which the library takes for a currency: it shows $25% for 25%. */
const FORMAT_LANGUAGE = /\[\$-[0-9a-f]+\]/gi;

function numberText(value: number, { w: shown = String(value), z: format }: CellObject): string {
  const corrected = String(format ?? '').replace(FORMAT_LANGUAGE, '');
  if (corrected === String(format ?? '')) return shown;
  try {
    return String(SSF.format(corrected, value));
  } catch {
    // A format that cannot be applied leaves the number as it is, as the library does for all others.
    return String(value);
  }
}
