// Phone numbers in one form, E.164 like +31612345678: an SMS is sent to a number, not to the way it was written.
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** interface: Account, phoneNumber: "international format starting with + or 00". */
const parsed = (text: string) => parsePhoneNumberFromString(text.replace(/^00/, '+'), { extract: false });

/**
 * Whether the number is as long as the numbers of its country are. Not whether its range is in use: lists of ranges
 * age, and a good number that is refused does more harm than a bad one that is stored.
 */
export const isPossiblePhoneNumber = (text: string): boolean =>
  /^(\+|00)/.test(text) && parsed(text)?.isPossible() === true;

/** For a text that the contract took as a phone number. */
export const e164 = (text: string): string =>
  parsed(text)?.number ?? text.replace(/^00/, '+').replace(/[^+\d]/g, '');
