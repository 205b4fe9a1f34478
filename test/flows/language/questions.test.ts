// The fields of a question: what an answer must be.
import { expect, test } from 'vitest';
import type { Json } from '../../../flows/language/flow-file.ts';
import {
  answerProblems,
  isWidened,
  type QuestionField,
  withDefaultsOf,
} from '../../../flows/language/machine/question.ts';

test.each<[QuestionField, Json, string | undefined]>([
  [{ type: 'text', minLength: 1 }, '   ', 'a text of at least 1 character, without the blanks around it'],
  [{ type: 'text', minLength: 3 }, ' abc ', undefined],
  [{ type: 'text', maxLength: 3 }, 'abcd', 'a text of at most 3 characters'],
  [{ type: 'number', min: 1, max: 3 }, 4, 'a number from 1 up to 3'],
  [{ type: 'number', min: 1 }, 1, undefined],
  [{ type: 'date' }, '2026-02-30', 'a date such as 2026-11-21'],
  [{ type: 'date', min: '2026-01-02T09:00:00Z' }, '2026-01-01', 'a date such as 2026-11-21 from 2026-01-02'],
  [{ type: 'date', min: '2026-01-02T09:00:00Z', max: '2026-02-01' }, '2026-01-02', undefined],
  [{ choice: ['a', 'b'], many: true }, ['a', 'c'], 'a list of 1 to 2 of a, b'],
  [{ choice: ['a', 'b'], many: true }, ['a', 'a'], 'a list of 1 to 2 of a, b'],
  [{ choice: ['a', 'b'], many: true }, [], 'a list of 1 to 2 of a, b'],
  [{ choice: ['a', 'b'], many: true, optional: true }, [], undefined],
  [{ choice: ['a', 'b', 'c'], many: true, max: 2 }, ['c', 'a'], undefined],
])('of %j %j must be %j', (field, value, expected) => {
  const problems = answerProblems({ it: field }, { it: value });
  expect(problems).toEqual(expected === undefined ? [] : [`it must be ${expected}`]);
});

test('a default takes the place of what is left out', () => {
  const fields = { cost: { type: 'number', default: 0 }, remark: { type: 'text', optional: true } } as const;
  expect(answerProblems(fields, {})).toEqual([]);
  expect(withDefaultsOf(fields, {})).toEqual({ cost: 0 });
  expect(withDefaultsOf(fields, { cost: 3 })).toEqual({ cost: 3 });
  const inherited = { toString: { type: 'text', default: 'as usual' } } as const;
  expect(withDefaultsOf(inherited, {})).toEqual({ toString: 'as usual' });
});

test.each<[boolean, QuestionField, QuestionField]>([
  [false, { type: 'number', max: 100 }, { type: 'number', max: 10 }],
  [true, { type: 'number', max: 10 }, { type: 'number', max: 100 }],
  [false, { type: 'number' }, { type: 'number', min: 1 }],
  [false, { choice: ['a', 'b'] }, { choice: ['a', 'b'], many: true }],
  [false, { type: 'text', default: 'none' }, { type: 'text' }],
  [true, { type: 'text', maxLength: 5 }, { type: 'text', maxLength: 9 }],
])('a question widens (%j) by a field that was %j and is %j', (expected, before, now) => {
  expect(isWidened({ field: before }, { field: now })).toBe(expected);
});

test('a question widens by a field that may be left out, and by no other', () => {
  expect(isWidened({}, { why: { type: 'text', default: 'none' } })).toBe(true);
  expect(isWidened({}, { why: { type: 'text', optional: true } })).toBe(true);
  expect(isWidened({}, { why: { type: 'text' } })).toBe(false);
  expect(isWidened({ why: { type: 'text' } }, {})).toBe(false);
});
