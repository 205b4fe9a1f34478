// Which files of suggestions are taken, and the words that refuse the others. The format is found from the
// content: the sender chooses the name and the content type. A name that says another type is refused all the same: most likely
// the wrong file was chosen.
import { ApiError } from '../../api-error.ts';

type FileKind = 'zip' | 'compound' | 'text';

const signatures: readonly { bytes: readonly number[]; kind: FileKind }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: 'zip' },
  { bytes: [0x50, 0x4b, 0x05, 0x06], kind: 'zip' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], kind: 'compound' },
];

/** Text in other formats. Without this list the error would be about the header, which is misleading. */
const otherFormats: readonly { begins: RegExp; name: string }[] = [
  { begins: /^%PDF-/, name: 'a PDF document' },
  { begins: /^\{\\rtf/, name: 'an RTF document' },
  { begins: /^\s*</, name: 'an HTML or XML page, whatever its name says' },
  { begins: /^\s*[[{]/, name: 'a JSON document' },
];

const accepted = 'expected an .xlsx or .xls workbook, or a .csv file with ; between the columns';

const supported: readonly string[] = ['xlsx', 'xls', 'csv'];

/** A figure after the last dot is part of a date or a version, like residents.2031. */
export function requireSupportedName(name: string): void {
  const extension = /\.([A-Za-z][A-Za-z0-9]*)$/.exec(name)?.[1];
  if (extension !== undefined && !supported.includes(extension.toLowerCase()))
    throw new ApiError('InvalidImportType', `The name of the file ends in .${extension}; ${accepted}`);
}

export function fileKindOf(content: Uint8Array): FileKind {
  const signature = signatures.find(({ bytes }) => bytes.every((byte, at) => content[at] === byte));
  return signature?.kind ?? 'text';
}

/** Refuses text that cannot be CSV. Looks only at the beginning: the header is there, in plain words. */
export function requireCsvText(text: string): void {
  const beginning = text.slice(0, 1_000);
  const other = otherFormats.find(({ begins }) => begins.test(beginning));
  if (other) throw new ApiError('InvalidImportType', `The file is ${other.name}; ${accepted}`);
  if (hasControlCharacter(beginning))
    throw new ApiError('InvalidImportType', `The file has an unknown binary format; ${accepted}`);
}

/** The control characters that no text has: all below the space but tab, line feed, vertical tab, form feed, return. */
function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32)) return true;
  }
  return false;
}

export const overLimit = (what: string, limit: number, unit: string): ApiError =>
  new ApiError('PayloadTooLarge', `The file ${what}; the limit is ${limit.toLocaleString('en')} ${unit}`);

/** Runs a library on untrusted bytes. If the library throws, the file is wrong. */
export async function damagedWhenThrowing<Result>(
  message: string,
  read: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('InvalidImportType', message);
  }
}

export interface SheetRow {
  /** The row as a spreadsheet program numbers it: the header is row 1. */
  readonly number: number;
  /** The texts of its cells, trimmed; a cell that is missing is undefined. */
  readonly cells: readonly (string | undefined)[];
}
