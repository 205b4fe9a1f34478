// The request header in which an API client names the person for whom it acts, like a console for its operators.
// ASSUMPTION: assumptions: The wire. The interface does not show such a header, and a peer may not know it.
import { z } from 'zod';

/** In lower case, as HTTP compares it. */
export const ON_BEHALF_OF_HEADER = 'x-on-behalf-of';
const LONGEST_NAME = 100;

/** A name that an operator can read in the audit log: no control characters, and none that turn the order of the text. */
export const personName = z
  .string()
  .regex(
    new RegExp(`^(?=.*\\S)[^\\p{C}\\p{Zl}\\p{Zp}]{1,${LONGEST_NAME}}$`, 'u'),
    `must have 1 to ${LONGEST_NAME} characters, without control characters`,
  );

/** In the header: percent-encoded UTF-8, because a header carries ASCII only. */
export const onBehalfOf = z
  .string()
  .regex(
    /^(?:[!-$&-~]|%[0-9A-Fa-f]{2}){1,1200}$/,
    'must have visible ASCII characters only, other characters and % percent-encoded',
  );

export const toOnBehalfOf = (name: string): string => encodeURIComponent(personName.parse(name));

/** Undefined for what is no such name. */
export function nameInOnBehalfOf(text: string): string | undefined {
  try {
    return personName.safeParse(decodeURIComponent(onBehalfOf.parse(text))).data;
  } catch {
    return undefined; // Not percent-encoded UTF-8.
  }
}
