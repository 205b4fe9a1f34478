// A question as a form: a field of the page for each kind of field, with what is expected and what is likely meant.
import { expect, test } from 'vitest';
import { questionForm } from '../../../processes/action-forms/question-forms.ts';

test('each kind of field of a question has its field on the page', () => {
  const { fields, request } = questionForm('order/1', {
    id: 'look',
    of: 'desk',
    until: null,
    fields: {
      serial: { type: 'text', maxLength: 7, label: 'Serial number' },
      parts: { choice: ['lid', 'key'], many: true, default: ['lid', 'key'] },
      state: { choice: ['new', 'old'], optional: true },
      doneOn: { type: 'date', default: '2026-01-05' },
      isTested: { type: 'yesNo', default: true },
      cost: { type: 'number', min: 0 },
      note: { minLength: 10 },
    },
  });
  expect(request).toEqual({ path: '/v1/processes/order%2F1/answers', body: { question: 'look' } });
  expect(fields).toEqual([
    {
      name: 'values.serial',
      label: 'Serial number',
      kind: 'text',
      maxLength: 7,
      hint: 'At most 7 characters.',
    },
    {
      name: 'values.parts',
      label: 'parts',
      kind: 'lines',
      options: ['lid', 'key'],
      many: true,
      hint: 'One on each line: lid, key',
      suggested: 'lid\nkey',
    },
    { name: 'values.state', label: 'state', kind: 'select', options: ['new', 'old'], optional: true },
    { name: 'values.doneOn', label: 'doneOn', kind: 'date', suggested: '2026-01-05' },
    { name: 'values.isTested', label: 'isTested', kind: 'yesNo', suggested: 'yes' },
    { name: 'values.cost', label: 'cost', kind: 'number', min: '0' },
    { name: 'values.note', label: 'note', kind: 'text', minLength: 10, hint: 'At least 10 characters.' },
  ]);
});
