// What the page says, in the language of the reader: as chosen in the user's menu, else the browser's. Only that language is
// loaded.
import { useEffect, useState } from 'preact/hooks';
import type { Words } from '../../locales/en.ts';
import { isLanguage, type Language, spokenLanguage } from '../../locales/language.ts';
import type { Translations } from '../../locales/said/nl.ts';
import { ServerMessages } from './said.ts';

/** The words of the page, and of what the server says: for English none, which it speaks itself. */
type Loaded = readonly [{ readonly words: Words }, { readonly said: Translations }?];

const loaders: Readonly<Record<Language, () => Promise<Loaded>>> = {
  en: () => Promise.all([import('../../locales/en.ts')]),
  nl: () => Promise.all([import('../../locales/nl.ts'), import('../../locales/said/nl.ts')]),
  de: () => Promise.all([import('../../locales/de.ts'), import('../../locales/said/de.ts')]),
};

const NAME = 'lockerflow-language';
const CHANGED = 'lockerflow-words';

let language: Language = 'en';
let words: Words;
let saidWords: ServerMessages | undefined;

/** As chosen here; null: as the browser says. */
export function chosenLanguage(): Language | null {
  const kept = localStorage.getItem(NAME);
  return isLanguage(kept) ? kept : null;
}

export function chooseLanguage(next: Language | null): void {
  if (next === null) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, next);
  loadWords().catch(() => location.reload());
}

/** From now on. A page does so by `loadWords`. */
export function speak(own: Language, its: Words, said?: ServerMessages): void {
  [language, words, saidWords] = [own, its, said];
}

/**
 * Before anything is drawn. Throws where words cannot be loaded, after an update of the console for instance: those of before
 * stay.
 */
export async function loadWords(): Promise<void> {
  const wanted = chosenLanguage() ?? spokenLanguage(navigator.languages);
  const [{ words: its }, spoken] = await loaders[wanted]();
  speak(wanted, its, spoken && new ServerMessages(spoken.said));
  document.documentElement.lang = wanted;
  dispatchEvent(new Event(CHANGED));
}

/** The page is drawn anew where another language is chosen: what is read while drawing is of that language. */
export const currentMessages = (): Words => words;

/** Those of several rooms. */
export const common = (): Words['common'] => words.common;

/** What the server says of a process, in the reader's language where it is known there. */
export const inOwnWords = (text: string): string => saidWords?.of(text) ?? text;

/** For the page as a whole. */
export function useLanguage(): Language {
  const [shown, setShown] = useState(language);
  useEffect(() => {
    const changed = () => setShown(language);
    addEventListener(CHANGED, changed);
    changed();
    return () => removeEventListener(CHANGED, changed);
  }, []);
  return shown;
}

/** For Intl: the reader's own variant of the language, like en-GB, where the browser has one. */
export const localeNow = (): string =>
  navigator.languages.find((each) => each.toLowerCase().split('-')[0] === language) ?? language;

/** A label within a sentence: in German its first letter may be that of a noun. */
export const midSentence = (label: string): string =>
  language === 'de' ? label : label.slice(0, 1).toLowerCase() + label.slice(1);

/** 2,999 or 2.999. */
export const inFigures = (count: number): string => count.toLocaleString(localeNow());
