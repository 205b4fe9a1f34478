// What all formats of an uploaded file have in common: its rows before the rules of suggestions are applied, and refusals of the
// whole file. The reading process throws them and sends them to the service as data.
import { Refusal } from '../../refusal.ts';

/** The refusal of a file over a limit; it names the limit. */
export const overLimit = (what: string, limit: number, unit: string): Refusal =>
  new Refusal('PayloadTooLarge', `The file ${what}; the limit is ${limit.toLocaleString('en')} ${unit}`);

/** Runs a library on untrusted bytes. If the library throws, the file is wrong. */
export async function damagedWhenThrowing<Result>(
  message: string,
  read: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('InvalidImportType', message);
  }
}

export interface SheetRow {
  /** The row as a spreadsheet program numbers it: the header is row 1. */
  readonly number: number;
  /** The texts of its cells, trimmed; a cell that is missing is undefined. */
  readonly cells: readonly (string | undefined)[];
}
