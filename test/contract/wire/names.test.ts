// Names of people and programs: each is cut by itself and stays whole, whatever the other one is.
import { expect, test } from 'vitest';
import { isVisible, nameIn } from '../../../contract/wire/names.ts';
import {
  nameInOnBehalfOf,
  personByProgram,
  shortName,
  toOnBehalfOf,
} from '../../../contract/wire/request-headers.ts';
import { isUserName } from '../../../shared/settings/console-rights.ts';

test('blanks behind a name push nothing out of sight', () => {
  const person = nameInOnBehalfOf(`anna${'%20'.repeat(96)}`) ?? '';
  expect(person).toBe('anna');
  expect(personByProgram(person, 'shop (API)')).toBe('anna by shop (API)');
  expect(nameInOnBehalfOf('anna%C2%A0%E3%80%80%20lee')).toBe('anna lee');
  expect(nameInOnBehalfOf('%C2%A0%20%E2%80%83')).toBeUndefined();
});

test('a long name of a person leaves that of the program whole', () => {
  const both = personByProgram('a'.repeat(100), 'shop (API)');
  expect(both).toBe(`${'a'.repeat(48)} by shop (API)`);
  expect(personByProgram('a'.repeat(100), 'b'.repeat(100))).toHaveLength(100);
});

test('no character is cut in half', () => {
  const both = personByProgram('\u{1f600}'.repeat(100), 'x\u{1f600}'.repeat(50));
  expect(both.isWellFormed()).toBe(true);
  expect(() => toOnBehalfOf(both)).not.toThrow();
  expect(nameIn('anna\ud83d \u0000 lee')?.isWellFormed()).toBe(true);
  expect(shortName('ab \u{1f600}', 3)).toBe('ab');
});

test.each([
  ['a filler of Hangul', '\u3164'],
  ['a filler of half its width', '\uffa0'],
  ['the blank of Braille', '\u2800'],
  ['a joiner of graphemes', '\u034f'],
  ['a selector of variants', '\ufe0f'],
  ['a tag', '\u{e0041}'],
  ['a soft hyphen', '\u00ad'],
])('a name that is %s, or hides it, names nobody', (_, unseen) => {
  expect(nameIn(unseen)).toBeUndefined();
  for (const text of [unseen, `${unseen} ${unseen}`, `anna${unseen}`]) {
    expect(isVisible(text)).toBe(false);
    expect(isUserName(text)).toBe(false);
    expect(nameInOnBehalfOf(encodeURIComponent(text))).toBeUndefined();
  }
  expect(nameIn(`anna${unseen} lee`)).toBe('anna lee');
});

test('letters, numbers, marks and signs of any script are names', () => {
  for (const name of ['王小明', 'Zoë', '4711', '👍', 'นริศ', '@desk'])
    expect(nameInOnBehalfOf(encodeURIComponent(name))).toBe(name);
});
