// One row of the file under the rules of suggestions: a suggestion, and what is wrong with it.
// interface: UploadAccountSuggestions, Rules; assumptions: Accounts and upload: an unknown PickUpPoint is a row error.
import type { z } from 'zod';
import type { SuggestionColumn } from '../../../contract/operations/account-suggestions.ts';
import { text as anyText, emailAddress, languageCode, phoneNumber } from '../../../contract/wire/fields.ts';
import { e164 } from '../phone-number.ts';
import type { PickUpPoints } from './pick-up-points.ts';

export interface Suggestion {
  readonly emailAddress: string;
  readonly phoneNumber: string | null;
  readonly languageCode: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly remarks: string | null;
  readonly pupUid: string | null;
}

/** The texts of a row; an empty cell is an empty text. */
export type RowTexts = Readonly<Record<SuggestionColumn, string>>;

export interface SuggestionReading {
  readonly suggestion: Suggestion;
  /** What is wrong with the row, all at once, so that its owner repairs it in one go. */
  readonly problems: readonly string[];
  /** Whether the row can be imported all the same, without what is wrong in it. */
  readonly isUsable: boolean;
}

/** Columns that a row is imported without, where they cannot be read: a suggestion is still of use. */
const dispensable: ReadonlySet<SuggestionColumn> = new Set(['LanguageCode']);

export function readSuggestion(texts: RowTexts, pickUpPoints: PickUpPoints): SuggestionReading {
  const problems = new Map<SuggestionColumn, string>();
  const checked = (column: SuggestionColumn, problemOf: (text: string) => string | undefined) => {
    const text = texts[column];
    if (text === '') return null;
    const problem = textProblem(text) ?? problemOf(text);
    if (problem !== undefined) problems.set(column, `${column} ${shown(text)} ${problem}`);
    return text;
  };
  if (texts.EmailAddress === '') problems.set('EmailAddress', 'EmailAddress is required');
  const suggestion: Suggestion = {
    emailAddress: checked('EmailAddress', (text) => contractProblem(emailAddress, text)) ?? '',
    phoneNumber: storedPhoneNumber(checked('PhoneNumber', phoneNumberProblem)),
    languageCode: storedLanguage(checked('LanguageCode', (text) => contractProblem(languageCode, text))),
    firstName: checked('FirstName', noProblem),
    lastName: checked('LastName', noProblem),
    remarks: checked('Remarks', noProblem),
    pupUid: pickUpPoints.uidOf(checked('PickUpPoint', (text) => pickUpPoints.problemOf(text))),
  };
  const isUsable = [...problems.keys()].every((column) => dispensable.has(column));
  return { suggestion, problems: [...problems.values()], isUsable };
}

const storedLanguage = (text: string | null) => languageCode.safeParse(text).data ?? null;

const storedPhoneNumber = (text: string | null) => (text === null ? null : e164(text));

const noProblem = () => undefined;

/** The rules of the same fields in requests. */
const contractProblem = (schema: z.ZodType<string>, text: string): string | undefined =>
  schema
    .safeParse(text)
    .error?.issues.map(({ message }) => message)
    .join(', ');

const textProblem = (given: string): string | undefined => contractProblem(anyText, given);

/** Spreadsheet programs change numbers; the message says so where they did. */
function phoneNumberProblem(text: string): string | undefined {
  const problem = contractProblem(phoneNumber, text);
  if (problem === undefined) return undefined;
  if (/^\d[.,]?\d*E\+?\d+$/i.test(text))
    return 'has been shortened by a spreadsheet program; format the column as text and write the number in full';
  return /^\d+$/.test(text)
    ? `${problem}; a spreadsheet drops both from a cell that is formatted as a number`
    : problem;
}

/** A text as a message repeats it: enough to find the cell by. */
const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
