// Phone numbers in one form, E.164 like +31612345678: an SMS is sent to a number, not to the way it was written.
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** For a text that the contract took as a phone number. The library drops the 0 of "+31 (0)6 12345678". */
export function e164(text: string): string {
  const international = text.replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(international, { extract: false });
  return parsed?.number ?? international.replace(/[^+\d]/g, '');
}
