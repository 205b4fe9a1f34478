// Tables of a terminal: aligned columns, and no cell that can move the cursor.
import { expect, test } from 'vitest';
import { table, wrapped } from '../../../shared/terminal/table.ts';

test('columns are as wide as their widest cell, and no line ends with blanks', () => {
  expect(
    table(
      ['key', 'state'],
      [
        ['order-1042', 'Open'],
        ['a', ''],
      ],
    ),
  ).toEqual(['key         state', 'order-1042  Open', 'a']);
});

test('where the room is narrow, the columns that are needed least are left out, these first', () => {
  const rows = [['issue', 'ReadyForPickup', '7c0e-12']];
  const at = (width: number) =>
    table(['shipment', 'state', 'uid'], rows, { width, dispensable: ['uid', 'state'] })[1];
  expect(at(33)).toBe('issue     ReadyForPickup  7c0e-12');
  expect(at(30)).toBe('issue     ReadyForPickup');
  expect(at(12)).toBe('issue');
});

test('a long line goes on in the next one at a blank; only a word that is longer than the room is cut', () => {
  expect(wrapped('awaits: issue to be picked up', 20)).toEqual(['awaits: issue to be', '    picked up']);
  expect(wrapped('short', 20)).toEqual(['short']);
  expect(wrapped('a'.repeat(25), 20)).toEqual(['a'.repeat(20), `    ${'a'.repeat(5)}`]);
});

test('text from others can neither break a row nor move the cursor', () => {
  expect(table(['key'], [['a\nb\u001B[2Jc\r']])).toEqual(['key', 'a?bc?']);
});
