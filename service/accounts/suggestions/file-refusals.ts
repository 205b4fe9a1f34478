// How an uploaded file is refused as a whole. It happens in the reading process, from which a refusal comes as data.
import { Refusal } from '../../refusal.ts';

/** The refusal of a file that is over a limit, which names the limit. */
export const overLimit = (what: string, limit: number, unit: string): Refusal =>
  new Refusal('PayloadTooLarge', `The file ${what}; the limit is ${limit.toLocaleString('en')} ${unit}`);

/** Runs a library on bytes that anyone may have made: whatever it throws at them, the file is what was wrong. */
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
