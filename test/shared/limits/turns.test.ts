// Callers take turns, whatever one of them has asked for before.
import { expect, test } from 'vitest';
import { Turns } from '../../../shared/limits/turns.ts';

function waiting(...all: readonly string[]): Turns<string, string> {
  const turns = new Turns<string, string>();
  for (const each of all) turns.wait(each.charAt(0), each);
  return turns;
}

test('each caller has one turn before another has its second', () => {
  const turns = waiting('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  const order = Array.from({ length: 7 }, () => turns.next());
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('a caller whose turn ends goes behind those who came during it', () => {
  const turns = waiting('a1', 'b1');
  turns.ended('a');
  expect(turns.next()).toBe('b1');
});

test('one that may not go yet keeps its place, and one that is gone has none', () => {
  const turns = waiting('a1', 'a2', 'b1');
  expect(turns.next((each) => each === 'b1')).toBe('b1');
  expect(turns.drop((each) => each === 'a1')).toEqual(['a1']);
  expect([turns.countOf('a'), turns.countOf('b'), turns.count]).toEqual([1, 0, 1]);
  expect(turns.next()).toBe('a2');
});
