// The quiet line of an open case: what it may say, and what it may not.
import { expect, test } from 'vitest';
import { fineWords } from '../../../console/page/process/fine-words.ts';

const well = { wrong: [], unread: [], desk: [] };
const late = { ...well, wrong: ['Delivery: the pick up is overdue.'] };

test('nothing is to be done only where neither a person here nor the desk is to do anything', () => {
  expect(fineWords(well, false)).toBe('No fault is known, and there is nothing to do here.');
  expect(fineWords(well, true)).toBe('No fault is known.');
  expect(fineWords({ ...well, desk: ['put the item into locker 13'] }, false)).toBe(
    'No fault is known. To do: put the item into locker 13.',
  );
});

test('no fault is denied where something is wrong, or could not be read', () => {
  const desk = ['take the item out of locker 16'];
  expect(fineWords(late, true)).toBe('');
  expect(fineWords({ ...well, unread: ['the doors'] }, false)).toBe('');
  expect(fineWords({ ...late, desk }, true)).toBe('To do: take the item out of locker 16.');
});
