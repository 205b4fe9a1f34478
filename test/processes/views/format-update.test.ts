// Updates in words: each update that a process takes has its sentence here, and every recorded one is among them.
import { expect, test } from 'vitest';
import { namedDecisionOf } from '../../../processes/at-temporal.ts';
import { formatUpdate } from '../../../processes/views/format-update.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const sentences: readonly [name: string, payload: object | null, words: string][] = [
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', until: '2031-05-01T12:00:00Z' },
    'the deadline issue.pickUp is extended until 2031-05-01T12:00:00Z',
  ],
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', fromNow: 'P3D' },
    'the deadline issue.pickUp is extended to P3D from then',
  ],
  ['moveClock', { aheadMs: 176_400_000 }, "the sandbox's clock is moved: 2 d 1 h ahead of the real time"],
  // A receiver is a person: who it is stands in the history alone.
  ['setReceiver', { role: 'issue', toUserUid: 'user-anna' }, 'a receiver is set for issue'],
  ['removeReceiver', { role: 'issue' }, 'the receiver of issue is removed'],
  [
    'resolve',
    { by: 'bram', why: 'seen', action: 'setState', role: 'issue', stateCode: 'Completed' },
    'bram decides: setState issue Completed, because seen',
  ],
  [
    'answer',
    { by: 'bram', question: 'isItThere', values: { there: true, count: 2, why: 'seen' } },
    'bram answers the question isItThere: there yes, count 2, why seen',
  ],
  [
    'extendDeadline',
    { timer: 'xstate.after.P2D.Loan.out', fromNow: 'P3D' },
    'the wait xstate.after.P2D.Loan.out is extended to P3D from then',
  ],
  ['answer', { by: 'bram', answer: { words: 'yes' } }, 'bram answers its question'],
  [
    'claim',
    { by: 'shop (API)', onBehalfOf: 'anna', question: 'a' },
    'anna by shop (API) claims the question a',
  ],
  [
    'dropEvent',
    { by: 'bram', why: 'too late' },
    'bram drops the event that cannot be taken, because too late',
  ],
  ['giveUp', { by: 'bram', why: 'lost' }, 'bram gives it up, because lost'],
  [
    'migrate',
    { semantics: 1, to: { version: 4, file: {} }, by: 'anna', why: 'the sum was wrong' },
    'anna migrates it to version 4, because the sum was wrong',
  ],
  [
    'migrate',
    { semantics: 1, back: true, by: 'anna', why: 'too early' },
    'anna takes it back, because too early',
  ],
  // What a client of another version sent.
  ['giveUp', {}, 'unknown gives it up, because unknown'],
  ['anUpdateOfTomorrow', null, 'anUpdateOfTomorrow'],
];

test.each(sentences)('%s %j', (name, payload, words) => {
  expect(formatUpdate(name, payload)).toBe(words);
});

test('every update of every recorded process has its sentence', async () => {
  const recorded = new Set<string>();
  for (const { recording } of await recordings())
    for (const event of historyOf(recording).events ?? []) {
      const { name } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input ?? {};
      if (name) recorded.add(name);
    }
  expect(sentences.map(([name]) => name)).toEqual(expect.arrayContaining([...recorded]));
  expect(recorded).toContain('extendDeadline');
});

test('a parked callback keeps the person and the program as one name, once', () => {
  const decision = namedDecisionOf({ by: 'shop (API)', onBehalfOf: 'Anna', why: ' booked by hand ' });
  expect(formatUpdate('claim', { ...decision, workflowId: 'order-1042' })).toBe(
    'Anna by shop (API) gives the reports to order-1042, because booked by hand',
  );
});
