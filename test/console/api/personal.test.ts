// @module-tag invariant
// What a caller reads of a process: results of flow files may hold what an operation has told of a person.
import { expect, test } from 'vitest';
import { personCaller, programCaller } from '../../../console/access/rights.ts';
import { barely, shownTo } from '../../../console/api/personal.ts';
import { questionForm } from '../../../processes/action-forms/question-forms.ts';
import type { WorkView } from '../../../processes/inbox/inbox-entry.ts';
import { workOf } from '../../../processes/inbox/work.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { inboxEntry } from '../../processes/inbox/inbox-entries.ts';
import { newFileProgress } from '../../support/progress.ts';

const process = {
  key: 'order-1',
  runId: 'run',
  flow: 'Reminder',
  status: 'Completed' as const,
  startedAt: '2026-11-25T15:00:00Z',
  closedAt: '2026-11-25T15:01:00Z',
  progress: newFileProgress({ output: { email: 'anna@example.com' }, keys: { email: 'anna@example.com' } }),
  unanswered: null,
  actions: null,
  trying: [],
  failure: null,
  result: { email: 'anna@example.com' },
} satisfies ShownProcess;

const program = (...scopes: string[]) =>
  programCaller({ name: 'shop', id: 'shop', isPerson: false }, scopes, Number.POSITIVE_INFINITY);

test('who may only read gets no result of a flow file, and no key by which events find its process', () => {
  const readers = [
    program('flows:read'),
    program('flows:read', 'flows:publish', 'flows:start', 'inbox:desk'),
    personCaller({ name: 'anna', roles: ['look', 'administer'], inboxes: ['desk'] }),
  ];
  for (const reader of readers)
    expect(shownTo(reader, process)).toEqual({ ...process, progress: newFileProgress(), result: null });
  expect(shownTo(program('flows:read'), { number: 1, progress: process.progress })).toEqual({
    number: 1,
    progress: newFileProgress(),
  });
});

test('who may act on processes gets it, and so does everybody of a built-in flow', () => {
  expect(shownTo(program('flows:decide'), process)).toEqual(process);
  const builtIn = { ...process, flow: 'Issue' };
  expect(shownTo(program('flows:read'), builtIn)).toEqual(builtIn);
});

test('who may answer a question of Work that another may not is told so', () => {
  const asked = { id: 'pay', of: 'office', until: null, fields: {}, not: ['noor'] };
  const entry = inboxEntry('pay', { toDo: 'Office is asked.', actions: [questionForm('invoice-1', asked)] });
  const toDoOf = (name: string) => {
    const caller = personCaller({ name, roles: ['look', 'decide'] });
    const { entries } = shownTo(caller, workOf({ entries: [entry], unread: [] })) as WorkView;
    return entries[0]?.toDo;
  };
  expect(toDoOf('mila')).toBe(
    'Office is asked. You may answer it; noor, who has judged before, may not (four eyes).',
  );
  expect(toDoOf('noor')).toBe('Office is asked.');
});

test('who may read nothing gets the key, the run and the status', () => {
  const { key, runId, flow, status, trying, ...others } = barely(process);
  expect({ key, runId, flow, status, trying }).toEqual({
    key: 'order-1',
    runId: 'run',
    flow: 'Reminder',
    status: 'Completed',
    trying: [],
  });
  expect(new Set(Object.values(others))).toEqual(new Set([null]));
});
