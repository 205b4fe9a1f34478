// The fields that operations share: what a valid value of each is, and how the answer's fields are read.
// Requests are checked strictly, answers tolerantly (decisions, opening): a peer may leave out or add what it likes.
import { z } from 'zod';
import { onWire } from './casing.ts';
import { countryCodes } from './country-codes.ts';

// ASSUMPTION: maximum lengths are not shown; these keep a row, an index entry and a page of the Web UI in bounds.
const UID_LENGTH = 200;
const TEXT_LENGTH = 2_000;

// Postgres stores neither a NUL character nor half a surrogate pair (it is no character at all): without this check one
// would come back as an internal error, or as another text than was sent.
const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed();
const STORABLE_MESSAGE = 'must be well-formed Unicode without a NUL character';

export const text = z.string().max(TEXT_LENGTH).refine(isStorable, STORABLE_MESSAGE);
export const uid = z.string().min(1).max(UID_LENGTH).refine(isStorable, STORABLE_MESSAGE);
export const filledText = text.min(1);
export const optionalText = text.nullish();
export const optionalUid = uid.nullish();
export const flag = z.boolean();
export const optionalFlag = z.boolean().nullish();

/** interface: Dimension; centimeters, minimum 1 each side. */
export const dimension = z.object({
  width: z.number().min(1),
  height: z.number().min(1),
  length: z.number().min(1),
});
export type Dimension = z.infer<typeof dimension>;

/** interface: Shipment creation, general rules: the common optional object Details; Return has the same fields. */
export const details = onWire(
  'PascalCase',
  z.object({ referenceNo: optionalText, referenceCaseNo: optionalText, description: optionalText }),
);

/** interface: the Issue object of the operations that issue from stock. */
export const issueDetails = onWire('PascalCase', z.object({ referenceCaseNo: optionalText }));

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(TEXT_LENGTH)
  .refine(isStorable, STORABLE_MESSAGE);

export const emailAddress = z.email().max(320);

/** interface: Account, phoneNumber: international format starting with + or 00; separators as people write them. */
export const phoneNumber = z
  .string()
  .max(40)
  .regex(/^(\+|00)[1-9](?:[ ().-]*\d){5,14}$/, 'must be in international format, starting with + or 00');

/** interface: Account, languageCode: forms like nl, nl-NL, en-GB, en. */
export const languageCode = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be of a form like nl or nl-NL');

export const countryCode = z
  .string()
  .refine((code) => countryCodes.has(code), 'must be a two-letter ISO 3166-1 alpha-2 country code, like NL');

/** ISO 8601; without an offset it means UTC (assumptions: The wire). */
export const instant = z.iso.datetime({ local: true, offset: true });

// What an answer gives beside its essential fields: absent, null or of an unexpected type is null, never a failure,
// since a refused answer would turn a known outcome into an unknown one. A number where a name is due is its digits.
// Essential is a uid that the caller has no other way to learn: a creation's answer without it is no answer.
export const answerUid = z.string().min(1);
export const answerText = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().nullable().default(null).catch(null),
);
export const answerFlag = z.boolean().nullable().default(null).catch(null);
export const answerCount = z.number().int().nonnegative().nullable().default(null).catch(null);

/** An element that cannot be read is all nulls: left out, it would make a list look complete that is not. */
export const answerList = <Item extends z.ZodObject>(item: Item) =>
  z.array(z.preprocess((element) => (isObject(element) ? element : {}), item));

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** interface: Account mutation configuration: nine permissions, each true, false or null. */
export const mutationFlagNames = [
  'canChangeFirstName',
  'canChangeLastName',
  'canChangeEmailAddress',
  'canChangePhoneNumber',
  'canChangeLanguageCode',
  'canChangeMainPickUpPoint',
  'canChangeAddress',
  'canRemoveAutomatically',
  'canRemoveManually',
] as const;
export type MutationFlagName = (typeof mutationFlagNames)[number];

const nine = <Field>(field: Field): Record<MutationFlagName, Field> =>
  Object.fromEntries(mutationFlagNames.map((name) => [name, field])) as Record<MutationFlagName, Field>;

export const mutationFlags = nine(optionalFlag);
export const answerMutationFlags = nine(answerFlag);
