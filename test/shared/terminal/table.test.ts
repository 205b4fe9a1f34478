// Tables of a terminal: aligned columns, and no cell that can move the cursor.
import { expect, test } from 'vitest';
import { table } from '../../../shared/terminal/table.ts';

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

test('text from others can neither break a row nor move the cursor', () => {
  expect(table(['key'], [['a\nb\u001B[2Jc\r']])).toEqual(['key', String.raw`a\u000ab\u001b[2Jc\u000d`]);
});
