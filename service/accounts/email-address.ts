// E-mail addresses in one form, so that the same address is not two accounts (assumptions: Accounts and upload). Postgres
// compares them without regard to the case of ASCII letters; this does the rest.
// Without the account's queries: each process that reads an upload loads this.
import { domainToUnicode } from 'node:url';

/**
 * As it was given where that is possible. An international domain is in Unicode, never in its ASCII form (xn--); an
 * address with a capital letter beyond ASCII is in small letters.
 */
export function keptEmailAddress(given: string): string {
  // Nearly all are, and an upload has 100,000 of them.
  if (isPlainAscii.test(given)) return given;
  const text = given.normalize('NFC');
  const at = text.lastIndexOf('@') + 1;
  const address = text.slice(0, at) + keptDomain(text.slice(at));
  const small = inSmallLetters(address);
  return small === inSmallAscii(address) ? address : small;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isPlainAscii = /^(?!.*xn--)[\x00-\x7F]*$/i;

function keptDomain(domain: string): string {
  // Empty where the domain is invalid. It is in small letters.
  const unicode = domainToUnicode(domain);
  return unicode === '' || unicode === inSmallLetters(domain) ? domain : unicode;
}

/** Word by word: the small letter of a Greek capital sigma depends on whether it ends a word. */
const inSmallLetters = (text: string): string =>
  text
    .split(/([.@])/)
    .map((word) => word.toLowerCase())
    .join('')
    .normalize('NFC');

const inSmallAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
