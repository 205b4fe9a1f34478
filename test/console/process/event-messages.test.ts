// What a process would take now, in words: every event of every built-in chart has some, and none of them is its bare name.
import { describe, expect, test } from 'vitest';
import { eventMessage, takenOf } from '../../../console/process/event-messages.ts';
import { chartView, positionOf } from '../../../engine/chart/chart-view.ts';
import { charts } from '../../../workflows/charts.ts';
import { definitionOf } from '../../workflows/playing.ts';

const FLAGSHIP = 'IssueFromStockAndSubsequentIntakeAndCircularStock';

describe.each(Object.keys(charts))('each event of %s', (flow) => {
  const events = new Set(chartView(definitionOf(flow).machine).transitions.map(({ event }) => event));
  events.delete('always');

  test.each([...events])('%s has words', (event) => {
    const { from, words } = eventMessage(event);
    // That is how an event is told that only the author of a flow file knows.
    expect(from).not.toBe('event');
    expect(words).not.toContain(event);
    expect(words).toMatch(/ /);
    // Names like changeReceiver are for developers.
    expect(words).not.toMatch(/\b(?!ReadyFor|WaitFor|circularStock)\w+[a-z][A-Z]/);
  });
});

test('what the flagship flow takes while its item waits is told in some lines, by where it comes from', () => {
  const { machine } = definitionOf(FLAGSHIP);
  const legs = { issue: 'ReadyForPickup', intake: 'Registered', circularStock: 'Registered' };
  const value = { following: { ...legs, others: 'awaited', receiver: 'unchanged' } };
  const { next } = positionOf(machine.resolveState({ value, context: {} }));
  const taken = takenOf(next);
  const of = (source: string) => taken.flatMap(({ from, words }) => (from === source ? [words] : []));
  expect(of('wall')).toEqual([
    'the issue is reported Completed or Cancelled',
    'any other report about one of its shipments: it is noted, and moves nothing',
    'the intake is reported ReadyForDropoff, WaitForReceiver, ReadyForPickup, Completed or Cancelled',
    'the circularStock is reported ReadyForDropoff, WaitForReceiver, ReadyForPickup, Completed or Cancelled',
  ]);
  expect(of('time')).toEqual([
    'the reminder before the deadline of the issue to be picked up',
    'the deadline of the issue to be picked up',
  ]);
  expect(of('person')).toEqual(
    expect.arrayContaining(['extend a deadline', 'set the receiver of a shipment', 'cancel the process']),
  );
  // Developers find every event, each once.
  const names = taken.flatMap((each) => each.names.map((name) => name.split(' if ')[0]));
  expect(new Set(names)).toEqual(new Set(next.flatMap(({ event }) => (event === 'always' ? [] : [event]))));
  expect(taken.length).toBeLessThan(15);
});

test('an event of a flow file, and a call of its own, are told by the names that its author gave', () => {
  expect(takenOf([transition('item.damaged'), transition('inspect done'), transition('after P2D')])).toEqual([
    { from: 'time', words: 'the time P2D has passed', names: ['after P2D'] },
    { from: 'event', words: 'the event item.damaged', names: ['item.damaged'] },
    { from: 'call', words: 'inspect is done', names: ['inspect done'] },
  ]);
});

const transition = (event: string) => ({
  from: '',
  to: ['next'],
  event,
  guard: null,
  actions: [],
  reenters: false,
});
