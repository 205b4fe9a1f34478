// Arguments of the administrative commands, with the same checks as the contract's fields.

import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { emailAddress } from '../../../contract/wire/email-address.ts';
import { countryCode, uid } from '../../../contract/wire/fields.ts';
import { plainMessages } from '../../../contract/wire/format-issue.ts';
import { isTimeZone } from '../../../contract/wire/service-profile.ts';
import { flowScope } from '../../../contract/wire/token.ts';
import type { Box } from '../../sides.ts';
import { CLIENT_ID } from '../../token/api-clients.ts';

const checked =
  (schema: z.ZodType<string>) =>
  (text: string): string => {
    const { data, error } = schema.safeParse(text, plainMessages);
    if (data === undefined) throw new InvalidArgumentError(`it ${error?.issues[0]?.message ?? 'is wrong'}.`);
    return data;
  };

export const readUid = checked(uid);
export const readText = checked(z.string().trim().min(1).max(200));
export const readEmailAddress = checked(emailAddress);
export const readCountryCode = checked(countryCode);
export const readClientId = checked(
  z.string().regex(CLIENT_ID, 'must be 1 to 200 printable ASCII characters'),
);
const readFlowScope = checked(flowScope);
/** One more of several. */
export const readScope = (text: string, before: readonly string[] = []): string[] =>
  [...new Set([...before, readFlowScope(text)])].sort();
export const readTimeZone = checked(
  z.string().refine(isTimeZone, 'must be a time zone of the IANA database, like Europe/Amsterdam'),
);

export function readWholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('it must be a whole number from 1.');
}

/** The inside of a locker in centimeters, like 38x25x60. */
export function readBox(text: string): Box {
  const sides = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(text)?.slice(1).map(Number);
  const [width, height, length] = sides ?? [];
  if (!width || !height || !length)
    throw new InvalidArgumentError('it must be three lengths in centimeters, like 38x25x60.');
  return { width, height, length };
}

// A typing error like 1-10000 would install lockers that no command can remove.
const MAXIMUM_LOCKERS = 1_000;

export function readLockerNames(text: string): string[] {
  const names = text.split(',').flatMap((part) => namesOf(part.trim()));
  if (names.length > MAXIMUM_LOCKERS)
    throw new InvalidArgumentError(
      `it names ${names.length} lockers; at most ${MAXIMUM_LOCKERS} go at once.`,
    );
  if (new Set(names).size < names.length) throw new InvalidArgumentError('it names a locker twice.');
  return names;
}

function namesOf(part: string): string[] {
  const [, prefix = '', from, to] = /^(\D*)(\d+)-(\d+)$/.exec(part) ?? [];
  if (from === undefined || to === undefined) return [readText(part)];
  const count = Number(to) - Number(from) + 1;
  if (count < 1 || count > MAXIMUM_LOCKERS)
    throw new InvalidArgumentError(`the range ${part} must go up, and over at most ${MAXIMUM_LOCKERS}.`);
  return Array.from({ length: count }, (_, index) => `${prefix}${Number(from) + index}`);
}
