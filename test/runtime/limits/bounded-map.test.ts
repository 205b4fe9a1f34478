// A bounded map never holds more than it may, and forgets what was set first.
import { expect, test } from 'vitest';
import { BoundedMap } from '../../../runtime/limits/bounded-map.ts';

test('beyond its number of entries it forgets the oldest', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('one', 1);
  map.set('two', 2);
  map.set('three', 3);
  expect([map.get('one'), map.get('two'), map.get('three'), map.size]).toEqual([undefined, 2, 3, 2]);
});

test('an entry that is set again is the youngest', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('one', 1);
  map.set('two', 2);
  map.set('one', 11);
  map.set('three', 3);
  expect([map.get('one'), map.get('two'), map.size]).toEqual([11, undefined, 2]);
});

test('an entry that is deleted makes room', () => {
  const map = new BoundedMap<string, number>(1);
  map.set('one', 1);
  map.delete('one');
  map.set('two', 2);
  expect([map.get('one'), map.get('two'), map.size]).toEqual([undefined, 2, 1]);
});
