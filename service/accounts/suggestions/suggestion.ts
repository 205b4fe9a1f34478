// Applies the rules of suggestions to one row of the file: gives the suggestion, and the row's errors. interface:
// UploadAccountSuggestions, Rules; assumptions: Accounts and upload: an unknown PickUpPoint is a row error.
import type { z } from 'zod';
import type { SuggestionColumn } from '../../../contract/operations/account-suggestions.ts';
import { emailAddress } from '../../../contract/wire/email-address.ts';
import { text as anyText, languageCode, phoneNumber } from '../../../contract/wire/fields.ts';
import { e164 } from '../../../contract/wire/phone-number.ts';
import { keptEmailAddress } from '../email-address.ts';

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
type RowTexts = Readonly<Record<SuggestionColumn, string>>;

interface SuggestionReading {
  readonly suggestion: Suggestion;
  /** All errors of the row, so that the user can repair them at once. */
  readonly problems: readonly string[];
  /** Whether the row can be imported without the wrong cells. */
  readonly isUsable: boolean;
}

/** If these columns cannot be read, the row is imported without them: the suggestion is still useful. */
const dispensable: ReadonlySet<SuggestionColumn> = new Set(['LanguageCode']);

export function readSuggestion(texts: RowTexts, pickUpPoints: PickUpPoints): SuggestionReading {
  const problems = new Map<SuggestionColumn, string>();
  const checked = (column: SuggestionColumn, problemOf: (text: string) => string | undefined) => {
    const text = texts[column];
    if (text === '') return null;
    const problem = textProblem(text) ?? problemOf(text);
    if (problem !== undefined) problems.set(column, `${column} ${quoted(text)} ${problem}`);
    return text;
  };
  if (texts.EmailAddress === '') problems.set('EmailAddress', 'EmailAddress is required');
  const suggestion: Suggestion = {
    emailAddress: keptEmailAddress(
      checked('EmailAddress', (text) => contractProblem(emailAddress, text)) ?? '',
    ),
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

/** Spreadsheet programs change numbers; the message says so if it sees such a change. */
function phoneNumberProblem(text: string): string | undefined {
  const problem = contractProblem(phoneNumber, text);
  if (problem === undefined) return undefined;
  if (/^\d[.,]?\d*E\+?\d+$/i.test(text))
    return 'has been shortened by a spreadsheet program; format the column as text and write the number in full';
  return /^\d+$/.test(text)
    ? `${problem}; a spreadsheet drops both from a cell that is formatted as a number`
    : problem;
}

/**
 * A text for a message, shortened, but long enough to find the cell. Not its control characters: JSON writes each in six characters,
 * and an answer that holds the message in twelve.
 */
function quoted(text: string): string {
  const visible = text
    .slice(0, 60)
    .replaceAll(/\p{Cc}/gu, '\u{fffd}')
    .toWellFormed();
  return JSON.stringify(text.length > 60 ? `${visible}…` : visible);
}

export interface PickUpPointName {
  readonly pupUid: string;
  readonly name: string;
}

export class PickUpPoints {
  readonly #uids: ReadonlySet<string>;
  /** Null if several have the same name. */
  readonly #uidsByName = new Map<string, string | null>();

  constructor(pickUpPoints: readonly PickUpPointName[]) {
    this.#uids = new Set(pickUpPoints.map(({ pupUid }) => pupUid));
    for (const { pupUid, name } of pickUpPoints) {
      const key = nameKey(name);
      this.#uidsByName.set(key, this.#uidsByName.has(key) ? null : pupUid);
    }
  }

  /** A uid wins over an equal name. */
  uidOf(text: string | null): string | null {
    if (text === null) return null;
    return this.#uids.has(text) ? text : (this.#uidsByName.get(nameKey(text)) ?? null);
  }

  problemOf(text: string): string | undefined {
    if (this.uidOf(text) !== null) return undefined;
    return this.#uidsByName.has(nameKey(text))
      ? 'is the name of several pick up points; give the uid'
      : 'is not a pick up point of yours, neither by uid nor by name';
  }
}

const nameKey = (name: string): string => name.trim().toLowerCase();
