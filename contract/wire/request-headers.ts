// The request headers that name the person for whom an API client acts, like a console for its operators, that say why, and that
// make a repeated call take effect once.
// ASSUMPTION: assumptions: The wire. The interface does not show such headers, and a service may not know them.
import { z } from 'zod';
import { isVisible, nameIn } from './names.ts';

/** In lower case, as HTTP compares it. */
export const ON_BEHALF_OF_HEADER = 'x-on-behalf-of';
const LONGEST_NAME = 100;

// Percent-encoded UTF-8, because a header carries ASCII only. One pattern, so that the OpenAPI document says all that is
// refused. Hexadecimal digits come in both cases.
const ANY = '[0-9A-Fa-f]';
/** A byte after the first one of a character: 80 to BF. */
const LATER = `%[89ABab]${ANY}`;
/** Visible ASCII as it is, other than %; or the bytes of a character that is no control character and not private. */
const CHARACTER = [
  '[!-$&-~]',
  `%[2-6]${ANY}|%7[0-9A-Ea-e]`,
  `%[Cc]2%[ABab]${ANY}|%(?:[Cc][3-9A-Fa-f]|[Dd]${ANY})${LATER}`,
  `%[Ee](?:0%[ABab]${ANY}|[1-9A-Ca-c]${LATER}|[Dd]%[89]${ANY}|[Ff]%(?:[Aa][4-9A-Fa-f]|[Bb]${ANY}))${LATER}`,
  `%[Ff](?:0%[9ABab]${ANY}|[12]${LATER}|3%[89]${ANY})${LATER}${LATER}`,
].join('|');
/** U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F and U+FEFF: invisible, or they turn the order of the text. */
const HIDING = `%[Ee]2%(?:80%(?:8[B-Fb-f]|[Aa][89A-Ea-e])|81%[Aa]${ANY})|%[Ee][Ff]%[Bb]{2}%[Bb][Ff]`;
/** U+0020, U+00A0, U+1680, U+2000 to U+200A, U+202F, U+205F and U+3000. */
const BLANKS = `(?:%20|%[Cc]2%[Aa]0|%[Ee]1%9[Aa]%80|%[Ee]2%80%(?:8[0-9Aa]|[Aa][Ff])|%[Ee]2%81%9[Ff]|%[Ee]3%80%80)+`;

const visibleText = (what: string, most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^(?!${BLANKS}$)(?!.*(?:${HIDING}))(?:${CHARACTER}){1,${most}}$`),
      `must be ${what} of 1 to ${most} characters, none of them invisible, in percent-encoded UTF-8`,
    );

export const onBehalfOf = visibleText('a name', LONGEST_NAME);

/** In lower case, as HTTP compares it. */
export const REASON_HEADER = 'x-reason';
export const LONGEST_REASON = 500;
export const reason = visibleText('a reason', LONGEST_REASON);

/** Both, each short enough that the other is whole as well: a long name of a person hides no program. */
export const personByProgram = (person: string, program: string): string =>
  [person, program].map((each) => shortName(each, (LONGEST_NAME - BY.length) / 2)).join(BY);
const BY = ' by ';

/** Throws ZodError for what is no such name, and URIError for half a surrogate pair. */
export const toOnBehalfOf = (name: string): string => onBehalfOf.parse(encodeURIComponent(name));

/** On one line, without what nobody sees; what is too long is cut. Undefined if nothing is left. */
export function toReason(words: string): string | undefined {
  const encoded = encodeURIComponent(shortName(nameIn(words) ?? '', LONGEST_REASON));
  return reasonIn(encoded) === undefined ? undefined : encoded;
}

/** With one blank where there are several. Undefined for what is no such name. */
export const nameInOnBehalfOf = (text: string): string | undefined => visibleIn(onBehalfOf, text);
/** The same for a reason. */
export const reasonIn = (text: string): string | undefined => visibleIn(reason, text);

function visibleIn(schema: z.ZodType, text: string): string | undefined {
  const name = schema.safeParse(text).success ? decodeURIComponent(text) : '';
  // The pattern cannot list all that nobody sees: nameIn finds the rest.
  return isVisible(name) ? nameIn(name) : undefined;
}

/** In lower case, as HTTP compares it. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** How long the service repeats the first successful answer. A later repetition books twice. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** The status of InvalidRequest for a key that was used with another body, as in the IETF draft of the header. */
export const IDEMPOTENCY_KEY_REUSED_STATUS = 422;

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters');

/** The first characters of it: never half of one. */
export const shortName = (text: string, most: number): string => [...text].slice(0, most).join('').trimEnd();
