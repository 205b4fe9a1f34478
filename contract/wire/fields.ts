// The fields that operations share: the valid values of each, and how the fields of an answer are read. Requests are
// checked strictly. Answers are read tolerantly: a service may leave out fields and add others.
import { z } from 'zod';
import { onWire } from './casing.ts';
import { EMAIL_ADDRESS_LENGTH } from './email-address.ts';
import { isLongerThan, storableSchema, textOf } from './text.ts';

// ASSUMPTION: the interface shows no maximum lengths; these bound a row, an index entry and a page of the Web UI.
const UID_LENGTH = 200;
export const TEXT_LENGTH = 2_000;

const emptyIsNoValue = new WeakSet<z.core.$ZodType>();

/** An optional field in which an empty string means absent: many clients send one in place of leaving the field out. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  const field = z.preprocess((value) => (value === '' ? null : value), schema.nullish());
  emptyIsNoValue.add(field);
  return field;
}

export const isEmptyNoValue = (schema: z.core.$ZodType): boolean => emptyIsNoValue.has(schema);

export const text = textOf(0, TEXT_LENGTH);
export const uid = textOf(1, UID_LENGTH);
export const filledText = textOf(1, TEXT_LENGTH);
/** As much as a person types to find something. */
export const searchText = textOf(1, 200);
export const optionalText = text.nullish();
/** The nextCursor of a page, which only the service can read. */
export const cursor = optional(
  z.string().regex(/^[A-Za-z0-9_.-]{1,2000}$/, 'must be the nextCursor of the page before'),
);
export const optionalUid = optional(uid);
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

// The plain and public forms of a callback address. The host is an IPv4 address or a name in ASCII, with xn-- for an
// international one. Other forms are read as a URL parser reads them, and refused where callbacks must not go.
const HOST_NAME =
  '(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?';
const PRIVATE_OR_RESERVED =
  '(?:0|10|100|127|22[4-9]|2[3-5][0-9]|(?:169\\.254|172\\.(?:1[6-9]|2[0-9]|3[01])|192\\.(?:0|88|168)|198\\.(?:1[89]|51)|203\\.0))\\.';
const PUBLIC_IPV4 = `(?!${PRIVATE_OR_RESERVED})${z.regexes.ipv4.source.replace(/^\^|\$$/g, '')}`;
const PORT = '(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?';
const webAddressPattern = `^https?://(?:${HOST_NAME}|${PUBLIC_IPV4})${PORT}(?:[/?#][!$-&(-;=?-Z_a-z~]*)?$`;

export const webAddress = z
  .string()
  .refine(
    (value) => !isLongerThan(URL.canParse(value) ? new URL(value).href : value, TEXT_LENGTH),
    `must have at most ${TEXT_LENGTH.toLocaleString('en')} characters, percent-encoded`,
  )
  .refine(isWebAddress, 'must be an http or https address')
  .meta({ ...storableSchema, maxLength: TEXT_LENGTH, pattern: webAddressPattern });

function isWebAddress(value: string): boolean {
  return value.isWellFormed() && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** As long as an e-mail address, which is the default user name. */
export const userName = textOf(1, EMAIL_ADDRESS_LENGTH);

/** interface: Account, phoneNumber: international format starting with + or 00; separators as people write them. */
export const phoneNumber = z
  .string()
  .max(40, 'must have at most 40 characters')
  .regex(
    /^(?:\+|00)[1-9](?:[ ().-]*\d){5,14}$/,
    'must be in international format, starting with + or 00, with 6 to 15 digits',
  );

/** interface: Account, languageCode: forms like nl, nl-NL, en-GB, en. Read in any case, and kept in this one. */
export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2}(?:-[A-Za-z]{2})?$/, 'must be a language code like nl or nl-NL')
  .overwrite((code) => code.slice(0, 2).toLowerCase() + code.slice(2).toUpperCase());

/** ISO 3166-1 alpha-2, the officially assigned codes (interface: Account, countryCode). */
const countryCodes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** The codes by their first letter, like NL, NO and NP: `[Nn][LOPlop]`. */
const groups = new Map<string, string>();
for (const code of countryCodes.split(' '))
  groups.set(code.charAt(0), (groups.get(code.charAt(0)) ?? '') + code.charAt(1));

/** In either case. */
const countryCodePattern = new RegExp(
  `^(?:${[...groups].map(([first, second]) => `${eitherCase(first)}${eitherCase(second)}`).join('|')})$`,
);

function eitherCase(letters: string): string {
  return `[${letters}${letters.toLowerCase()}]`;
}

export const countryCode = z
  .string()
  .regex(countryCodePattern, 'must be a two-letter ISO 3166-1 alpha-2 country code, like NL')
  .overwrite((code) => code.toUpperCase());

/** ISO 8601; without an offset it means UTC (assumptions: The wire). */
export const instant = z.iso.datetime({ local: true, offset: true });

// A field of an answer that is not essential. Absent, null or of an unexpected type is read as null and never fails,
// because a refused answer would turn a known outcome into an unknown one. A number in place of a text is read as its
// digits. Essential is a uid that the caller cannot learn in any other way: the answer to a creation is invalid without it.
export const answerUid = z.string().min(1);
export const answerText = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().nullable().default(null).catch(null),
);
export const answerFlag = z.boolean().nullable().default(null).catch(null);
export const answerNumber = z.number().nullable().default(null).catch(null);
export const answerCount = z.number().int().nonnegative().nullable().default(null).catch(null);

/** An element that cannot be read becomes one with all fields null. Without it, an incomplete list would look complete. */
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
