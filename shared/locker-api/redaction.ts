// Takes secrets out of what a service answers: it may repeat what it was sent. Finds them in any case, percent-encoded, escaped as
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
  let result = '';
  let end = -1;
  for (const [from, to] of hidden.toSorted(([one], [other]) => one - other)) {
    if (from > end) result += `${text.slice(Math.max(end, 0), from)}…`;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}
