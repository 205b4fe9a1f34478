// By which names those who act are known.
import { expect, test } from 'vitest';
import { personCaller, programCaller } from '../../../console/access/rights.ts';

const person = (name: string) => personCaller({ name, roles: ['decide'], inboxes: [] });

test.each(['shop (API)', 'shop (api) '])('a person who is named %s is not taken for a program', (name) => {
  const program = programCaller({ name: 'shop', id: 'shop', isPerson: false }, [], 0);
  expect(program.by).toBe('shop (API)');
  expect(person(name).by).toBe(`${name} (person)`);
  expect(person('anna').by).toBe('anna');
});
