// What Home counts as due today.
import { expect, test } from 'vitest';
import { awake, dueToday } from '../../../console/page/home/due-today.ts';
import type { WorkEntry } from '../../../console/processes/processes-view.ts';

const entry = (kind: string, group: string) => ({ kind, group, actions: [] }) as unknown as WorkEntry;

test('a question is counted above, and not again under Today', () => {
  const entries = [
    entry('question', 'today'),
    entry('question', 'later'),
    entry('decision', 'today'),
    entry('late', 'today'),
    entry('late', 'snoozed'),
  ];
  expect(dueToday({ entries }).map(({ kind }) => kind)).toEqual(['decision', 'late']);
});

test('what somebody has snoozed is not shown on Home', () => {
  const entries = [entry('late', 'urgent'), entry('door', 'snoozed')];
  expect(awake({ entries }).map(({ kind }) => kind)).toEqual(['late']);
});
