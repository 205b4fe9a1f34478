// The languages of people's pages, and how a word is chosen for a number in each. One file for each language, as `en.ts`: what is
// missing in another one does not compile.

/** By their own names. */
export const languages = { en: 'English', nl: 'Nederlands', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text);

/** The first of these that is spoken here, like nl of nl-BE; English if none is. */
export function spokenLanguage(wanted: readonly (string | null | undefined)[]): Language {
  const spoken = wanted.map((each) => each?.toLowerCase().split('-')[0]);
  return spoken.find(isLanguage) ?? 'en';
}

/** A word for one, and one for more; # is the number. */
interface Forms {
  readonly one: string;
  readonly other: string;
}

/** "1 flow", "1,200 flows": by the rules of the language. */
export function counting(language: Language): (forms: Forms) => (count: number) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return ({ one, other }) =>
    (count) =>
      (rules.select(count) === 'one' ? one : other).replaceAll('#', numbers.format(count));
}
