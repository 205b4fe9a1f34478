// One row of the file under the rules of suggestions: a suggestion, and what is wrong with it.
// interface: UploadAccountSuggestions, Rules; assumptions: Accounts and upload: an unknown PickUpPoint is a row error.
import type { SuggestionColumn } from '../../../contract/operations/account-suggestions.ts';
import { text as anyText, emailAddress, languageCode } from '../../../contract/wire/fields.ts';
import { e164, isPossiblePhoneNumber } from '../phone-number.ts';
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

/** All problems of a row are told at once, so that its owner repairs it in one go. */
export function readSuggestion(texts: RowTexts, pickUpPoints: PickUpPoints) {
  const problems: string[] = [];
  const checked = (column: SuggestionColumn, problemOf: (text: string) => string | undefined) => {
    const text = texts[column];
    if (text === '') return null;
    const problem = textProblem(text) ?? problemOf(text);
    if (problem !== undefined) problems.push(`${column} ${shown(text)} ${problem}`);
    return text;
  };
  if (texts.EmailAddress === '') problems.push('EmailAddress is required');
  const suggestion: Suggestion = {
    emailAddress: checked('EmailAddress', emailAddressProblem) ?? '',
    phoneNumber: storedPhoneNumber(checked('PhoneNumber', phoneNumberProblem)),
    languageCode: checked('LanguageCode', languageCodeProblem),
    firstName: checked('FirstName', noProblem),
    lastName: checked('LastName', noProblem),
    remarks: checked('Remarks', noProblem),
    pupUid: pickUpPoints.uidOf(checked('PickUpPoint', (text) => pickUpPoints.problemOf(text))),
  };
  return { suggestion, problems: problems as readonly string[] };
}

const storedPhoneNumber = (text: string | null) => (text === null ? null : e164(text));

const noProblem = () => undefined;

const textProblem = (given: string): string | undefined =>
  anyText
    .safeParse(given)
    .error?.issues.map(({ message }) => message)
    .join(', ');

const emailAddressProblem = (text: string): string | undefined =>
  emailAddress.safeParse(text).success ? undefined : 'is not an e-mail address';

const languageCodeProblem = (text: string): string | undefined =>
  languageCode.safeParse(text).error?.issues[0]?.message;

/** interface: "A phone number must be in international format starting with + or 00". */
function phoneNumberProblem(text: string): string | undefined {
  if (/^\d[.,]?\d*E\+?\d+$/i.test(text))
    return 'has been shortened by a spreadsheet program; format the column as text and write the number in full';
  const hint = /^\d+$/.test(text)
    ? '; a spreadsheet drops both from a cell that is formatted as a number'
    : '';
  if (!/^(\+|00)/.test(text)) return `must be in international format, starting with + or 00${hint}`;
  return isPossiblePhoneNumber(text) ? undefined : 'is not a possible phone number';
}

/** A text as a message repeats it: enough to find the cell by. */
const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
