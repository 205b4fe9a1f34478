// What an error repeats of a peer's words. They are bounded, and redacted: an answer may hold access codes or personal data, and a
// proxy's page may echo the request with its token. Masking takes time linear in the length that is kept, however long the
// answer is.

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

/** A peer's own sentence, without the given secrets, e-mail addresses and numbers that may be codes. */
export function redact(text: string, secrets: readonly string[]): string {
  return reason(text, knownOf(secrets));
}

export function evidence(
  words: string,
  answer: { readonly contentType: string | null; readonly body: Uint8Array },
  secrets: readonly string[],
): Evidence {
  const known = knownOf(secrets);
  return {
    reason: reason(words, known),
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
 * Cut before it is redacted, so that a peer's megabyte costs nothing; and cut again after it. What the first cut has left of
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

// Takes secrets out of what a peer answers: it may repeat what it was sent. Finds them in any case, percent-encoded, escaped as
// in JSON and HTML, and in base64 and hexadecimal, also within a longer text that is encoded; long ones also in pieces.

/** Each piece of this length of a secret that is long enough is hidden. */
const PIECE = 8;
export const LONG_SECRET_LENGTH = 2 * PIECE;
// Each layer of escapes hides the one below it, such as %2541 for an A.
const MAX_LAYERS = 3;

export class Redaction {
  /** In lower case. */
  readonly #wholes = new Set<string>();
  readonly #pieces = new Set<string>();
  /** By the first two characters of each piece: most places of a text are passed over without a look at the pieces. */
  readonly #beginnings = new Uint8Array(1 << 16);

  /** @param wholes secrets with parts that are no secret, such as an address: their pieces are not hidden */
  constructor(secrets: readonly string[], wholes: readonly string[] = []) {
    for (const secret of [...secrets, ...wholes])
      for (const form of formsOf(secret)) this.#wholes.add(lower(form));
    for (const secret of secrets.filter(({ length }) => length >= LONG_SECRET_LENGTH))
      for (const form of formsOf(secret)) this.#addPieces(lower(form));
  }

  text(text: string): string {
    const hidden: Range[] = [];
    let layer: Layer | undefined = { text, from: null };
    for (let depth = 0; layer && depth <= MAX_LAYERS; depth++) {
      for (const [from, to] of this.#found(lower(layer.text)))
        hidden.push([placeOf(layer, from), placeOf(layer, to)]);
      layer = unescaped(layer);
    }
    return hidden.length === 0 ? text : without(text, hidden);
  }

  /** For a whole JSON value, including its keys. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [this.text(key), this.value(each)] as const),
      );
    if (typeof value !== 'number') return value;
    const shown = this.text(String(value));
    return shown === String(value) ? value : shown;
  }

  #addPieces(form: string): void {
    for (let at = 0; at + PIECE <= form.length; at++) {
      this.#pieces.add(form.slice(at, at + PIECE));
      this.#beginnings[beginning(form, at)] = 1;
    }
  }

  *#found(text: string): Generator<Range> {
    for (const whole of this.#wholes)
      for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + 1))
        yield [at, at + whole.length];
    if (this.#pieces.size === 0) return;
    for (let at = 0; at + PIECE <= text.length; at++)
      if (this.#beginnings[beginning(text, at)] === 1 && this.#pieces.has(text.slice(at, at + PIECE)))
        yield [at, at + PIECE];
  }
}

/** From the one character to before the other. */
type Range = readonly [from: number, to: number];

/** Only ASCII: each character stays at its place. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const beginning = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);

function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((before) => base64Within(bytes, before));
  const others = [
    bytes.toString('hex'),
    ...encoded,
    ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  // A short one would be found everywhere.
  return [secret, encodeURIComponent(secret), ...others.filter(({ length }) => length >= PIECE)];
}

/** What the base64 of a longer text has of these bytes alone, with so many bytes before them. */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

/** A text and, for each of its characters and its end, the place in the original text; null: it is the original. */
interface Layer {
  readonly text: string;
  readonly from: readonly number[] | null;
}

const placeOf = ({ from }: Layer, at: number): number => from?.[at] ?? at;

const ESCAPE =
  /((?:%[0-9a-f]{2})+)|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|\\(["'\\/])/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Without its outermost escapes; undefined if it has none. */
function unescaped(layer: Layer): Layer | undefined {
  const parts: string[] = [];
  const from: number[] = [];
  let end = 0;
  const keep = (to: number) => {
    parts.push(layer.text.slice(end, to));
    for (let at = end; at < to; at++) from.push(placeOf(layer, at));
  };
  for (const match of layer.text.matchAll(ESCAPE)) {
    keep(match.index);
    for (const [character, offset] of meant(match)) {
      parts.push(character);
      for (let unit = 0; unit < character.length; unit++) from.push(placeOf(layer, match.index + offset));
    }
    end = match.index + match[0].length;
  }
  if (end === 0) return undefined;
  keep(layer.text.length);
  from.push(placeOf(layer, layer.text.length));
  return { text: parts.join(''), from };
}

/** The characters that an escape stands for, each with its place in it. */
function meant(match: RegExpExecArray): readonly (readonly [character: string, offset: number])[] {
  const [whole, percents, unicode, hex, entity, decimal, name, itself] = match;
  if (percents !== undefined) return percentDecoded(percents);
  if (name !== undefined) return [[NAMED[name.toLowerCase()] ?? whole, 0]];
  if (itself !== undefined) return [[itself, 0]];
  const code = decimal === undefined ? Number.parseInt(unicode ?? hex ?? entity ?? '', 16) : Number(decimal);
  return [[code <= 0x10ffff ? String.fromCodePoint(code) : whole, 0]];
}

/** As UTF-8; where it is not, a character for each byte. */
function percentDecoded(percents: string): (readonly [character: string, offset: number])[] {
  const bytes = Buffer.from(percents.replaceAll('%', ''), 'hex');
  const text = bytes.toString('utf8');
  const isUtf8 = !text.includes('\ufffd');
  let offset = 0;
  return [...(isUtf8 ? text : bytes.toString('latin1'))].map((character) => {
    const at = offset;
    offset += 3 * (isUtf8 ? Buffer.byteLength(character) : 1);
    return [character, at] as const;
  });
}

function without(text: string, hidden: readonly Range[]): string {
  let shown = '';
  let end = -1;
  for (const [from, to] of hidden.toSorted(([one], [other]) => one - other)) {
    if (from > end) shown += `${text.slice(Math.max(end, 0), from)}…`;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}
