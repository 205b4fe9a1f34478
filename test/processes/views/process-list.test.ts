// What lists show without asking anybody: words for states and flows, the next deadline.
import { expect, test } from 'vitest';
import { formatFlowName, formatLeg, formatState } from '../../../processes/views/format-names.ts';
import { summaryOf } from '../../../processes/views/summaries.ts';
import { newFileProgress } from '../../support/progress.ts';

test('states and flows are said in words, also those of flow files', () => {
  expect(formatFlowName('IssueFromStockAndSubsequentIntake')).toBe('Issue from stock and subsequent intake');
  expect(formatFlowName('IssueFromStockAndSubsequentIntakeAndCircularStock')).toBe('Loan');
  expect(formatFlowName('Check_in')).toBe('Check in');
  expect(formatState('lent.waitingForReturn, noted')).toBe('lent: waiting for return, noted');
  expect(formatLeg({ role: 'intake', state: 'ReadyForPickup', lockerName: '12' })).toBe(
    'Return to be picked up, locker 12',
  );
  // Nobody comes for what is in stock.
  const stock = { role: 'circularStock', state: 'ReadyForPickup', lockerName: '12' };
  expect(formatLeg(stock)).toBe('In stock, locker 12');
  expect(formatLeg({ ...stock, name: 'Charger, back in stock' })).toBe('Charger, back in stock, locker 12');
  expect(formatLeg({ role: null, state: 'lent.waiting', lockerName: null })).toBe('Lent: waiting');
});

test('the next deadline of a flow file is the first end of what it waits for', () => {
  const waitingFor = [
    { words: 'an answer', until: null },
    { words: 'a reminder', until: '2031-05-02T00:00:00.000Z' },
    { words: 'the end', until: '2031-05-01T00:00:00.000Z' },
  ];
  expect(summaryOf(newFileProgress({ waitingFor: waitingFor as never }), 0).until).toBe(
    '2031-05-01T00:00:00.000Z',
  );
});
