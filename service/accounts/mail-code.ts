// The mail delivery code of an account, unique at its main pick up point.
// ASSUMPTION: interface, Account: "Mail delivery code of the account"; its form is not shown.
import { randomInt } from 'node:crypto';
import { violatedIndex } from '../storage/unique-violation.ts';

/** People read these codes from labels and type them: without 0, O, 1, I and L. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 31^6: with 100,000 accounts at one pick up point one new code in 9,000 is taken, and drawn again. */
const LENGTH = 6;
/**
 * Five taken codes in a row do not happen. Without a limit, a pick up point with all codes taken would loop for
 * ever.
 */
const MOST_DRAWS = 5;

export const newMailCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** Runs the work, a transaction, with a new mail code. If the code is taken, runs it again with another one. */
export async function withNewMailCode<Result>(work: (mailCode: string) => Promise<Result>): Promise<Result> {
  for (let draw = 1; ; draw += 1) {
    try {
      return await work(newMailCode());
    } catch (error) {
      if (draw === MOST_DRAWS || violatedIndex(error) !== 'accounts_mail_code_key') throw error;
    }
  }
}
