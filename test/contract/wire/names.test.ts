// Names of people and programs: each is cut by itself and stays whole, whatever the other one is.
import { expect, test } from 'vitest';
import {
  nameInOnBehalfOf,
  personByProgram,
  plainName,
  shortName,
  toOnBehalfOf,
} from '../../../contract/wire/request-headers.ts';

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
  expect(plainName('anna\ud83d \u0000 lee').isWellFormed()).toBe(true);
  expect(shortName('ab \u{1f600}', 3)).toBe('ab');
});
