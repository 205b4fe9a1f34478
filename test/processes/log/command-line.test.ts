// What is done by the command line in nobody's name, as the log tells it.
import { expect, test } from 'vitest';
import { isByCommandLine, nameOfActor } from '../../../contract/flows/attribution.ts';

test('the command line of a machine is one, whatever number its process had; people and programs keep their names', () => {
  expect(['4711@desk-pc', '4712@desk-pc'].map(nameOfActor)).toEqual(Array(2).fill('desk-pc (command line)'));
  expect(isByCommandLine('4711@desk-pc')).toBe(true);
  for (const name of ['noor', 'shop (API)', 'noor@example.com', 'desk-pc@4711']) {
    expect(nameOfActor(name)).toBe(name);
    expect(isByCommandLine(name)).toBe(false);
  }
});
