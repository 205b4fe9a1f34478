// The catalogue of words: that no language lacks one is held by the types; here, that they say something of their own.
import { expect, test } from 'vitest';
import { words as de } from '../../../console/locales/de.ts';
import { words as en, type Words } from '../../../console/locales/en.ts';
import { counting, isLanguage, type languages, spokenLanguage } from '../../../console/locales/language.ts';
import { words as nl } from '../../../console/locales/nl.ts';

const catalogues: Readonly<Record<keyof typeof languages, Words>> = { en, nl, de };

type Entry = string | ((...given: never[]) => string) | { readonly [name: string]: Entry };

/** Each text by its path; what takes numbers or names is given a 7 for each. */
function texts(entry: Entry, { onlyFunctions = false } = {}, path = ''): [string, string][] {
  if (typeof entry === 'string') return onlyFunctions ? [] : [[path, entry]];
  if (typeof entry === 'function') return [[path, entry(...(['7', '7'] as never[]))]];
  return Object.entries(entry).flatMap(([name, inner]) => texts(inner, { onlyFunctions }, `${path}.${name}`));
}

/** The same in several languages. */
const SHARED =
  /^(?:Live|Temporal|Workers?|Callbacks|Flows|flows|Versions?|Version 7|Actions|Console|Open|Name|Start|Filters|Flow|offline|open|Later|stock|Urgent|Question|\w|)$/;

test.each(['nl', 'de'] as const)('%s has words of its own for everything', (language) => {
  const own = new Map(texts(catalogues[language]));
  const english = texts(en);
  expect([...own.keys()]).toEqual(english.map(([path]) => path));
  const same = english.filter(([path, text]) => own.get(path) === text && !SHARED.test(text));
  expect(same).toEqual([]);
});

test.each(Object.entries(catalogues))('%s says every number and name that it is given', (_, catalogue) => {
  const given = texts(catalogue, { onlyFunctions: true });
  expect(given.length).toBeGreaterThan(20);
  for (const [path, text] of given) expect([path, text]).toEqual([path, expect.stringContaining('7')]);
});

test('one and more have their own forms, by the rules of the language', () => {
  const forms = { one: '# flow', other: '# flows' };
  expect([0, 1, 2, 1_200].map(counting('en')(forms))).toEqual([
    '0 flows',
    '1 flow',
    '2 flows',
    '1,200 flows',
  ]);
  expect(counting('de')(forms)(1_200)).toBe('1.200 flows');
});

test('the first language that is spoken here is taken, whatever its country', () => {
  expect(spokenLanguage(['sv', 'nl-BE', 'en'])).toBe('nl');
  expect(spokenLanguage(['DE-at'])).toBe('de');
  expect(spokenLanguage([null, 'sv', 'toString'])).toBe('en');
  expect(isLanguage('constructor')).toBe(false);
});
