// Reads the rows of a workbook's first sheet with cells, .xlsx or .xls. Formulas are never computed: the stored values of the
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
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../api-error.ts';
import { damagedWhenThrowing, overLimit, type SheetRow } from './file-kind.ts';

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
  if (streams.includes('encryptedpackage')) throw new ApiError('InvalidImportType', encryptedMessage);
  if (!streams.includes('workbook') && !streams.includes('book'))
    throw new ApiError('InvalidImportType', 'The file is a document of another kind, not an .xls workbook');
  return rowsOf((options) => read(buffer, { ...options, type: 'buffer' }));
}

const damage = 'The workbook is damaged or cut off: it cannot be read';

type Parse = (options: ParsingOptions) => WorkBook;

/** Of the first sheet with cells: a chart, a dialog or a macro sheet has none. The others are only read where the first has none. */
const rowsOf = (parse: Parse): Promise<SheetRow[]> =>
  damagedWhenThrowing(damage, () => {
    const sheet = sheetWithCells(parsed(parse, { sheets: 0 })) ?? sheetWithCells(parsed(parse, {}));
    if (!sheet) throw new ApiError('InvalidImportType', 'The workbook has no sheet with cells');
    return denseRows(sheet);
  });

function sheetWithCells({ SheetNames, Sheets }: WorkBook): DenseWorkSheet | undefined {
  const sheets = SheetNames.map((name) => Sheets[name] as Partial<DenseWorkSheet> | undefined);
  return sheets.find((sheet) => sheet?.['!data']?.some((row) => row?.length > 0)) as
    | DenseWorkSheet
    | undefined;
}

function parsed(parse: Parse, which: ParsingOptions): WorkBook {
  try {
    return parse({ dense: true, cellFormula: false, cellHTML: false, cellNF: true, ...which });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message))
      throw new ApiError('InvalidImportType', encryptedMessage);
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

// Unzips the XML parts of an .xlsx file within limits, as the workbook reader's own zip, so that it copies nothing. The reader
// trusts the sizes and offsets in a zip, also for overlapping entries, so it never gets the uploaded one.
/** Parts of a workbook: one for each sheet, style and relation. A zip may claim 65,535 that share their bytes. */
const MAX_ENTRIES = 1_000;

/** The content type of a workbook's main part. Documents and slides are such zips too. */
const WORKBOOK_TYPE = /sheet(\.macroEnabled)?\.main\+xml/;

/**
 * Text between two tags, or one tag, bytes. A cell of a spreadsheet holds 32,767 characters, each of at most 10 bytes
 * (&#1114111;). The reader copies each text several times: one of 200 MB becomes more than a gigabyte.
 */
const LONGEST_TEXT = 400_000;

/** Data of add-ins, of any length, which the reader does not look at. */
const isOfAddIn = /^customXml\//i;

/** The library's zip, which its types call `any`. */
interface Zip {
  readonly FullPaths: readonly string[];
}
interface ZipMaker {
  cfb_new(): Zip;
  cfb_add(zip: Zip, path: string, content: Uint8Array, options: { unsafe: boolean }): void;
}
const maker: ZipMaker = CFB.utils;

/** The XML parts of the workbook, uncompressed. */
const unzipWorkbook = (content: Uint8Array, limit: number): Promise<Zip> =>
  damagedWhenThrowing('The .xlsx file is damaged or cut off: it cannot be unzipped', async () => {
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
    if (zip.entryCount > MAX_ENTRIES) throw overLimit('holds too many parts', MAX_ENTRIES, 'parts');
    return await unzippedParts(zip, limit);
  });

async function unzippedParts(zip: ZipFile, limit: number): Promise<Zip> {
  const parts = maker.cfb_new();
  let isWorkbook = false;
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (!/\.(xml|rels)$/i.test(entry.fileName) || isOfAddIn.test(entry.fileName)) continue;
    bytes += entry.uncompressedSize;
    if (bytes > limit) throw overLimit('is too large once unzipped', limit, 'bytes');
    const content = await unzipped(zip, entry);
    isWorkbook ||= entry.fileName === '[Content_Types].xml' && WORKBOOK_TYPE.test(content.toString());
    maker.cfb_add(parts, entry.fileName, content, { unsafe: true });
  }
  if (!isWorkbook) throw new ApiError('InvalidImportType', 'The file is a zip archive but no .xlsx workbook');
  return parts;
}

/** If an entry unzips to another size than it claims, the stream fails. So the checked sizes are the real ones. */
async function unzipped(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new ApiError('InvalidImportType', encryptedMessage);
  const content = Buffer.allocUnsafeSlow(entry.uncompressedSize);
  let end = 0;
  let tag = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    end += chunk.copy(content, end);
    // From tag to tag as far as a text may be long, not to each of them.
    for (; tag + LONGEST_TEXT < end; tag = nextTag(content, tag));
  }
  return content;
}

function nextTag(xml: Buffer, from: number): number {
  const next = xml.lastIndexOf('<', from + LONGEST_TEXT);
  if (next <= from) throw overLimit('has a text that is too long for a cell', LONGEST_TEXT, 'bytes');
  return next;
}

const encryptedMessage = 'The workbook is encrypted; save it without a password';
