import { expect, test } from 'vitest';
import { inLocale, localeIn } from '../../../shared/texts/reader-of-request.ts';
import { readShort, shortCode, writeShort } from '../../../shared/texts/short-code.ts';
import { t } from '../../../shared/texts/text.ts';

test('the language that is wanted most is taken, and English where none of ours is wanted', () => {
  expect(localeIn('nl-BE,nl;q=0.9,en;q=0.8')).toBe('nl');
  expect(localeIn('fr, en-GB;q=0.5, nl;q=0.7')).toBe('nl');
  expect(localeIn('nl;q=0, en')).toBe('en');
  expect(localeIn('fr')).toBe('en');
  expect(localeIn(undefined)).toBe('en');
  expect(localeIn('en-XA')).toBe('en-XA');
  expect(localeIn(`${'x,'.repeat(1_000)}nl`)).toBe('en');
});

test('a text is rendered for whoever reads, also after something was waited for', async () => {
  const late = () => t`late by ${'5 min'}`;
  expect(late()).toBe('late by 5 min');
  expect(inLocale('nl', late)).toBe('5 min te laat');
  expect(inLocale('en-XA', late)).toBe('⟦late by 5 min⟧');
  const afterwards = async () => {
    await Promise.resolve();
    return late();
  };
  expect(await Promise.all([inLocale('nl', afterwards), inLocale('en', afterwards)])).toEqual([
    '5 min te laat',
    'late by 5 min',
  ]);
});

test('params stay as they are, whatever is in them', () => {
  expect(inLocale('nl', () => t`late by ${'{0} $& {1}'}`)).toBe('{0} $& {1} te laat');
});

test('the page’s catalogue has each text by a short code, and no two by the same', () => {
  const dutch = { Walls: 'Wanden', Work: 'Werk', ' · ': '' };
  const read = readShort(writeShort(dutch));
  expect(read).toEqual(
    Object.fromEntries(Object.entries(dutch).map(([code, text]) => [shortCode(code), text])),
  );
  expect(Object.keys(read).map(({ length }) => length)).toEqual([4, 4, 4]);
  // Two that FNV-1a takes for one.
  expect(shortCode('costarring')).toBe(shortCode('liquid'));
  expect(() => writeShort({ costarring: 'a', liquid: 'b' })).toThrow(/“liquid” is one/);
  expect(() => writeShort({ Walls: 'Wan\nden' })).toThrow(/several lines: “Wan\nden”/);
});
