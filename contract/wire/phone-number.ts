// Phone numbers in one form, E.164 like +31612345678: an SMS is sent to a number, and two texts may be the same number.
// Not in index.ts: the library is large, and few who use the contract need it.
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** For a text that is a valid phone number (fields.ts). The library drops the 0 of "+31 (0)6 12345678". */
export function e164(text: string): string {
  const international = text.replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(international, { extract: false });
  return parsed?.number ?? international.replace(/[^+\d]/g, '');
}
