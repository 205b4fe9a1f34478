// What decides by a text for people is found: each form of it that this project had.
import { expect, test } from 'vitest';
import { problems, proseIn } from '../../../tools/lint/prose.ts';

test('no code decides by a text for people', () => {
  expect(problems()).toEqual([]);
});

test.each([
  ".filter((each) => each.startsWith('a person: '))",
  '.replace(/^a person: /, text)',
  "if (message.includes('is not halted')) return;",
  '/did not register|unknown query/i.test(words)',
  "problems.some(({ because }) => because.startsWith('expected a'))",
  'if (error.message.match(pattern)) return;',
  'if (KNOWN.test(refusal.message)) return;',
])('%s is found', (line) => {
  expect(proseIn('console/some.ts', line)).toHaveLength(1);
});

test.each([
  "  // it begins with 'a person: '",
  "const words = 'a person decides';",
  "if (state.startsWith('Ready')) return;",
  'const half = (one + other) / 2; // in the middle / of it',
  '/^\\d+ ?(?:ms|s)$/.test(text)',
])('%s is not', (line) => {
  expect(proseIn('console/some.ts', line)).toEqual([]);
});
