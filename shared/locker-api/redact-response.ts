// What an error repeats of a service's words. They are bounded, and redacted: an answer may hold access codes or personal data, and a
// proxy's page may echo the request with its token. Masking takes time linear in the length that is kept, however long the
// answer is.

import { Redaction } from './redaction.ts';

export interface Evidence {
  readonly reason: string;
  readonly contentType?: string | null;
  readonly bodyBytes?: number;
  /** The beginning of the body, redacted. */
  readonly body?: string;
}

// Enough for each field that a service refuses, and to tell a proxy's page from a framework's. A Temporal failure with
// all of it stays below 4 kB.
const REASON_LENGTH = 1_000;
const SNIPPET_LENGTH = 500;
// Characters that are read for one that is shown: masking makes a text shorter.
const READ_PER_SHOWN = 4;

const E_MAIL = /(?<![^\s@<>"'])[^\s@<>"']+@[^\s@<>"']*/g;
// Access codes and phone numbers stand alone; digits that belong to a uid (shipment-1001) are worth reading.
const DIGITS = /(?<![\w-])\+?\d{4,}(?![\w-])/g;

// A number is a quantity, and no code, by the words next to it: the other side of a box, a unit, a limit.
const UNIT =
  /^ ?(?:[x×*] ?\d|(?:[mck]?m|k?g|m?s|[kM]?B|bytes?|characters?|seconds?|minutes?|hours?|days?)\b|%)/;
const BEFORE_QUANTITY =
  /(?:\d ?[x×*] ?|\b(?:at most|at least|more than|less than|up to|maximum|minimum|limit)(?: of)? )$/i;
const LONGEST_BEFORE_QUANTITY = 20;

// An e-mail address, a phone number: what of one may stand before a cut that has lost its end.
const LONGEST_WORD_CUT = 64;

/** A service's own sentence, without the given secrets, e-mail addresses and numbers that may be codes. */
export function redact(text: string, secrets: readonly string[]): string {
  return reason(text, knownOf(secrets));
}

export function evidence(
  message: string,
  answer: { readonly contentType: string | null; readonly body: Uint8Array },
  secrets: readonly string[],
): Evidence {
  const known = knownOf(secrets);
  return {
    reason: reason(message, known),
    contentType: answer.contentType === null ? null : cut(reason(answer.contentType, known), 100),
    bodyBytes: answer.body.byteLength,
    body: snippet(answer.body, known),
  };
}

/** The secrets that must not be shown, and what hides them: made once for all texts of an answer. */
interface KnownSecrets {
  readonly secrets: readonly string[];
  readonly redaction: Redaction;
}

const knownOf = (secrets: readonly string[]): KnownSecrets => ({
  secrets,
  redaction: new Redaction(secrets),
});

const reason = (text: string, known: KnownSecrets): string => shown(text, REASON_LENGTH, known, isQuantity);

/** No longer than that; where it is cut, an ellipsis says so. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function snippet(body: Uint8Array, known: KnownSecrets): string {
  const text = new TextDecoder().decode(body.subarray(0, READ_PER_SHOWN * SNIPPET_LENGTH + 1));
  // A page of a proxy or a framework speaks of no quantities that are worth the risk.
  const never = () => false;
  if (!/^\s*[[{]/.test(text)) return shown(text, SNIPPET_LENGTH, known, never);
  return shown(jsonKeysOnly(text), SNIPPET_LENGTH, known, never);
}

/** The keys and the structure of JSON, even when it is cut, tell what answered; its values may be personal data. */
function jsonKeysOnly(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"?(\s*:)?/gs, (token, colon?: string) => (colon ? token : '"…"'));
}

type IsQuantity = (before: string, after: string) => boolean;

/**
 * Cut before it is redacted, so that a service's megabyte costs nothing; and cut again after it. What the first cut has left of
 * a secret is not recognized any more: it is taken away with it.
 */
function shown(
  text: string,
  length: number,
  { secrets, redaction }: KnownSecrets,
  isQuantity: IsQuantity,
): string {
  const read = READ_PER_SHOWN * length;
  if (text.length <= read) return cut(withoutPersonal(redaction.text(text), isQuantity), length);
  // The secrets first: without its last word, one of several words would not be recognized any more.
  const hidden = redaction.text(withoutSecretCut(text.slice(0, read), secrets));
  return `${withoutPersonal(withoutLastWord(hidden), isQuantity).slice(0, length - 1)}…`;
}

/** Without the beginning of a secret at its end. */
function withoutSecretCut(text: string, secrets: readonly string[]): string {
  let end = text.length;
  for (const secret of secrets)
    for (let size = Math.min(secret.length - 1, text.length); size > 0; size -= 1)
      if (text.endsWith(secret.slice(0, size))) end = Math.min(end, text.length - size);
  return text.slice(0, end);
}

function withoutLastWord(text: string): string {
  const from = Math.max(0, text.length - LONGEST_WORD_CUT);
  const blank = text.slice(from).search(/\s\S*$/);
  return text.slice(0, blank < 0 ? from : from + blank);
}

/** Without e-mail addresses, and numbers that may be codes. */
function withoutPersonal(text: string, isQuantity: IsQuantity): string {
  return text.replace(E_MAIL, '…').replace(DIGITS, (number: string, at: number, whole: string) => {
    const before = whole.slice(Math.max(0, at - LONGEST_BEFORE_QUANTITY), at);
    const after = whole.slice(at + number.length, at + number.length + LONGEST_BEFORE_QUANTITY);
    return isQuantity(before, after) ? number : '…';
  });
}

function isQuantity(before: string, after: string): boolean {
  return UNIT.test(after) || BEFORE_QUANTITY.test(before);
}
