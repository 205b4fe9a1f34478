// Texts for people, in their language. A text is written in English where it is said: that is its code in the catalogue, with {0}, {1}
// where its params stand.

export const languages = ['en', 'nl'] as const;
export type Language = (typeof languages)[number];
/** Each text in brackets, as ⟦Walls⟧: what has none is in no catalogue. A locale for this that browsers and libraries know. */
export const PSEUDO_LOCALE = 'en-XA';
export type Locale = Language | typeof PSEUDO_LOCALE;

/** The translation of each text, by its code. */
export type Catalogue = Readonly<Record<string, string>>;

interface Reader {
  readonly locale: Locale;
  /** Of its language; absent in English. */
  readonly catalogue?: Catalogue;
  /** By which the catalogue has a text; absent: by its code. */
  readonly keyOf?: (code: string) => string;
}

const english: Reader = { locale: 'en' };

let readerNow: () => Reader | undefined = () => undefined;

/** For whom texts are: a page has one reader, a server one for each request. Before that, and beside requests: English. */
export function readBy(reader: () => Reader | undefined): void {
  readerNow = reader;
}

export const localeNow = (): Locale => (readerNow() ?? english).locale;

/** The locale for moments, numbers and lists. */
export const formattingLocale = (): string => (localeNow() === 'nl' ? 'nl-NL' : 'en-GB');

/** What plain templates take too. */
type Param = string | number | boolean | null | undefined;

/** Renders a text: t`Put the item into ${locker}`. Not where a module of a server begins: nobody reads there yet. */
export const t = (texts: TemplateStringsArray, ...params: readonly Param[]): string =>
  rendered(codeOf(texts), params);

export const codeOf = (texts: readonly string[]): string =>
  texts.reduce((code, text, index) => `${code}{${index - 1}}${text}`);

function rendered(code: string, params: readonly Param[]): string {
  const { locale, catalogue, keyOf } = readerNow() ?? english;
  const text = catalogue?.[keyOf ? keyOf(code) : code] ?? code;
  const words = text.replaceAll(/\{(\d)\}/g, (whole, index) =>
    Number(index) < params.length ? String(params[index]) : whole,
  );
  return locale === PSEUDO_LOCALE ? `⟦${words}⟧` : words;
}
