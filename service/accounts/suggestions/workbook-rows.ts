// Reads the rows of a workbook's first sheet, .xlsx or .xls. Formulas are never computed: what the sheet shows counts.

import { type CellObject, CFB, type DenseWorkSheet, read, set_cptable, type WorkBook } from '@e965/xlsx';
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs';
import { Refusal } from '../../refusal.ts';
import { damagedWhenThrowing } from './file-refusals.ts';
import type { SheetRow } from './sheet-row.ts';
import { encryptedMessage, unzipWorkbook } from './unzip-workbook.ts';

// Workbooks of Excel 95 and before say their texts' code page; without the table those read as wrong letters.
set_cptable(codePages);

export async function xlsxRows(content: Uint8Array, unzippedBytes: number): Promise<SheetRow[]> {
  return rowsOf(await unzipWorkbook(content, unzippedBytes));
}

/** A compound file is the shell of an .xls workbook, of one that is encrypted, and of other documents. */
export async function xlsRows(content: Uint8Array): Promise<SheetRow[]> {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const streams = await damagedWhenThrowing(damage, () => {
    const { FullPaths } = CFB.read(buffer, { type: 'buffer' }) as { FullPaths: string[] };
    return FullPaths.map((path) => path.split('/').at(-1)?.toLowerCase());
  });
  if (streams.includes('encryptedpackage')) throw new Refusal('InvalidImportType', encryptedMessage);
  if (!streams.includes('workbook') && !streams.includes('book'))
    throw new Refusal('InvalidImportType', 'The file is a document of another kind, not an .xls workbook');
  return rowsOf(buffer);
}

const damage = 'The workbook is damaged or cut off: it cannot be read';

async function rowsOf(buffer: Buffer): Promise<SheetRow[]> {
  const workbook = await damagedWhenThrowing(damage, () => readWorkbook(buffer));
  const [first] = workbook.SheetNames;
  const sheet = first === undefined ? undefined : workbook.Sheets[first];
  if (!sheet) throw new Refusal('InvalidImportType', 'The workbook has no sheet');
  return denseRows(sheet as DenseWorkSheet);
}

function readWorkbook(buffer: Buffer): WorkBook {
  try {
    return read(buffer, {
      type: 'buffer',
      dense: true,
      sheets: 0,
      cellFormula: false,
      cellHTML: false,
    });
  } catch (cause) {
    if (cause instanceof Error && /password|encrypt/i.test(cause.message))
      throw new Refusal('InvalidImportType', encryptedMessage);
    throw cause;
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
  const shown = cell.w ?? (cell.v === undefined ? '' : String(cell.v));
  const isShortened = typeof cell.v === 'number' && Number.isInteger(cell.v) && /\dE[+-]?\d/i.test(shown);
  return isShortened ? BigInt(cell.v as number).toString() : shown;
}
