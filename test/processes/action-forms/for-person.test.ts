// What a person is offered of a question: no answer and no claim where the process would refuse them, but why.
import { expect, test } from 'vitest';
import { formsFor } from '../../../processes/action-forms/for-person.ts';
import { questionForm, taskForms } from '../../../processes/action-forms/question-forms.ts';

const asked = (more: object) => {
  const question = { id: 'pay', of: 'office', until: null, fields: {}, ...more };
  return [questionForm('invoice-1', question), ...taskForms('invoice-1', question)];
};
const everywhere = (by: string) => ({ by, mayAnswer: () => true });
const offered = (by: string, more: object) => {
  const { forms, refusals } = formsFor(everywhere(by), asked(more));
  return [forms.map(({ command }) => command), refusals.map(({ code }) => code)];
};

test('who has judged before, is no candidate, or finds it taken by another sees why, and may still assign it', () => {
  expect(offered('bram', {})).toEqual([['answer', 'claim', 'assign'], []]);
  expect(offered('Bram', { not: ['bram'] })).toEqual([['assign'], ['FourEyes']]);
  expect(offered('bram', { candidates: ['olga'] })).toEqual([['assign'], ['NotCandidate']]);
  const held = { holder: 'olga', heldSince: '2031-05-01T12:00:00.000Z' };
  expect(offered('bram', held)).toEqual([['assign'], ['HeldByAnother']]);
  expect(offered('olga', held)).toEqual([['answer', 'release', 'assign'], []]);
});

test('who may answer what another person may not is told so', () => {
  const told = (by: string, more: object) => formsFor(everywhere(by), asked(more)).permission;
  expect(told('mila', { not: ['noor'] })).toBe(
    'You may answer it; noor, who has judged before, may not (four eyes).',
  );
  expect(told('noor', { not: ['noor'] })).toBeNull();
  expect(told('mila', {})).toBeNull();
});

test('who has no right to the inbox is offered nothing of it', () => {
  const { forms, refusals } = formsFor({ by: 'anna', mayAnswer: (inbox) => inbox !== 'office' }, asked({}));
  expect(forms).toEqual([]);
  expect(refusals).toEqual([
    {
      question: 'pay',
      code: 'NotAllowed',
      words:
        'You may not answer in the inbox office: this needs the right to act on cases, or a right to the inbox.',
    },
  ]);
});
