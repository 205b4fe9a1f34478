// Whose questions Home counts: those of the office are not for somebody who is of the desk.
import { expect, test } from 'vitest';
import { questionsOf } from '../../../console/page/home/questions-of.ts';
import type { WorkEntry } from '../../../console/processes/processes-view.ts';

const question = (inbox: string, more: object = {}) =>
  ({ kind: 'question', task: { inbox }, actions: [{ command: 'answer' }], ...more }) as unknown as WorkEntry;
const entries = [
  question('desk'),
  question('office'),
  question('desk', { mayNotAnswer: { code: 'FourEyes' } }),
  { kind: 'late', actions: [] } as unknown as WorkEntry,
];

test('whoever has inboxes of their own counts what is asked there, and what they may answer', () => {
  const { isOwn, count } = questionsOf({ roles: ['look', 'decide'], inboxes: ['desk'] });
  expect([isOwn, count({ entries })]).toEqual([true, 1]);
});

test('for whoever answers in every inbox they are questions, and not theirs', () => {
  const { isOwn, count } = questionsOf({ roles: ['look', 'decide'] });
  expect([isOwn, count({ entries })]).toEqual([false, 2]);
});

test('whoever may only look has none', () => {
  const isRefused = question('desk', { actions: [] });
  const { isOwn, count } = questionsOf({ roles: ['look'] });
  expect([isOwn, count({ entries: [isRefused] })]).toEqual([true, 0]);
});
