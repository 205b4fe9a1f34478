// Which e-mail addresses are valid: local parts as in RFC 5322 without quotes, and letters of any script in them and in
// the domain (RFC 6531, IDNA). Which addresses are the same: service/accounts/email-address.ts.
import { z } from 'zod';
import { isLonger, isStorable, storableSchema } from './text.ts';

/** RFC 5321: 64 before the @, and 255 after it. An index entry of Postgres holds some 2,700 bytes. */
export const EMAIL_ADDRESS_LENGTH = 320;

// What no address has: blanks, invisible characters, those that turn the order of a text, private ones. Half surrogates
// are refused elsewhere (text.ts). It works with and without the flag u, and in Python.
const BLANK_OR_INVISIBLE =
  '\\xAD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uE000-\\uF8FF\\uFEFF\\uFFF0-\\uFFFF';
const ATOM = `[^\\x00-\\x20"(),.:;<>@\\[\\\\\\]\\x7F-\\xA0${BLANK_OR_INVISIBLE}]+`;
// A letter of any script or a figure; likewise, or a hyphen; a letter beyond ASCII.
const LETTER = `[^\\x00-/:-@\\[-\`{-\\xA0${BLANK_OR_INVISIBLE}]`;
const LETTER_OR_HYPHEN = `[^\\x00-,./:-@\\[-\`{-\\xA0${BLANK_OR_INVISIBLE}]`;
const BEYOND_ASCII = `[^\\x00-\\xA0${BLANK_OR_INVISIBLE}]`;
const LABEL = `${LETTER}${LETTER_OR_HYPHEN}*`;
/** Not of figures alone: that would be an IPv4 address. */
const LAST_LABEL = `(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9]|[A-Za-z0-9-]*${BEYOND_ASCII}${LETTER_OR_HYPHEN}*)`;
const pattern = `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LAST_LABEL}$`;

const isAddress = new RegExp(pattern);
const isAsciiDomain = new RegExp(`^(?:${LABEL}\\.)+${LAST_LABEL}$`);

export const emailAddress = z
  .string()
  .refine(
    (text) => !isLonger(text, EMAIL_ADDRESS_LENGTH),
    `must have at most ${EMAIL_ADDRESS_LENGTH} characters`,
  )
  .refine((text) => isAddress.test(text) && isStorable(text) && hasDomain(text), 'is not an e-mail address')
  .meta({ ...storableSchema, pattern, maxLength: EMAIL_ADDRESS_LENGTH });

/** An international domain must be one that DNS can have: the pattern cannot say that. */
function hasDomain(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (isAscii.test(domain)) return true;
  const url = `http://${domain}`;
  return URL.canParse(url) && isAsciiDomain.test(new URL(url).hostname);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7F]*$/;
