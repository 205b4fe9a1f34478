// The one error by which reading an uploaded file refuses it as a whole. It crosses from the reading thread as data.
import type { ErrorCode } from '../../../contract/index.ts';

export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The refusal of a file that is over a limit, which names the limit. */
export const overLimit = (what: string, limit: number, unit: string): FileRefused =>
  new FileRefused('PayloadTooLarge', `The file ${what}; the limit is ${limit.toLocaleString('en')} ${unit}`);

/** Runs a library on bytes that anyone may have made: whatever it throws at them, the file is what was wrong. */
export async function damagedWhenThrowing<Result>(
  message: string,
  read: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof FileRefused) throw cause;
    throw new FileRefused('InvalidImportType', message, { cause });
  }
}
