// In which language the page and its answers are: the one that somebody has chosen here, else the browser's.
import { shortCode } from '../../shared/texts/short-code.ts';
import {
  type Catalogue,
  type Language,
  type Locale,
  languages,
  PSEUDO_LOCALE,
  readBy,
} from '../../shared/texts/text.ts';

const CHOICE = 'lockerflow-language';

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', nl: 'Nederlands' };

/** Before the first text is rendered. */
export async function speak(): Promise<void> {
  const locale = chosenLocale();
  const catalogue = await catalogueOf(locale);
  readBy(() => ({ locale, ...(catalogue && { catalogue, keyOf: shortCode }) }));
  document.documentElement.lang = locale;
}

/** The page begins anew. */
export function choose(language: Language): void {
  localStorage.setItem(CHOICE, language);
  location.reload();
}

/** The pseudo-locale is only chosen by hand, to look for texts that are in no catalogue. */
function chosenLocale(): Locale {
  const chosen = localStorage.getItem(CHOICE);
  if (chosen === PSEUDO_LOCALE) return chosen;
  const wanted = [chosen, ...navigator.languages];
  const [first = 'en'] = wanted.flatMap(
    (tag) => languages.find((each) => tag === each || tag?.startsWith(`${each}-`)) ?? [],
  );
  return first;
}

/** English needs none: only who reads another language waits for its texts. The build has shortened their codes. */
async function catalogueOf(locale: Locale): Promise<Catalogue | undefined> {
  return locale === 'nl' ? (await import('../../shared/texts/dutch-page.ts')).pageInDutch : undefined;
}
