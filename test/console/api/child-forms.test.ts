// Who reads which actions of the flows that a process has started: the answer is shared by all who ask, and told to each by rights.
import { expect, test } from 'vitest';
import { shownTo } from '../../../console/api/personal.ts';

const form = (id: string, flow?: string) => ({
  id,
  label: id,
  ...(flow !== undefined && { of: { key: `loan/${flow}`, flow, title: flow } }),
});
const answer = (primary: string) => ({
  flow: 'Lending',
  actionForms: [form('cancel'), form('loan/Issue:extend', 'Issue'), form('loan/Repair:extend', 'Repair')],
  overview: {
    title: 'Lending',
    primary,
    remedies: [
      { kind: 'act', id: primary },
      { kind: 'flow', id: null },
    ],
  },
});

test('the actions of a flow are for who may act on it, also where another flow has started it', () => {
  const may = (right: string, about?: string) => right === 'decide' && about !== 'Issue';
  expect(shownTo({ may, by: 'bram' }, answer('loan/Issue:extend'))).toMatchObject({
    actionForms: [{ id: 'cancel' }, { id: 'loan/Repair:extend' }],
    overview: { primary: null, remedies: [{ kind: 'flow' }] },
  });
  expect(shownTo({ may, by: 'bram' }, answer('loan/Repair:extend'))).toMatchObject({
    overview: {
      title: 'Lending',
      primary: 'loan/Repair:extend',
      remedies: [{ id: 'loan/Repair:extend' }, { kind: 'flow' }],
    },
  });
  expect(shownTo({ may: () => false, by: 'anna' }, answer('cancel'))).toMatchObject({
    actionForms: [{ id: 'cancel' }],
    overview: { primary: 'cancel' },
  });
});
