// Validates texts: well-formed Unicode that Postgres can store, and length in characters (code points), as in JSON Schema.
import { z } from 'zod';

// Postgres cannot store a NUL character or a lone surrogate. Without this check such a text would cause an internal error, or
// come back changed.
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
export const STORABLE_MESSAGE = 'must be well-formed Unicode without a NUL character';
/**
 * `isStorable` as JSON Schema. Surrogates have a separate pattern, because some regular expression engines lack them; it works
 * with and without the flag u.
 */
export const storableSchema = {
  pattern: '^[^\\x00]*$',
  allOf: [{ pattern: '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$' }],
};

/** Not zod's min and max: they count UTF-16 units, and some characters have two. */
export const textOf = (min: 0 | 1, max: number) =>
  z
    .string()
    .refine((value) => value.length >= min, 'must not be empty')
    .refine((value) => !isLongerThan(value, max), `must have at most ${max.toLocaleString('en')} characters`)
    .refine(isStorable, STORABLE_MESSAGE)
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, ...storableSchema });

/** @param max in characters */
export const isLongerThan = (value: string, max: number): boolean =>
  value.length > max && (value.length > 2 * max || [...value].length > max);

export const ILL_FORMED_MESSAGE = 'has half a surrogate pair; expected well-formed Unicode';

/**
 * The path of the first text or field name with a lone surrogate in a JSON value, such as `message.uid`; undefined: none.
 * Temporal and Postgres reject such a text as a name. Not recursive: a request body may be nested arbitrarily deeply.
 */
export function illFormedPlace(value: unknown): string | undefined {
  const left: [place: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [place, one] = next;
    if (typeof one === 'string' && !one.isWellFormed()) return place;
    if (typeof one !== 'object' || one === null) continue;
    const names = Object.keys(one);
    for (const name of names.toReversed()) {
      const inner = place === '' ? name.toWellFormed() : `${place}.${name.toWellFormed()}`;
      if (!name.isWellFormed()) return inner;
      left.push([inner, (one as Readonly<Record<string, unknown>>)[name]]);
    }
  }
  return undefined;
}

// A duration as people and programs write it, in a flow's input and to a staging service.

// At most six digits each: a timer of more than some thousand years is a mistake, and Temporal cannot keep it. Zero is a
// mistake too: it could mean "at once" or "never".
const DURATION = /^P(?=.*[1-9])(\d{1,6}W)?(\d{1,6}D)?(T(?=.)(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}(\.\d{1,3})?S)?)?$/;

export const duration = z
  .string()
  .regex(
    DURATION,
    'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, like P3D or PT2H30M, longer than zero',
  );

// Validates e-mail addresses: unquoted local parts (RFC 5322), and letters of any script in local part and domain (RFC
// 6531, IDNA). Whether two addresses are equal is decided in service/accounts/account.ts.

/** RFC 5321: 64 before the @, 255 after it. Postgres limits an index entry to about 2,700 bytes. */
export const EMAIL_ADDRESS_LENGTH = 320;

// Forbidden everywhere: whitespace, invisible characters, bidirectional controls, private use. text.ts rejects lone
// surrogates. The pattern also works without the flag u, and in Python.
const BLANK_OR_INVISIBLE =
  '\\xAD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uE000-\\uF8FF\\uFEFF\\uFFF0-\\uFFFF';
const ATOM = `[^\\x00-\\x20"(),.:;<>@\\[\\\\\\]\\x7F-\\xA0${BLANK_OR_INVISIBLE}]+`;
// A letter of any script, or a digit; the same or a hyphen; a letter beyond ASCII.
const LETTER = `[^\\x00-/:-@\\[-\`{-\\xA0${BLANK_OR_INVISIBLE}]`;
const LETTER_OR_HYPHEN = `[^\\x00-,./:-@\\[-\`{-\\xA0${BLANK_OR_INVISIBLE}]`;
const BEYOND_ASCII = `[^\\x00-\\xA0${BLANK_OR_INVISIBLE}]`;
const LABEL = `${LETTER}${LETTER_OR_HYPHEN}*`;
/** Not only digits: that would be an IPv4 address. */
const LAST_LABEL = `(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9]|[A-Za-z0-9-]*${BEYOND_ASCII}${LETTER_OR_HYPHEN}*)`;
const pattern = `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LAST_LABEL}$`;

const addressPattern = new RegExp(pattern);
const asciiDomainPattern = new RegExp(`^(?:${LABEL}\\.)+${LAST_LABEL}$`);

export const emailAddress = z
  .string()
  .refine(
    (text) => !isLongerThan(text, EMAIL_ADDRESS_LENGTH),
    `must have at most ${EMAIL_ADDRESS_LENGTH} characters`,
  )
  .refine(
    (text) => addressPattern.test(text) && isStorable(text) && hasValidDomain(text),
    'is not an e-mail address',
  )
  .meta({ ...storableSchema, pattern, maxLength: EMAIL_ADDRESS_LENGTH });

/** Whether an international domain has an ASCII form (IDNA), which the pattern cannot express. */
function hasValidDomain(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (asciiPattern.test(domain)) return true;
  const url = `http://${domain}`;
  return URL.canParse(url) && asciiDomainPattern.test(new URL(url).hostname);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes them
const asciiPattern = /^[\x00-\x7F]*$/;
