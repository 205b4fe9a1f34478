// Validates e-mail addresses: unquoted local parts (RFC 5322), and letters of any script in local part and domain (RFC
// 6531, IDNA). Whether two addresses are equal is decided in service/accounts/account.ts.
import { z } from 'zod';
import { isLongerThan, isStorable, storableSchema } from './text.ts';

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
