// What a person types into the form of an action, as the request that the page sends; and an answer of the API at its field.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ActionField, ActionForm } from '../../../processes/action-forms/question-forms.ts';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const PAGE = '../../../console/page/forms/form-request.ts';
const { firstValues, instantsFor, send, wrongAt } = (await import(PAGE)) as {
  firstValues(fields: readonly ActionField[], nowMs: number): Record<string, string>;
  instantsFor(fields: readonly ActionField[], typed: object, nowMs: number): Record<string, string>;
  send(form: ActionForm, typed: Readonly<Record<string, string>>): Promise<unknown>;
  wrongAt(field: ActionField, fields: Readonly<Record<string, string>>): string | undefined;
};

const why: ActionField = { name: 'why', label: 'Why', kind: 'lines' };
const formWith = (fields: readonly ActionField[], body = {}): ActionForm => ({
  id: 'x',
  label: 'X',
  consequence: '',
  fields,
  request: { path: '/v1/x', body },
});

function sentTo() {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    sent.push([path, JSON.parse(body)]);
    return Response.json({ done: 'it is' });
  });
  vi.stubGlobal('dispatchEvent', () => true);
  onTestFinished(() => void vi.unstubAllGlobals());
  return sent;
}

test('each kind of field is sent as the API takes it, and what is left empty is left out', async () => {
  const sent = sentTo();
  const fields: ActionField[] = [
    { name: 'deadline', label: '', kind: 'select', parts: ['role', 'stage'] },
    { name: 'until', label: '', kind: 'instant', saysFor: ['fromNow'] },
    { name: 'values.isWhole', label: '', kind: 'yesNo' },
    { name: 'values.cost', label: '', kind: 'number' },
    { name: 'values.none', label: '', kind: 'text' },
    { name: 'data', label: '', kind: 'json' },
    { ...why, optional: true },
  ];
  const typed = {
    deadline: 'issue.pickUp',
    until: '2031-05-01T12:00Z',
    'values.isWhole': 'no',
    'values.cost': '12',
    data: '{ "cost": 12 }',
    why: ' ',
  };
  expect(await send(formWith(fields, { question: 'look' }), typed)).toEqual({ done: 'it is' });
  const body = {
    question: 'look',
    role: 'issue',
    stage: 'pickUp',
    until: '2031-05-01T12:00:00.000Z',
    values: { isWhole: false, cost: '12' },
    data: { cost: 12 },
  };
  expect(sent).toEqual([['/v1/x', body]]);
});

test('a reason that is missing, and what is not JSON, are said at the field before anything is sent', async () => {
  const sent = sentTo();
  await expect(send(formWith([why]), {})).rejects.toMatchObject({ fields: { why: 'is missing' } });
  const data: ActionField = { name: 'data', label: '', kind: 'json' };
  await expect(send(formWith([data]), { data: 'cost 12' })).rejects.toMatchObject({
    fields: { data: expect.stringContaining('is not JSON') },
  });
  expect(sent).toEqual([]);
});

test('what the API says of a field is said at the one that stands for it', () => {
  const deadline: ActionField = { name: 'deadline', label: '', kind: 'select', parts: ['role', 'stage'] };
  expect(wrongAt(deadline, { stage: 'must be one of pickUp' })).toBe('must be one of pickUp');
  const until: ActionField = { name: 'until', label: '', kind: 'instant', saysFor: ['fromNow'] };
  expect(wrongAt(until, { fromNow: 'is missing' })).toBe('is missing');
  expect(wrongAt(until, { role: 'is missing' })).toBeUndefined();
});

test('an extension is suggested for the deadline that runs, and ends a day later than that and than now', () => {
  const until: ActionField = {
    name: 'until',
    label: '',
    kind: 'instant',
    extends: {
      field: 'deadline',
      ends: { 'issue.pickUp': '2031-05-09T12:00Z', 'issue.dropOff': '2031-05-01' },
    },
  };
  const deadline = (options: readonly string[], suggested?: string): ActionField => ({
    name: 'deadline',
    label: '',
    kind: 'select',
    options,
    parts: ['role', 'stage'],
    ...(suggested !== undefined && { suggested }),
  });
  // By the clock of the process, which a sandbox may have moved far ahead of ours.
  const now = Date.parse('2031-05-05T12:00Z');
  const both = ['issue.dropOff', 'issue.pickUp'];
  const at = (values: Readonly<Record<string, string>>) => new Date(values.until ?? '').toISOString();
  const first = firstValues([deadline(both, 'issue.pickUp'), until], now);
  expect(first).toMatchObject({ deadline: 'issue.pickUp' });
  expect(at(first)).toBe('2031-05-10T12:00:00.000Z');
  expect(at(instantsFor([until], { deadline: 'issue.dropOff' }, now))).toBe('2031-05-06T12:00:00.000Z');
  // None runs: not even the only one is chosen before a person has chosen it.
  expect(firstValues([deadline(['issue.pickUp']), until], now)).toMatchObject({ deadline: '' });
});
