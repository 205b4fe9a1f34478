// What comes first among what is found: Enter opens it.
import { expect, test } from 'vitest';
import { orderOf } from '../../../console/page/shell/exact-hit.ts';

const firstOf = (text: string, keys: readonly string[], references: readonly string[]) => {
  const cases = keys.map((key) => ({ key }));
  return orderOf({ cases, items: references.map((reference) => ({ reference })) }, text)[0];
};

test('a case with exactly that key comes first, then an item with exactly that number, then people', () => {
  expect(firstOf('LN-2043', ['LN-2043', 'LN-2043-2'], ['LN-2043'])).toBe('cases');
  expect(firstOf('ln-2043', ['LN-2043'], [])).toBe('cases');
  expect(firstOf('laptop-1', ['LN-2043'], ['laptop-1', 'laptop-12'])).toBe('items');
  expect(firstOf('LN-20', ['LN-2043'], ['LN-204'])).toBe('people');
});
